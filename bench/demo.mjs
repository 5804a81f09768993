// npm run demo: an agent and a person write a file in a throw-away repository; who wrote which line, before and after the history is rewritten.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from './claude.mjs';
import { makePlace, ROOT } from './place.mjs';

const recording = JSON.parse(fs.readFileSync(path.join(ROOT, 'fixtures', 'demo', 'session.json'), 'utf8'));
const { file, turns } = recording;
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const say = (text) => fs.writeSync(1, `${text}\n`);
const heading = (text) => say(colour ? `\n\x1b[1m${text}\x1b[0m` : `\n== ${text}`);

const place = makePlace('demo');
try {
  play();
} finally {
  await place.remove();
}

function play() {
  heading('A new repository');
  type('git agent init --agents claude-code', { quiet: true });
  place.write('README.md', '# Demo\n');
  type("git add -A && git commit -q -m 'begin' && git switch -q -c topic");

  heading('A recorded Claude Code session is played into it, and a person works in between');
  const claude = openClaude(place, recording);
  for (const turn of turns) playTurn(claude, turn);
  claude.end();

  heading('Who wrote it?');
  const before = type(`git agent-blame ${file}`);
  const line =
    place
      .read(file)
      .split('\n')
      .findIndex((text) => text.includes('--left')) + 1;
  heading('And why?');
  type(`git agent show ${file}:${line}`);

  heading('The history is rewritten: the two commits become one, on a main branch that has moved on');
  type(
    "git switch -q main && echo 'Moved on.' >> README.md && git commit -q -a -m 'main moves on' && git switch -q topic",
  );
  type("git reset -q --soft HEAD~2 && git commit -q -m 'retry: squashed'");
  type('git rebase -q main');
  type('git log --oneline');

  heading('Who wrote it, by now?');
  const after = type(`git agent-blame ${file}`);
  say(`\nShown: ${file} before the rewrite: ${count(before)}; after it: ${count(after)}.`);
}

function playTurn(claude, turn) {
  if (turn.commit) return type(`git add -A && git commit -q -m '${turn.commit}'`);
  if (turn.person) {
    say(`  person   ${turn.person}`);
    return place.write(
      file,
      place.read(file).replace(turn.old, () => turn.new),
    );
  }
  say(`  person   > ${turn.prompt}`);
  claude.prompt(turn.prompt);
  say(`  agent    ${turn.says} [${turn.tool}]`);
  claude.say(turn.says);
  if (turn.tool === 'Write') claude.write(turn.id, file, turn.content);
  else if (turn.tool === 'Edit') claude.edit(turn.id, file, [turn.old, turn.new]);
  else claude.shell(turn.id, turn.command);
}

/** Shows a command as typed and runs it; a failure is shown as the program tells it. */
function type(command, { quiet = false } = {}) {
  say(colour ? `\x1b[2m$\x1b[0m ${command}` : `$ ${command}`);
  const env = {
    ...place.env,
    ...(colour && { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'color.ui', GIT_CONFIG_VALUE_0: 'always' }),
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: place.dir, env, encoding: 'utf8' });
  if (!quiet || status !== 0) fs.writeSync(1, stdout + stderr);
  if (status !== 0) process.exitCode = 1;
  return stdout;
}

/** The summary that blame ends with. */
function count(blamed) {
  return blamed
    .replace(/\x1b\[[0-9;]*m/g, '')
    .trimEnd()
    .split('\n')
    .at(-1);
}
