import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { ownRealm } from '../../src/git/realm.ts';
import { makeTemporary } from '../../src/git/temporary.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, makeRepository } from '../support/repository.ts';

const PROGRAM = path.join(process.env.TEST_PROGRAMS ?? '', 'git-agent.js');
const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of made.splice(0)) removeFolder(folder);
});

function temporary(): string {
  const folder = makeFolder('temporary');
  made.push(folder);
  vi.stubEnv('TMPDIR', folder);
  return folder;
}

test('what a report that was killed left among the temporary files goes with the next one', async () => {
  const repository = makeRepository();
  made.push(repository.dir);
  for (let i = 0; i < 150; i++) repository.write(`${i}.txt`, `line ${i}\n`);
  repository.commit('many files');
  const folder = temporary();
  const args = [PROGRAM, 'report', '--standing'];
  const options = { cwd: repository.dir, env: { ...process.env, TMPDIR: folder } };
  const killed = spawn(process.execPath, args, { ...options, stdio: 'ignore' });
  const gone = new Promise((resolve) => killed.once('exit', resolve));
  while (fs.readdirSync(folder).length === 0 && killed.exitCode === null) await sleep(1);
  killed.kill('SIGKILL');
  await gone;
  expect(fs.readdirSync(folder)).toHaveLength(1);
  expect(spawnSync(process.execPath, args, options).status).toBe(0);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('what is in use stays, and what is not ours', () => {
  const folder = temporary();
  const space = /\d+/.exec(ownRealm().space)?.[0] ?? '0';
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const old = new Date(Date.now() - 2 * 86_400_000);
  const make = (name: string, at = new Date()) => {
    fs.mkdirSync(path.join(folder, name));
    fs.writeFileSync(path.join(folder, name, 'in it'), '');
    fs.utimesSync(path.join(folder, name), at, at);
    return name;
  };
  const stays = [
    make(`git-agent-graph.${process.pid}.${space}.abcdef`, old),
    // another container has processes of the same numbers: only time tells
    make(`git-agent-graph.${pid}.17.abcdef`),
    make(`git-agent-graph.${pid}.${space}.abcdef.txt`, old),
    make(`git-agent-${pid}`, old),
  ];
  fs.writeFileSync(path.join(folder, `git-agent-graph.${pid}.${space}.AAAAAA`), 'no folder');
  fs.symlinkSync(make('elsewhere'), path.join(folder, `git-agent-graph.${pid}.${space}.BBBBBB`));
  make(`git-agent-graph.${pid}.${space}.abcdef`);
  make(`git-agent-db.${pid}.${space}.abcdef`);
  make(`git-agent-graph.${pid}.18.abcdef`, old);
  const own = path.basename(makeTemporary('graph'));
  const kept = [`git-agent-graph.${pid}.${space}.AAAAAA`, `git-agent-graph.${pid}.${space}.BBBBBB`, 'elsewhere'];
  expect(fs.readdirSync(folder).sort()).toEqual([...stays, ...kept, own].sort());
  expect(fs.readdirSync(path.join(folder, 'elsewhere'))).toEqual(['in it']);
});
