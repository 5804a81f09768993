import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, Workshop } from '../support/workshop.ts';

/** A clone cannot bring a `.git` along, but anything else that looks like a repository: nothing of it is ever started. */
let shop: Workshop;
let marks: string;
beforeEach(async () => {
  // the user's own, somewhere else: agents' hooks are installed with it
  shop = await openWorkshop();
  shop.human('mine.txt', 'mine\n').commit();
  marks = makeFolder('marks');
});
afterEach(() => {
  fs.rmSync(marks, { recursive: true });
  shop.remove();
});

const mark = (name: string) => `touch ${marks}/${name}`;

/** A git dir as anybody can commit it, with an `agent/` in it and settings that name programs. */
function plantGitDir(dir: string): void {
  shop.git('init', '-q', '--bare', dir);
  fs.mkdirSync(path.join(dir, 'agent', 'hooks'), { recursive: true });
  fs.mkdirSync(path.join(dir, 'agent', 'payloads'));
  const since = { at: 1, agents: ['claude-code'], heads: [], version: 1 };
  fs.writeFileSync(path.join(dir, 'agent', 'since.json'), JSON.stringify(since));
  fs.writeFileSync(path.join(dir, 'agent', 'journal'), `{"fact":"commit","at":1,"commit":"${'1'.repeat(40)}"}\n`);
  fs.writeFileSync(path.join(dir, 'agent', 'hooks', 'wake'), `${mark('wake')}\n`);
  for (const folder of ['refs', 'objects', 'agent/payloads']) fs.writeFileSync(path.join(dir, folder, '.keep'), '');
  const config = path.join(dir, 'config');
  shop.git('config', '-f', config, 'filter.x.clean', `${mark('filter')}; cat`);
  shop.git('config', '-f', config, 'core.fsmonitor', `${mark('fsmonitor')}; false`);
}

/** Commits what was planted in a repository of somebody's and clones it. */
function cloneOf(plant: (sub: string) => void): Workshop {
  const theirs = fs.mkdtempSync(path.join(shop.home, 'theirs-'));
  shop.git('init', '-q', theirs);
  const sub = path.join(theirs, 'sub');
  fs.mkdirSync(sub);
  fs.writeFileSync(path.join(sub, '.gitattributes'), '*.txt filter=x\n');
  fs.writeFileSync(path.join(sub, 'x.txt'), 'hi\n');
  plant(sub);
  const there = new Workshop(theirs, shop.home);
  there.git('add', '-A', '-f');
  there.git('commit', '-qm', 'planted');
  const clone = fs.mkdtempSync(path.join(shop.home, 'clone-'));
  shop.git('clone', '-q', theirs, clone);
  return new Workshop(path.join(clone, 'sub'), shop.home);
}

function workAsAgent(clone: Workshop): void {
  const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'true' } };
  clone.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
  clone.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: '' } });
  clone.hook('end', 's1', { hook_event_name: 'Stop' });
  spawnSync('sleep', ['0.5']); // what was started in the background
}

test('a workspace of jj that names a git dir of the clone', async () => {
  const clone = cloneOf((sub) => {
    plantGitDir(path.join(sub, 'evil'));
    fs.mkdirSync(path.join(sub, '.jj', 'repo', 'store'), { recursive: true });
    fs.writeFileSync(path.join(sub, '.jj', 'repo', 'store', 'git_target'), '../../../evil');
  });
  workAsAgent(clone);
  const asked = [await clone.agent('diff'), await clone.agent('why', 'x.txt:1'), await clone.agent('status')];
  expect(asked.map(({ stderr }) => stderr).join('')).not.toContain('evil');
  // what the clone itself says counts
  expect((await clone.json('x.txt')).lines.map(({ text }) => text)).toEqual(['hi']);
  expect(fs.readdirSync(marks)).toEqual([]);
});

test('a folder that is a git dir itself', () => {
  const clone = cloneOf((sub) => {
    plantGitDir(sub);
    shop.git('config', '-f', path.join(sub, 'config'), 'core.bare', 'false');
    shop.git('config', '-f', path.join(sub, 'config'), 'core.worktree', '.');
  });
  workAsAgent(clone);
  expect(fs.readdirSync(marks)).toEqual([]);
});

test('a repository that was moved is still the user’s own', async () => {
  const moved = `${shop.dir}-moved`;
  fs.renameSync(shop.dir, moved);
  const there = new Workshop(moved, shop.home);
  there.ai('mine.txt', 'mine\nagent writes\n');
  there.commit();
  expect(await there.blame('mine.txt')).toBe('ha');
  there.remove();
});
