import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hashBlob } from '../../src/git/objects.ts';
import { replaceRef } from '../../src/notes/exchange/transport.ts';
import { openTexts } from '../../src/sessions/texts.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const made: (Workshop | TestRepository)[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

/** s-one wrote a.ts, which is committed; s-two wrote b.ts, part of which s-one had written as well. */
async function story(): Promise<{ ada: Workshop; hub: TestRepository }> {
  const hub = makeRepository({ bare: true });
  const ada = await openWorkshop();
  made.push(hub, ada);
  ada.git('remote', 'add', 'origin', hub.dir);
  ada.prompt('a private matter', 's-one');
  ada.ai('a.ts', 'written by one\n', 's-one');
  ada.ai('b.ts', 'written by both\n', 's-one');
  ada.prompt('another matter', 's-two');
  ada.ai('c.ts', 'written by both\n', 's-two');
  ada.shell('touch d.ts', 's-one');
  ada.commit('first');
  return { ada, hub };
}

/** Everything that the store holds, transcripts of the agent left out. */
function storeText(shop: Workshop): string {
  const folder = `${shop.common}/agent`;
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => fs.readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8')).join('\n');
}

const holds = (shop: Workshop, text: string) =>
  openTexts({ dir: `${shop.common}/agent`, format: 'sha1' })(hashBlob('sha1', Buffer.from(text)))?.toString() === text;

/** Whether any ref leads to an object with these words in it. */
function reaches(git: (...args: string[]) => string, words: string): boolean {
  const ids = git('rev-list', '--objects', '--no-object-names', '--all').split('\n');
  return ids.some((id) => git('cat-file', '-t', id) === 'blob' && git('cat-file', '-p', id).includes(words));
}

describe('git agent forget', () => {
  it('removes the conversation and the texts that no other session needs; notes and blame stay', async () => {
    const { ada } = await story();
    await ada.work();
    const note = ada.git('rev-parse', 'refs/notes/agent/trace');
    const before = storeText(ada);
    const dry = await ada.agent('forget', 's-one', '--dry-run');
    expect(dry.stderr).toMatch(/^Would remove of s-one: its conversation, 2 texts, 1 command\. Notes stay/);
    expect(storeText(ada)).toBe(before);
    const { status, stderr } = await ada.agent('forget', 's-one');
    expect([status, stderr.split('\n')[0]]).toEqual([0, dry.stderr.split('\n')[0]?.replace('Would remove', 'Removed')]);
    expect(stderr).toContain("the agent's own transcript is not touched");
    expect(storeText(ada)).not.toMatch(/a private matter|touch d\.ts/);
    expect([holds(ada, 'written by one\n'), holds(ada, 'written by both\n')]).toEqual([false, true]);
    expect(ada.git('rev-parse', 'refs/notes/agent/trace')).toBe(note);
    expect([await ada.blame('a.ts'), await ada.blame('c.ts')]).toEqual(['a', 'a']);
    expect((await ada.agent('show', 's-two')).stdout).toContain('another matter');
    expect((await ada.agent('show', 's-one')).status).toBe(2);
  });

  it('the transcript that is still there, and a session that goes on, do not bring it back', async () => {
    const { ada } = await story();
    expect((await ada.agent('forget', 's-on')).status).toBe(0);
    ada.prompt('a matter of later', 's-one');
    ada.ai('e.ts', 'later\n', 's-one');
    ada.commit('second');
    expect(await ada.blame('e.ts')).toBe('a');
    await ada.work();
    expect((await ada.agent('sessions')).stdout).not.toContain('s-one');
    await ada.agent('backfill');
    expect((await ada.agent('show', 's-one')).status).toBe(2);
    expect(storeText(ada)).not.toMatch(/a private matter|a matter of later/);
  });

  it('says what it does not know, and what is pending in a dry run', async () => {
    const { ada } = await story();
    expect((await ada.agent('forget', 's-one', '-n')).stderr).toMatch(/^Would remove of s-one: its conversation/);
    expect(await ada.agent('forget', 'nobody')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('neither recorded here nor shared'),
    });
    // a variable that was empty, a slip of the hand
    for (const short of ['', 's', 's-o'])
      expect(await ada.agent('forget', short)).toMatchObject({
        status: 2,
        stderr: `git agent: "${short}" is too short: git agent sessions lists their ids.\n`,
      });
    expect((await ada.agent('forget', 's-one', '-n')).stderr).toMatch(/^Would remove of s-one: its conversation/);
  });

  it('takes a shared session off the remote, so that no ref leads to it, and no union brings it back', async () => {
    const { ada, hub } = await story();
    await ada.agent('share', '--all');
    await ada.agent('push');
    // a second place that has shared the same session
    const copy = await openWorkshop();
    made.push(copy);
    copy.git('remote', 'add', 'origin', hub.dir);
    copy.git('fetch', '-q', hub.dir, 'refs/agent/sessions:refs/agent/sessions');
    expect(reaches(hub.git, 'a private matter')).toBe(true);
    const dry = await ada.agent('forget', 's-one', '--remote', 'origin', '-n');
    expect(dry.stderr).toContain('Would remove it from origin.\n');
    expect(reaches(hub.git, 'a private matter')).toBe(true);
    const { status, stderr } = await ada.agent('forget', 's-one', '--remote', 'origin');
    expect(status).toBe(0);
    expect(stderr).toContain('Removed it from origin.\n');
    expect(stderr).toContain('a forge may keep unreachable objects');
    for (const place of [hub, ada]) {
      expect(reaches((...args) => place.git(...args), 'a private matter')).toBe(false);
      expect(reaches((...args) => place.git(...args), 'another matter')).toBe(true);
    }
    expect(hub.git('ls-tree', '-r', '--name-only', 'refs/agent/sessions').split('\n')).toEqual([
      'claude-code/s-one.forgotten',
      'claude-code/s-two.agentlog.json',
    ]);
    await copy.agent('sync');
    await ada.agent('sync');
    expect(reaches(hub.git, 'a private matter')).toBe(false);
    expect((await copy.agent('show', 's-one')).status).toBe(2);
    expect((await copy.agent('show', 's-two')).stdout).toContain('another matter');
    expect((await ada.agent('forget', 's-one', '--remote', 'origin')).status).toBe(2);
  });

  it('without --remote it is hidden here, and who still has it is named', async () => {
    const { ada, hub } = await story();
    await ada.agent('share', '--all');
    await ada.agent('push');
    const { stderr } = await ada.agent('forget', 's-one');
    expect(stderr).toContain('its copy in refs/agent/sessions with the history of that ref');
    expect(stderr).toContain('origin still has it: git agent forget s-one --remote origin\n');
    expect((await ada.agent('show', 's-one')).status).toBe(2);
    expect(reaches(hub.git, 'a private matter')).toBe(true);
    expect((await ada.agent('forget', 's-one', '--remote', 'origin')).status).toBe(0);
    expect(reaches(hub.git, 'a private matter')).toBe(false);
  });

  it('only replaces the history that it has seen', async () => {
    const { ada, hub } = await story();
    await ada.agent('share', 's-one');
    await ada.agent('push');
    const [tip, note] = [hub.git('rev-parse', 'refs/agent/sessions'), hub.git('rev-parse', 'refs/notes/agent/trace')];
    const peer = { name: hub.dir, refs: 'refs/agent/passing/x/', passing: true };
    const ref = 'refs/agent/sessions';
    expect(await replaceRef({ cwd: ada.dir }, peer, { ref, from: note, to: note })).toMatchObject({ kind: 'moved' });
    expect(hub.git('rev-parse', ref)).toBe(tip);
  });

  it('a remote that takes no other history refuses, and is quoted', async () => {
    const { ada, hub } = await story();
    await ada.agent('share', 's-one');
    await ada.agent('push');
    fs.writeFileSync(`${hub.dir}/hooks/update`, '#!/bin/sh\necho protected >&2\nexit 1\n', { mode: 0o755 });
    const { status, stderr } = await ada.agent('forget', 's-one', '--remote', 'origin');
    expect(status).toBe(1);
    expect(stderr).toContain('origin does not take refs/agent/sessions: (hook declined); protected');
    expect(stderr).toMatch(/^Removed of s-one: its conversation/);
    expect((await ada.agent('show', 's-one')).status).toBe(2);
  });

  it('looks at the remote before it removes anything here: a slip loses nothing', async () => {
    const { ada } = await story();
    await ada.work();
    ada.git('remote', 'add', 'gone', `${ada.dir}/nowhere`);
    for (const [remote, message] of [
      ['typo', /^git agent: typo is no remote of this repository, .* git remote -v lists\.\n$/],
      ['gone', /^git agent: The notes of gone could not be listed: .*; git remote -v shows .*\n$/],
    ] as const) {
      const { status, stderr } = await ada.agent('forget', 's-one', '--remote', remote);
      expect([status > 0, stderr]).toEqual([true, expect.stringMatching(message)]);
    }
    expect(storeText(ada)).toContain('a private matter');
    const { stdout } = await ada.agent('show', '--json', 's-one');
    expect(JSON.parse(stdout).project.name).toBe(path.basename(ada.dir));
  });
});
