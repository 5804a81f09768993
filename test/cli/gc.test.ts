import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { inWorld, type Outcome } from './program.ts';

const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

const DAY = 86_400_000;

/** `git agent gc` so many days from now. */
function later(shop: Workshop, days: number, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, HOME: shop.home };
  return inWorld(agent, shop.dir, ['gc', ...args], { home: shop.home, env, now: () => Date.now() + days * DAY });
}

/** What s1 wrote is committed and has a note; what s2 wrote stands in the work tree; s3 only talked and ran a command. */
async function story(): Promise<Workshop> {
  const shop = await openWorkshop();
  shops.push(shop);
  shop.prompt('one');
  shop.ai('a.ts', 'kept by the note\n');
  shop.commit('first');
  shop.prompt('two', 's2');
  shop.ai('b.ts', 'nobody refers to this\n', 's2');
  shop.prompt('three', 's3');
  shop.shell('cat b.ts', 's3');
  return shop;
}

const inStore = (shop: Workshop, ...parts: string[]) => path.join(shop.common, 'agent', ...parts);
const sessions = (shop: Workshop) =>
  fs.readdirSync(inStore(shop, 'sessions', 'claude-code')).map((name) => name.replace('.agentlog.json', ''));
const facts = (shop: Workshop) =>
  fs
    .readFileSync(inStore(shop, 'journal'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).fact);

/** Every byte of the store, but for the lock's own comings and goings and what readers cache. */
function bytesOf(shop: Workshop): Map<string, string> {
  const all = fs.readdirSync(inStore(shop), { recursive: true, withFileTypes: true });
  return new Map(
    all
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('/cache/'))
      .map((file) => [file, fs.readFileSync(file, 'latin1')]),
  );
}

/** Whether a text stands in the pack. */
async function holds(shop: Workshop, text: string): Promise<boolean> {
  const { openTexts } = await import('../../src/sessions/texts.ts');
  const { hashBlob } = await import('../../src/git/objects.ts');
  const store = { dir: inStore(shop), format: 'sha1' as const };
  return openTexts(store)(hashBlob('sha1', Buffer.from(text)))?.toString() === text;
}

describe('git agent gc', () => {
  it('removes what is older and no note refers to; what a note refers to stays', async () => {
    const shop = await story();
    const young = await later(shop, 100);
    expect(young).toMatchObject({ status: 0, stderr: 'Nothing older than 12 months is to be removed.\n' });
    expect(sessions(shop)).toEqual(['s1', 's2', 's3']);
    const note = shop.git('rev-parse', 'refs/notes/agent/trace');
    const { status, stdout, stderr } = await later(shop, 400);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(
      /^Removed what is older than 12 months: 2 sessions, 1 text, 1 edit, 1 command, 7 facts; [\d.]+ kB freed; 1 session as old stays: notes refer to them\.\n$/,
    );
    expect(sessions(shop)).toEqual(['s1']);
    expect(shop.git('rev-parse', 'refs/notes/agent/trace')).toBe(note);
    expect([await holds(shop, 'kept by the note\n'), await holds(shop, 'nobody refers to this\n')]).toEqual([
      true,
      false,
    ]);
    expect([...bytesOf(shop).values()].join('')).not.toContain('cat b.ts');
    expect(await shop.blame('a.ts')).toBe('a');
    // nobody can tell any more what the agent wrote; that it wrote stays known
    shop.commit('what s2 left');
    expect((await shop.json('b.ts')).lines).toMatchObject([
      { type: 'unknown', reason: expect.stringContaining('not kept') },
    ]);
    expect((await later(shop, 400)).stderr).toMatch(/^Nothing older than 12 months is to be removed; 1 session/);
  });

  it('goes on recording afterwards, and joins what comes then', async () => {
    const shop = await story();
    await later(shop, 400);
    // the commit's fact is about a commit that has a note
    expect(facts(shop)).toEqual(['commit']);
    const { journal } = JSON.parse(fs.readFileSync(inStore(shop, 'state.json'), 'utf8'));
    expect(journal).toBe(fs.statSync(inStore(shop, 'journal')).size);
    shop.ai('c.ts', 'new\nlines\n', 's4');
    shop.commit('second');
    expect(await shop.blame('c.ts')).toBe('aa');
    await shop.work();
    expect(shop.notes().map(({ tool }) => tool.name)).toContain('claude-code');
    expect(sessions(shop)).toEqual(['s1', 's4']);
  });

  it('a dry run says the same and writes nothing, also of what is still pending', async () => {
    const shop = await story();
    const before = bytesOf(shop);
    const pending = await later(shop, 400, '--dry-run');
    expect(pending).toMatchObject({ status: 0, stdout: '' });
    expect(bytesOf(shop)).toEqual(before);
    await shop.work();
    const worked = bytesOf(shop);
    const { stdout, stderr } = await later(shop, 400, '-n');
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d {2}claude-code {2}s2\n\d{4}-\d\d-\d\d {2}claude-code {2}s3\n$/);
    expect(bytesOf(shop)).toEqual(worked);
    const { stderr: done } = await later(shop, 400);
    expect(stderr.replace('Would remove', 'Removed').replace('would be freed', 'freed')).toBe(done);
  });

  it('keeps what a note of a remote refers to, in whatever way', async () => {
    const shop = await story();
    await shop.work();
    const link = { note: 'of nobody we know', see: ['https://example.com/talks/s2?step=1'] };
    shop.git('notes', '--ref=refs/notes/origin/agent/log', 'add', '-m', JSON.stringify(link), 'HEAD');
    await later(shop, 400);
    expect(sessions(shop)).toEqual(['s1', 's2']);
    expect(await holds(shop, 'nobody refers to this\n')).toBe(true);
  });

  it('is set by agent.retention', async () => {
    const shop = await story();
    const set = (value: string) => shop.git('config', 'agent.retention', value);
    set('never');
    expect((await later(shop, 9999)).stderr).toBe('agent.retention is never: everything is kept.\n');
    set('2 weeks');
    expect((await later(shop, 13)).stderr).toMatch(/^Nothing older than 2 weeks/);
    expect((await later(shop, 15)).stderr).toMatch(/^Removed what is older than 2 weeks: 2 sessions/);
    set('a while');
    expect(await later(shop, 9999)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be "a while"'),
    });
    const { stdout } = await shop.agent('config', '--list');
    expect(stdout).toContain('agent.retention=a while\n    default: 12 months; ');
    expect((await shop.agent('config', 'retention', '0 days')).status).toBe(2);
    expect((await shop.agent('config', 'retention', '90 days')).status).toBe(0);
  });

  it('leaves alone what it cannot read, and a repository without a store', async () => {
    const shop = await story();
    await shop.work();
    fs.writeFileSync(inStore(shop, 'sessions', 'claude-code', 's2.agentlog.json'), '{"torn');
    expect((await later(shop, 400)).stderr).toContain('1 file of sessions cannot be read and stays');
    expect(sessions(shop)).toEqual(['s1', 's2']);
    expect(await holds(shop, 'nobody refers to this\n')).toBe(true);
    const bare = await openWorkshop({ agents: false });
    shops.push(bare);
    expect((await later(bare, 400)).stderr).toBe('Nothing is recorded here.\n');
    expect(fs.existsSync(path.join(bare.common, 'agent'))).toBe(false);
  });

  it('takes up what a killed one left', async () => {
    const shop = await story();
    await shop.work();
    const journal = inStore(shop, 'journal');
    const size = fs.statSync(journal).size;
    // killed after the new journal was in place: a hook that had the old one open has told of a commit there
    shop.human('d.ts', 'typed\n');
    const id = shop.commit('told late');
    const late = fs.readFileSync(journal);
    fs.writeFileSync(path.join(path.dirname(journal), `.journal.old-${size}`), late);
    fs.writeFileSync(journal, '');
    fs.writeFileSync(inStore(shop, 'texts', 'pack-due'), '');
    expect((await later(shop, 400)).status).toBe(0);
    expect(fs.readFileSync(journal, 'utf8')).toContain(id);
    expect(fs.readdirSync(inStore(shop)).filter((name) => name.includes('.old-'))).toEqual([]);
    expect(fs.existsSync(inStore(shop, 'texts', 'pack-due'))).toBe(false);
    expect(await shop.blame('d.ts')).toBe('h');
    expect(await shop.blame('a.ts')).toBe('a');
  });
});
