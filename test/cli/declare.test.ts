import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('a.ts', 'one\ntwo\n').human('sub/b.ts', 'three\n').commit('start');
});
afterEach(() => shop.remove());

const declare = async (...args: string[]) => {
  const { status, stdout, stderr } = await shop.agent('declare', ...args);
  return { status, said: stdout + stderr };
};

test('a person states an origin where nothing is known, and who said it is kept', async () => {
  expect(await shop.blame('a.ts')).toBe('uu');
  const told = await declare('HEAD', '--human', '--reason', 'typed before we had this');
  expect(told).toEqual({ status: 0, said: '3 lines of 1 commit declared\n' });
  const [line] = (await shop.json('a.ts')).lines;
  expect(line).toMatchObject({ type: 'human', evidence: 'declared', via: 'note' });
  expect(line?.reason).toBe('said by Ada <ada@example.com>: typed before we had this');
});

test('why and show say who said it', async () => {
  await declare('HEAD', 'a.ts', '--human');
  await declare('HEAD', 'sub', '--tool', 'cursor');
  const said = 'as said by Ada <ada@example.com>';
  for (const [verb, place] of [
    ['why', 'a.ts:1'],
    ['why', 'sub/b.ts:1'],
    ['show', 'a.ts:1'],
  ] as const) {
    expect((await shop.agent(verb, place)).stdout.replace(/\s+/g, ' ')).toContain(said);
  }
});

test('an agent with its model, for some files only', async () => {
  await declare('HEAD', 'sub', '--tool', 'codex', '--model', 'openai/gpt-5');
  expect([await shop.blame('a.ts'), await shop.blame('sub/b.ts')]).toEqual(['uu', 'a']);
  expect((await shop.json('sub/b.ts')).lines[0]).toMatchObject({ model: 'openai/gpt-5', tool: { name: 'codex' } });
});

test('a later word corrects an earlier one; saying it twice writes nothing', async () => {
  await declare('--human');
  expect((await declare('--tool', 'aider')).said).toContain('3 lines');
  expect(await shop.blame('a.ts')).toBe('aa');
  const before = shop.git('rev-parse', 'refs/notes/agent/trace');
  expect((await declare('--tool', 'aider')).said).toBe(
    'Nothing to declare: every line has an origin that was seen or said.\n',
  );
  expect(shop.git('rev-parse', 'refs/notes/agent/trace')).toBe(before);
});

test('what was seen stands, and joining again leaves the word alone', async () => {
  shop.remove();
  shop = await openWorkshop();
  shop.human('old.ts', 'was there\n');
  shop.git('add', '-A');
  shop.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'start');
  shop.ai('new.ts', 'by an agent\n');
  shop.commit('agent');
  await declare('HEAD', '--human');
  expect(await shop.blame('new.ts')).toBe('a');
  await shop.agent('join', 'HEAD');
  expect(await shop.blame('new.ts')).toBe('a');
});

test('a word on a commit counts for what became of it, however late it was given', async () => {
  const first = shop.human('c.ts', 'alpha one\nbeta two\ngamma three\n').commit('c');
  shop.git('commit', '-q', '--amend', '-m', 'c2');
  await declare(first, '--human');
  expect(await shop.blame('c.ts')).toBe('hhh');
});

test('a dry run writes nothing; what makes no sense is refused', async () => {
  expect((await declare('--human', '--dry-run')).said).toContain('would be declared; nothing was written');
  expect(() => shop.git('rev-parse', '--verify', '-q', 'refs/notes/agent/trace')).toThrow();
  for (const args of [[], ['--human', '--tool', 'codex'], ['--human', '--model', 'openai/gpt-5'], ['--tool', 'a b']])
    expect((await declare(...args)).status).toBe(2);
  expect((await declare('--tool', 'codex', '--model', 'gpt-5')).said).toContain('provider/model');
  expect((await declare('nowhere', '--human')).status).toBe(2);
});

test('a path, a revision or a reason that is none is a mistake, and nothing is written', async () => {
  shop.human('c.ts', 'four\n').commit('c');
  for (const args of [
    ['HEAD', 'nosuch.ts'],
    ['HEAD', 'HEAD~1'],
    ['HEAD', 'a.ts'],
    ['HEAD', 'c.ts', 'a.ts'],
    ['HEAD', '--reason', ' '],
  ])
    expect([args, (await declare(...args, '--human')).status]).toEqual([args, 2]);
  expect((await declare('HEAD', 'a.ts', '--human')).said).toContain('HEAD adds no line to a.ts');
  expect(await declare('HEAD..HEAD', '--human')).toEqual({
    status: 0,
    said: 'Nothing to declare: no commit of HEAD..HEAD adds a line.\n',
  });
  for (const tool of ['human', 'Unknown']) expect((await declare('--tool', tool)).said).toContain('there is --human');
  expect(() => shop.git('rev-parse', '--verify', '-q', 'refs/notes/agent/trace')).toThrow();
});

test('an earlier word gives way, and it is said whose it was', async () => {
  shop.human('c.ts', 'four\nfive\n').commit('c');
  await declare('--tool', 'cursor', '--reason', 'I saw it \u202edesrever');
  const { said } = await declare('--human', '--dry-run');
  expect(said).toMatch(
    /^2 lines of 1 commit would be declared, 2 of them against an earlier word: ai \(cursor\), said by .*I saw it/,
  );
  expect(said).not.toContain('\u202e');
  expect((await declare('--human')).said).toContain('declared, 2 of them against an earlier word: ai (cursor)');
  expect(await shop.blame('c.ts')).toBe('hh');
});

test('HEAD^ is one commit', async () => {
  shop.human('c.ts', 'four\n').commit('c');
  shop.human('d.ts', 'five\nsix\n').commit('d');
  expect((await declare('HEAD^', '--human')).said).toBe('1 line of 1 commit declared\n');
  expect((await declare('HEAD^!', '--human')).said).toBe('2 lines of 1 commit declared\n');
});

test('secrets and control characters in a reason are not stored', async () => {
  await declare('--human', '--reason', 'key AKIAIOSFODNN7EXAMPLQ \u001b[31mred');
  const note = shop.git('notes', '--ref=agent/trace', 'show', 'HEAD');
  expect(note).not.toContain('AKIAIOSFODNN7EXAMPLQ');
  expect(note).not.toContain('\u001b');
});
