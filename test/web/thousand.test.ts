import fs from 'node:fs';
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blame as blameCommand } from '../../src/commands/blame.ts';
import { blame, readTraces } from '../../src/web/index.ts';
import { inWorld } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { type GitServer, serveGit } from './server.ts';
import { COUNT, FILE, isCorrected, LINES, makeThousand, type Thousand } from './thousand.ts';

let thousand: Thousand;
/** What the program says. */
let said: { lines: unknown[]; summary: unknown };
const folders: string[] = [];
let server: GitServer;

beforeAll(async () => {
  thousand = makeThousand();
  const { dir } = thousand.repository;
  folders.push(dir);
  const { stdout } = await inWorld(blameCommand, dir, ['--json', 'HEAD', '--', FILE]);
  said = JSON.parse(stdout);
  server = await serveGit(dir);
});

afterAll(async () => {
  await server.close();
  for (const folder of folders) removeFolder(folder);
});

describe('a thousand notes', () => {
  it('lie in folders that isomorphic-git itself does not look into', async () => {
    const { dir, git: run } = thousand.repository;
    expect(run('ls-tree', 'refs/notes/agent/trace').split('\n')[0]).toContain(' tree ');
    expect(run('ls-tree', '-r', '--name-only', 'refs/notes/origin/agent/trace')).toMatch(/^..\/..\/.{36}$/m);
    expect(await git.listNotes({ fs, dir, ref: 'refs/notes/agent/trace' })).not.toHaveLength(COUNT);
  });

  it('are all read, of both refs, each record once', async () => {
    const { dir } = thousand.repository;
    const { records, foreign, skipped } = await readTraces({ fs, dir });
    expect([...records.keys()]).toEqual([...thousand.commits].sort());
    const counts = thousand.commits.map((commit) => records.get(commit)?.length);
    expect(counts).toEqual(thousand.commits.map((_, i) => (isCorrected(i) ? 2 : 1)));
    // a line that is no record beside one: it is passed over, and the note counted
    expect({ foreign, skipped }).toEqual({ foreign: COUNT / 4, skipped: COUNT / 4 });
  });

  it('are read for single commits, by way of the folders that lead there; others have none', async () => {
    const { dir } = thousand.repository;
    const asked = [thousand.commits[12] ?? '', thousand.commits[13] ?? '', 'f'.repeat(40), 'no id'];
    const refs = ['refs/notes/agent/trace', 'refs/notes/nothing'];
    const { records } = await readTraces({ fs, gitdir: `${dir}/.git`, commits: asked, refs });
    expect([...records.keys()].sort()).toEqual(asked.slice(0, 2).sort());
    expect(records.get(asked[0] ?? '')).toHaveLength(1);
  });

  it('give the lines that git agent-blame --json gives', async () => {
    const { dir } = thousand.repository;
    const { lines, summary, revision } = await blame({ fs, dir, file: FILE });
    expect(lines).toHaveLength(LINES);
    expect(lines).toEqual(said.lines);
    expect(summary).toEqual(said.summary);
    const human = Array.from({ length: LINES }, (_, n) => isCorrected(10 * n)).filter(Boolean).length;
    expect(summary).toEqual({ total: LINES, ai: LINES - human, human, mixed: 0, unknown: 0 });
    expect(revision).toBe(thousand.commits.at(-1));
  });

  it('give them over http too, in a clone that isomorphic-git fetched', async () => {
    const dir = makeFolder('clone');
    folders.push(dir);
    const place = { fs, dir };
    await git.init(place);
    await git.addRemote({ ...place, remote: 'origin', url: `${server.url}/.git` });
    const notes = '+refs/notes/agent/*:refs/notes/origin/agent/*';
    await git.setConfig({ ...place, path: 'remote.origin.fetch', value: notes, append: true });
    await git.fetch({ ...place, http, remote: 'origin' });
    await git.fetch({ ...place, http, remote: 'origin', ref: 'refs/notes/agent/trace', singleBranch: true });
    const cache = {};
    const { records } = await readTraces({ ...place, cache });
    expect([...records.keys()]).toEqual([...thousand.commits].sort());
    const { lines } = await blame({ ...place, cache, file: FILE, ref: 'origin/main' });
    expect(lines.map(({ commit }) => commit)).toEqual(thousand.commits.filter((_, i) => i % 10 === 0));
    // of the server's notes its own were fetched, not those that it had fetched itself: nobody there was corrected
    expect(lines.every(({ type, via }) => type === 'ai' && via === 'note')).toBe(true);
    const uncorrected = (some: readonly unknown[]) => some.filter((_, n) => !isCorrected(10 * n));
    expect(uncorrected(lines)).toEqual(uncorrected(said.lines));
  });
});
