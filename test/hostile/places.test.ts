import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

/** Every file below a folder, by its path. */
function filesIn(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

describe('names that lead elsewhere', () => {
  test('session ids', async () => {
    const ids = [
      '../../x',
      '/etc/x',
      '..',
      '.',
      '',
      'a/b',
      'a\u0000b',
      'a\nb',
      'CON',
      'x'.repeat(5000),
      '__proto__',
      'constructor',
    ];
    const outside = [shop.dir, shop.home].map(filesIn);
    for (const [i, session] of ids.entries()) {
      const file = path.join(shop.dir, 'a.txt');
      const input = { file_path: file, content: `agent ${i}\n` };
      shop.hook('event', session, {
        transcript_path: path.join(shop.home, '.claude', 'projects', 'x', 's.jsonl'),
        hook_event_name: 'PostToolUse',
        tool_name: 'Write',
        tool_use_id: `toolu_x${i}`,
        tool_input: input,
        tool_response: { type: 'create', filePath: file, content: input.content, originalFile: null },
      });
    }
    await shop.work();
    const now = [shop.dir, shop.home].map(filesIn);
    const fresh = now.flatMap((names, i) => names.filter((name) => !outside[i]?.includes(name)));
    expect(fresh.filter((name) => !name.startsWith('.git/agent/'))).toEqual([]);
    expect(fresh.filter((name) => /sessions\/.*\.json$/.test(name)).every((name) => /^[\w./-]+$/.test(name))).toBe(
      true,
    );
    expect(fs.existsSync('/etc/x.agentlog.json')).toBe(false);
  });

  test('paths outside the repository, and links that lead there', async () => {
    const secret = path.join(shop.home, 'secret.txt');
    fs.writeFileSync(secret, 'agent outside\n');
    fs.symlinkSync(shop.home, path.join(shop.dir, 'way-out'));
    fs.symlinkSync(secret, path.join(shop.dir, 'link.txt'));
    for (const [i, file] of [
      secret,
      '../secret.txt',
      path.join(shop.dir, 'way-out', 'secret.txt'),
      `${shop.dir}-other/x`,
    ].entries()) {
      shop.hook('event', 's1', {
        hook_event_name: 'PostToolUse',
        tool_name: 'Write',
        tool_use_id: `toolu_out${i}`,
        tool_input: { file_path: file, content: 'agent outside\n' },
        tool_response: { type: 'create', filePath: file, content: 'agent outside\n', originalFile: null },
      });
    }
    shop.ai('a.txt', 'agent one\n');
    shop.commit();
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('a');
    const timelines = path.join(shop.common, 'agent', 'timelines');
    const stored = filesIn(timelines).filter((name) => name.endsWith('.jsonl'));
    const paths = stored.flatMap(
      (name) => fs.readFileSync(path.join(timelines, name), 'utf8').match(/"path":"[^"]*"/g) ?? [],
    );
    expect(new Set(paths)).toEqual(new Set(['"path":"a.txt"']));
    expect(fs.readFileSync(secret, 'utf8')).toBe('agent outside\n');
  });

  test.each([
    ['spaces and quotes', `it's "here"`],
    ['shell words', '$(touch owned) `touch owned` ; touch owned &'],
    ['a leading dash', '-rf'],
    ['a backslash and a percent sign', '%s\\n'],
  ])('a repository below a folder with %s', async (_, name) => {
    const top = makeFolder('place');
    const dir = path.join(top, name, 'repo');
    fs.mkdirSync(dir, { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: dir });
    const here = new Workshop(dir, shop.home);
    try {
      const { status, stderr } = await here.agent('init', '--agents', 'claude-code');
      expect([status, stderr]).toEqual([0, '']);
      fs.writeFileSync(path.join(dir, '.git', 'agent', 'hooks', 'program'), '/nowhere/node\n/nowhere/git-agent.js\n');
      here.human('a.txt', 'person one\n');
      here.ai('a.txt', 'person one\nagent two\n');
      here.commit();
      expect(await here.blame('a.txt')).toBe('ha');
      await here.work();
      expect(await here.blame('a.txt')).toBe('ha');
      expect(filesIn(top).filter((file) => file.includes('owned') && !file.includes(name))).toEqual([]);
      expect(fs.readdirSync(dir).sort()).toEqual(['.git', 'a.txt']);
    } finally {
      removeFolder(top);
    }
  });
});

test('a repository below a folder with a line end: init refuses, since sh cannot name it', async () => {
  const top = makeFolder('place');
  const dir = path.join(top, 'two\nlines');
  fs.mkdirSync(dir);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: dir });
  const { status, stderr } = await new Workshop(dir, shop.home).agent('init', '--agents', 'claude-code');
  expect([status, stderr.includes('line end')]).toEqual([3, true]);
  expect(fs.existsSync(path.join(dir, '.git', 'agent'))).toBe(false);
  removeFolder(top);
});

test('everything under agent/ is the owner’s alone, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const open = await openWorkshop();
    open.human('a.txt', 'person one\n').commit();
    open.ai('a.txt', 'person one\nagent two\n');
    open.shell('echo agent > b.txt');
    open.commit();
    open.git('commit', '-q', '--amend', '-m', 'amended');
    spawnSync('sh', [path.join(open.common, 'agent', 'hooks', 'agent-hook'), 'claude-code', 'event'], {
      cwd: open.dir,
      input: '{',
    });
    await open.work();
    await open.blame('a.txt');
    const agent = path.join(open.common, 'agent');
    const loose = ['.', ...filesIn(agent)].filter((name) => {
      const found = fs.statSync(path.join(agent, name));
      return (found.mode & 0o077) !== 0;
    });
    open.remove();
    expect(loose).toEqual([]);
  } finally {
    process.umask(before);
  }
});
