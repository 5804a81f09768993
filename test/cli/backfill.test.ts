import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop({ agents: false });
});
afterEach(() => shop.remove());

/** An agent writes a file, and only its transcript tells. */
function silently(file: string, text: string, session = 's1'): void {
  const full = path.join(shop.dir, file);
  const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
  shop.human(file, text);
  const id = `toolu_${file.replace(/\W/g, '')}_${session}_${text.length}`;
  shop.tell(session, id, 'Write', { file_path: full, content: text });
  const type = before === null ? 'create' : 'update';
  shop.tellResult(session, id, { type, filePath: full, content: text, structuredPatch: [], originalFile: before });
}

const refs = () => shop.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/notes');

describe('backfill, where init was never run', () => {
  beforeEach(() => {
    shop.human('a.ts', 'typed one\ntyped two\n');
    shop.commit('start');
    silently('a.ts', 'typed one\nagent between\ntyped two\n');
    shop.human('h.ts', 'typed beside it\n');
    shop.commit('first');
    silently('b.ts', 'agent alpha\nagent beta\n', 's2');
    shop.human('b.ts', 'agent alpha\nagent beta\ntyped below\n');
    shop.commit('second');
    shop.human('c.ts', 'typed by a person while the session was open\n');
    shop.commit('third');
  });

  test('lines that a session wrote are found again; all others stay unknown', async () => {
    const { status, stdout, stderr } = await shop.agent('backfill');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '2 commits joined\n' });
    expect(stdout).toMatch(/1\/2 {2}claude-code s1 {2}first\n.* 2\/3 {2}claude-code s2 {2}second\n$/);
    expect(await shop.blame('a.ts')).toBe('uau');
    expect(await shop.blame('b.ts')).toBe('aau');
    expect([await shop.blame('h.ts'), await shop.blame('c.ts')]).toEqual(['u', 'u']);
    expect((await shop.json('b.ts')).lines[0]).toMatchObject({ session: 's2', evidence: 'observed', via: 'note' });
    expect((await shop.agent('show', 'b.ts:1')).stdout).toContain('agent alpha');
  });

  test('again changes nothing; a dry run writes nothing', async () => {
    const dry = await shop.agent('backfill', '--dry-run');
    expect(dry.stderr).toBe('2 commits would be joined; nothing was written\n');
    expect(dry.stdout.split('\n')).toHaveLength(3);
    expect(refs()).toBe('');
    expect(fs.existsSync(path.join(shop.common, 'agent'))).toBe(false);
    await shop.agent('backfill');
    const before = refs();
    expect((await shop.agent('backfill')).stderr).toBe('0 commits joined\n');
    expect(refs()).toBe(before);
  });

  test('a range: these commits only', async () => {
    expect((await shop.agent('backfill', 'HEAD~1')).stderr).toBe('1 commit joined\n');
    expect([await shop.blame('b.ts'), await shop.blame('a.ts')]).toEqual(['aau', 'uuu']);
    expect((await shop.agent('backfill', 'HEAD~2..HEAD~2')).stderr).toBe('0 commits joined\n');
    expect((await shop.agent('backfill', 'nowhere')).status).toBe(2);
  });

  test('init afterwards: what was backfilled stays, new work is captured', async () => {
    await shop.agent('backfill');
    await shop.init();
    shop.ai('d.ts', 'agent delta\n', 's3');
    shop.commit('fourth');
    await shop.work();
    expect([await shop.blame('b.ts'), await shop.blame('d.ts')]).toEqual(['aau', 'a']);
  });
});

test.each(['none', 'claude-code'])(
  'init --agents %s after the commits: an edit told in parts is found again, and nobody is called a person',
  async (agents) => {
    shop.human('a.ts', 'typed one\ntyped two\n');
    shop.git('add', '-A');
    shop.gitWith({ GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' }, 'commit', '-q', '-m', 'start');
    const pair = { old_string: 'typed two\n', new_string: 'agent instead\n' };
    shop.human('a.ts', 'typed one\nagent instead\nwho wrote this\n');
    shop.tell('s1', 'toolu_1', 'Edit', { file_path: path.join(shop.dir, 'a.ts'), ...pair });
    shop.tellResult('s1', 'toolu_1', undefined);
    shop.commit('first');
    shop.human('a.ts', 'typed one\nagent instead\n');
    await shop.init(agents);
    expect((await shop.agent('backfill')).stderr).toBe('1 commit joined\n');
    expect(await shop.blame('HEAD', '--', 'a.ts')).toBe('uau');
  },
);

/** What Continue writes down: no times, but for when the session was first saved, and the file's own. */
function continued(saved: number, turns: readonly { prompt: string; file: string; text: string }[], modified: number) {
  const folder = path.join(shop.home, '.continue', 'sessions');
  fs.mkdirSync(folder, { recursive: true });
  const history = turns.flatMap(({ prompt, file, text }, i) => {
    const filepath = path.join(shop.dir, file);
    const call = { toolCallId: `call_${9 - i}`, toolCall: { function: { name: 'Write' } }, status: 'done' };
    const output = [{ content: `Successfully created file: ${filepath}` }];
    const toolCallStates = [{ ...call, parsedArgs: { filepath, content: text }, output }];
    return [
      { message: { role: 'user', content: prompt } },
      { message: { role: 'assistant', content: '' }, toolCallStates },
      { message: { role: 'assistant', content: 'ok' } },
    ];
  });
  const session = { sessionId: 'c1', workspaceDirectory: shop.dir };
  fs.writeFileSync(path.join(folder, 'sessions.json'), JSON.stringify([{ ...session, dateCreated: String(saved) }]));
  fs.writeFileSync(path.join(folder, 'c1.json'), JSON.stringify({ ...session, history }));
  fs.utimesSync(path.join(folder, 'c1.json'), modified / 1000, modified / 1000);
}

test('a session without times that was resumed: what was committed before that is found, each line with its own prompt', async () => {
  const turns = [
    { prompt: 'PROMPT-1', file: 'x.ts', text: 'alpha one\nalpha two\n' },
    { prompt: 'PROMPT-2', file: 'y.ts', text: 'beta one\n' },
  ];
  const begun = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  for (const [i, { file, text }] of turns.entries()) {
    shop.human(file, text);
    shop.git('add', '-A');
    const date = new Date(begun + i * 60_000 + 5000).toISOString();
    shop.gitWith({ GIT_COMMITTER_DATE: date }, 'commit', '-q', '-m', `turn ${i + 1}`);
  }
  continued(begun, turns, begun + 60_000);
  const { stdout } = await shop.agent('backfill');
  expect(stdout).toMatch(/2\/2 {2}continue c1 {2}turn 1\n.* 1\/1 {2}continue c1 {2}turn 2\n$/);
  const shown = async (line: string) => /PROMPT-\d/.exec((await shop.agent('show', line)).stdout)?.[0];
  expect([await shown('x.ts:2'), await shown('y.ts:1')]).toEqual(['PROMPT-1', 'PROMPT-2']);
});

test('where nothing was ever recorded there is nothing to say', async () => {
  shop.human('a.ts', 'typed\n');
  shop.commit();
  expect(await shop.agent('backfill')).toMatchObject({ status: 0, stdout: '', stderr: '0 commits joined\n' });
});
