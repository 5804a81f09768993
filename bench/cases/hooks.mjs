// What stands in somebody's way: git commit, and the hooks that an agent waits for.
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, difference, nodeStart, race, settled } from '../measure.mjs';
import { makePlace } from '../place.mjs';

const SESSION = { session: 'bench', version: '2.1.197', model: 'claude-opus-4-5-20251101' };

export async function commits({ rounds }) {
  const [ours, plain] = [makePlace('commit'), makePlace('commit')];
  ours.init();
  const commit = (place) => {
    place.write('a.txt', 'begin\n');
    place.git('add', '-A');
    return command(place, ['git', 'commit', '-q', '-a', '-m', 'x'], {
      prepare: (round) => place.write('a.txt', `${round}\n`),
    });
  };
  const times = await race(rounds(30), { ours: commit(ours), plain: commit(plain), node: nodeStart(ours) });
  await settled(ours);
  await Promise.all([ours.remove(), plain.remove()]);
  return [
    {
      what: 'git commit: time that our hooks add',
      ours: difference(times.ours, times.plain),
      budget: 0.25 * times.node.min,
      rule: '0.25 x node',
      beside: times,
    },
  ];
}

export async function edits({ rounds }) {
  const place = makePlace('edit');
  place.init();
  const claude = openClaude(place, SESSION);
  const hook = (bytes) => {
    const content = 'const line = "a line of an ordinary program";\n'.repeat(bytes / 46);
    const file_path = path.join(place.dir, 'src', 'a.js');
    const payload = claude.payload({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: 'toolu_1',
      tool_input: { file_path, content },
      tool_response: { type: 'create', filePath: file_path, structuredPatch: [], originalFile: null },
    });
    return command(place, ['sh', '-c', hookCommand(place, 'PostToolUse', 'Write')], { input: JSON.stringify(payload) });
  };
  const times = await race(rounds(30), { small: hook(3e3), large: hook(1e6), node: nodeStart(place) });
  await place.remove();
  return [
    { what: 'edit hook, payload of 3 kB', ours: times.small, budget: times.node.min, rule: '1 x node', beside: times },
    { what: 'edit hook, payload of 1 MB', ours: times.large, budget: times.node.min, rule: '1 x node', beside: times },
  ];
}

const FILES = 10_000;

export async function shells({ rounds }) {
  const place = makePlace('shell');
  for (let i = 0; i < FILES; i++) place.write(`d${i % 100}/f${i}.txt`, `file ${i}\n`.repeat(20));
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'many');
  place.init();
  // git looks again at files as young as its index
  await new Promise((done) => setTimeout(done, 1100));
  place.git('status');
  const claude = openClaude(place, SESSION);
  const hook = (event, prepare) => {
    const payload = claude.payload({
      hook_event_name: event,
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'sed -i s/1/2/ d1/f1.txt' },
      ...(event === 'PostToolUse' && { tool_response: { stdout: '', stderr: '' } }),
    });
    const input = JSON.stringify(payload);
    return command(place, ['sh', '-c', hookCommand(place, event, 'Bash')], { input, prepare });
  };
  const times = await race(rounds(15), {
    status: command(place, ['git', 'status']),
    before: hook('PreToolUse'),
    after: hook('PostToolUse', (round) => place.write('d1/f1.txt', `${round}\n`)),
  });
  await place.remove();
  const budget = 2 * times.status.min;
  return ['before', 'after'].map((name) => ({
    what: `hook ${name} a shell tool, ${FILES.toLocaleString('en')} files`,
    ours: times[name],
    budget,
    rule: '2 x git status',
    beside: times,
  }));
}

/** As `git agent init` wrote it into the agent's settings. */
export function hookCommand(place, event, tool) {
  const { hooks } = JSON.parse(fs.readFileSync(path.join(place.home, '.claude', 'settings.json'), 'utf8'));
  return hooks[event].find(({ matcher }) => new RegExp(`^(${matcher})$`).test(tool)).hooks[0].command;
}
