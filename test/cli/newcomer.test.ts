// A new user's path, timed: from the package to the first painted line, with nothing to go by but the README's first screen and what the
// program itself says.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** What `npm pack` needs; the packages that are bundled are linked to. */
const SOURCES = ['src', 'git-hooks', 'man', 'package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const BUILD = ['build', 'tsconfig.json', 'tsconfig.lib.json'];
/** Loose: the machine may be doing other things. A minute is what a newcomer gives us. */
const PATIENCE = 60_000;

interface Claude {
  prompt(text: string): void;
  say(text: string): void;
  write(id: string, file: string, content: string): void;
  end(): void;
}

let root: string;
let env: NodeJS.ProcessEnv;
let tarball: string;
const at = (...names: string[]) => path.join(root, ...names);

beforeAll(() => {
  root = makeFolder('newcomer');
  for (const name of ['tree', 'home/.claude', 'prefix', 'tmp', 'work']) fs.mkdirSync(at(name), { recursive: true });
  fs.writeFileSync(at('home/.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  const { GIT_CONFIG_GLOBAL: _, ...pinned } = process.env;
  env = {
    ...Object.fromEntries(Object.entries(pinned).filter(([name]) => !/^npm_/i.test(name))),
    HOME: at('home'),
    TMPDIR: at('tmp'),
    PATH: `${at('prefix/bin')}${path.delimiter}${process.env.PATH}`,
    // where no network is, npm would wait for it
    npm_config_prefix: at('prefix'),
    npm_config_cache: at('cache'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  for (const name of [...SOURCES, ...BUILD]) fs.cpSync(path.join(ROOT, name), at('tree', name), { recursive: true });
  fs.symlinkSync(path.join(ROOT, 'node_modules'), at('tree/node_modules'));
  tarball = at('tree', must('npm pack --silent', at('tree')).trim());
});

afterAll(() => removeFolder(root));

function run(command: string, cwd = at('work')) {
  return spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
}

function must(command: string, cwd = at('work')): string {
  const { status, stdout, stderr } = run(command, cwd);
  expect([command, status, stderr]).toEqual([command, 0, expect.any(String)]);
  return stdout;
}

/** The commands that the README begins with. */
function firstCommands(): readonly string[] {
  const screen = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n').slice(0, 40).join('\n');
  const block = /```\w*\n(npm install -g [^`]*)```/.exec(screen)?.[1] ?? '';
  return block.trim().split('\n');
}

async function openClaude(): Promise<Claude> {
  const { openClaude: open } = await import(pathToFileURL(path.join(ROOT, 'bench', 'claude.mjs')).href);
  const write = (file: string, text: string) => fs.writeFileSync(at('work', file), text);
  const session = { session: '7c0de5e5-0000-4000-8000-000000000001', version: '2.1.197' };
  return open({ home: at('home'), dir: at('work'), env, write }, { ...session, model: 'claude-opus-4-5-20251101' });
}

/** Names each stretch of the way, with its time. */
function stopwatch() {
  const begun = performance.now();
  const steps: string[] = [];
  let last = begun;
  const lap = (name: string) => {
    const now = performance.now();
    steps.push(`${name} ${((now - last) / 1000).toFixed(1)} s`);
    last = now;
  };
  return { lap, steps, whole: () => performance.now() - begun };
}

/** What `init` says where there is no repository, and where there is one; gives the command that it points to. */
function setUp(init: string): string {
  const early = run(init);
  expect([early.status, early.stdout]).toEqual([3, '']);
  expect(early.stderr).toMatch(/not inside a git repository: .*git init/);
  must('git init -q -b main');
  const told = must(init);
  expect(told).toMatch(/^git \d+\.\d+.*; agents found: claude-code\.$/m);
  expect(told).toContain(`${at('home/.claude/settings.json')}: hooks for claude-code`);
  expect(run('git status --porcelain').stdout).toBe('');
  return /^Next: work and commit as always, then (git agent-blame) FILE\./m.exec(told)?.[1] ?? '';
}

describe('a newcomer', () => {
  it('comes from the README to the first painted line, and is told each next step', async () => {
    const [install = '', init = '', ...rest] = firstCommands();
    expect(rest).toEqual([]);
    const watch = stopwatch();
    must(install.replace(/git-agent-blame$/, tarball));
    expect(fs.readdirSync(at('prefix/lib/node_modules'))).toEqual(['git-agent-blame']);
    watch.lap('install');

    const next = setUp(init);
    watch.lap('init');

    const claude = await openClaude();
    claude.prompt('Greet the world.');
    claude.say('A greeting it is.');
    claude.write('toolu_1', 'hello.js', "export const hello = 'world';\nconsole.log(hello);\n");
    claude.end();
    fs.appendFileSync(at('work/hello.js'), '// by hand\n');
    expect(must(`git add -A && git commit -q -m 'a greeting'`)).toBe('');
    watch.lap('edit and commit');

    const painted = must(`${next} hello.js`).trimEnd().split('\n');
    expect(painted).toHaveLength(4);
    expect(painted[0]).toMatch(/ A \(claude-code claude-opus-4-5 .* 1\) export const hello = 'world';$/);
    expect(painted[1]).toMatch(/ A \(claude-code claude-opus-4-5 .* 2\) console/);
    expect(painted[2]).toMatch(/ H \(Ada .* 3\) \/\/ by hand$/);
    expect(painted[3]).toBe('3 lines: A ai 2 (67%), H human 1 (33%), M mixed 0, ? unknown 0');
    watch.lap('first painted line');
    console.log(`a newcomer's path: ${(watch.whole() / 1000).toFixed(1)} s (${watch.steps.join(', ')})`);
    expect(watch.whole()).toBeLessThan(PATIENCE);
  });

  it('is told what to do next by every answer after that', () => {
    expect(must('git agent init')).toMatch(/Nothing to change.*\nNext: git agent status /s);
    expect(must('git agent why hello.js:1')).toMatch(/Greet the world\.[\s\S]*git agent show /);
    expect(must('git agent doctor')).not.toMatch(/^(warn|fail) /m);
    const unknown = run('git agent init --agents clod');
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringMatching(/there is for: claude-code, /)]);
    expect(must('git agent init --help')).toMatch(/^Agents: .*\bclaude-code\b/m);
  });

  it('can leave, and finds everything as it was', () => {
    must('git agent deinit --purge');
    expect(fs.existsSync(at('home/.claude/settings.json'))).toBe(false);
    expect(fs.existsSync(at('work/.git/agent'))).toBe(false);
  });
});
