import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPrograms, call, type Programs } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

/** Names come with clones, and our own messages repeat them: of a file, of the folder itself. */
const FILE = 'ev\x1b]0;PWN\x07\x1b[31m.json';
const FOLDER = 'rep\u202e\x1b[31mo';

let root: string;
let repo: string;
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
  root = makeFolder('words');
  repo = path.join(root, FOLDER);
  fs.mkdirSync(path.join(root, 'home'));
  spawnSync('git', ['init', '-q', repo]);
  fs.writeFileSync(path.join(repo, FILE), '{"a":1}\n');
  spawnSync('git', ['add', '-A'], { cwd: repo });
  spawnSync('git', ['commit', '-qm', 'x'], { cwd: repo });
});
afterAll(() => {
  removeFolder(root);
  programs.remove();
});

function said(words: readonly string[], cwd = repo): string {
  const { stdout, stderr } = call(programs, cwd, ['git', 'agent', ...words], { HOME: path.join(root, 'home') });
  return stdout + stderr;
}

/** What a terminal would obey, or show backwards. */
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

test.each([
  ['init'],
  ['doctor'],
  ['show', FILE],
  ['seal', FILE],
  ['export', FILE],
  ['fetch', FILE],
  ['config', FILE],
  ['completion', FILE],
  ['serve', '--port', FILE],
  ['validate', `${FILE}x`],
  ['blame', '-i', FILE],
  ['why', FILE],
  [FILE],
  ['status', `--${FILE}`],
  ['deinit'],
])('git agent %j', (...words) => {
  const text = said(words);
  expect(text).not.toBe('');
  expect(text).not.toMatch(RAW);
});

test('outside of any repository', () => {
  const outside = path.join(root, `${FOLDER}2`);
  fs.mkdirSync(outside);
  const text = said(['verify'], outside);
  expect(text).toMatch(/is not inside a git repository: go into one, or make one with git init\.\n$/);
  expect(text).not.toMatch(RAW);
});
