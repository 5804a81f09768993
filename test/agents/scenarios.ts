import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ownScript, rehearsalScript, type Stage } from './rehearsal.ts';

/**
 * What a person and the agent do, and whose each line then is: `h`uman, `u`nknown, `m`ixed, or the number of the tool call. A shell's
 * and a person's lines are given as hooks show them; from transcripts alone they are unknown.
 */
export const SCENARIOS: readonly (readonly [string, (stage: Stage) => Promise<void>])[] = [
  ['sessions resumed, compacted and forked', resumed],
  ['edits of every kind, with a person’s in between', workout],
  ['a session that starts in a folder of the repository', subfolder],
  ['the agent commits by itself', ownCommits],
  ['edits in a linked work tree and in another repository', elsewhere],
  ['notebooks, several calls in one message, a sub-agent, a command in the background', otherTools],
  ['a person works beside an idle session; after deinit nothing is recorded', idle],
];

/** Every tracked file, before and after the background's work. */
function expectOrigins(stage: Stage, expected: Readonly<Record<string, string>>, dir = stage.dir): void {
  const files = stage.git(['ls-files', '-z'], dir).split('\0').filter(Boolean);
  expect(Object.keys(expected).sort()).toEqual(files.sort());
  const want = Object.fromEntries(Object.entries(expected).map(([file, words]) => [file, stage.expected(words)]));
  expect(stage.origins(files, dir)).toEqual(want);
  stage.git(['agent', 'work'], dir);
  expect(stage.origins(files, dir)).toEqual(want);
}

function countSessions(stage: Stage): number {
  return new Set(stage.calls().map(({ session }) => session)).size;
}

async function resumed(stage: Stage): Promise<void> {
  stage.human('src/app.ts', "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n").commit();
  await stage.play(rehearsalScript('basic'), { setup: stage.initCommand });
  await stage.play(rehearsalScript('two-turns'), { resume: true });
  expect(countSessions(stage)).toBe(1);
  await stage.play(ownScript('talk'), { resume: true, prompt: '/compact' });
  await stage.play(ownScript('two'), { resume: true, args: ['--fork-session'] });
  expect(countSessions(stage)).toBe(2);
  stage.human('mine.txt', 'typed by a person\n').commit();
  expectOrigins(stage, {
    'src/greet.ts': '1 1 1',
    'notes.txt': '2 2',
    'src/app.ts': 'u 4 4 u', // committed before capture began
    'src/config.ts': '5 5 5 8 5 5 9',
    'src/gen/items.ts': '6 6 6',
    'two.txt': '10',
    'shell.txt': '11',
    'mine.txt': 'h',
  });
}

const ROWS = Array.from({ length: 400 }, (_, i) => `row ${i + 1} of the large file, which is long\n`);

async function workout(stage: Stage): Promise<void> {
  stage.init().human('list.txt', 'alpha\nbeta\ngamma\ndelta\n').human('gone.txt', 'soon gone\n');
  stage.human('crlf.txt', 'first row\r\nsecond row\r\nthird row\r\n').human('large.txt', ROWS.join(''));
  stage.human('old.txt', 'an old first line\nkeep this line\nan old last line\n');
  stage.human('prettier', '#!/bin/sh\nsed -i "s/^ */\t/" "$2"\n', 0o755).commit('start');
  await stage.play(ownScript('workout'));
  const list = stage.read('list.txt').replace('delta\n', 'typed in between\ndelta\n');
  stage.human('list.txt', list.replace('beta by the agent', 'beta by the agent and me'));
  stage.human('half.txt', `${stage.read('half.txt')}typed below\n`);
  stage.human('large.txt', `typed on top\n${stage.read('large.txt')}`);
  await stage.play(ownScript('workout-again'), { resume: true });
  stage.human('mine.txt', 'typed by a person\n').commit();
  expect(stage.read('crlf.txt')).toBe('first row\r\nsecond row\r\nrow between\r\nthird row\r\n');
  const large = ['h', ...ROWS.map(() => 'h')];
  large[10] = '23';
  large.splice(200, 1, '14', '14');
  large.splice(302, 0, '15');
  expectOrigins(stage, {
    'list.txt': 'h h m h 11 h 21',
    'half.txt': '5 h 24',
    'old.txt': '7 h 7',
    'crlf.txt': 'h h 9 h',
    'docs/größe und mehr.md': '16 16 16 19',
    'style.ts': '17 17 17', // a formatter takes nothing over
    'large.txt': large.join(' '),
    'mine.txt': 'h',
    prettier: 'h h',
    ...Object.fromEntries(ROWS.slice(0, 50).map((_, i) => [`parts/${i + 1}.txt`, '10'])),
  });
}

async function subfolder(stage: Stage): Promise<void> {
  stage.init().human('sub/had.txt', 'one\ntwo\nthree\n').commit('start');
  await stage.play(ownScript('subfolder'), { cwd: path.join(stage.dir, 'sub') });
  stage.human('sub/mine.txt', 'typed by a person\n').commit();
  expectOrigins(stage, {
    'sub/inner.txt': '1',
    'outer.txt': '2',
    'sub/made.txt': '3',
    'above.txt': '3',
    'sub/had.txt': 'h h 5 h',
    'sub/mine.txt': 'h',
  });
}

async function ownCommits(stage: Stage): Promise<void> {
  stage.init().human('start.txt', 'start\n').commit('start').human('mine.txt', 'typed, not committed\n');
  await stage.play(ownScript('commits'));
  expect(stage.git(['status', '--porcelain'])).toBe('');
  expect(stage.git(['rev-list', '--count', 'HEAD'])).toBe('5');
  expectOrigins(stage, {
    'start.txt': 'h',
    'mine.txt': 'h',
    'first.txt': '1',
    'gen.txt': '3 5 7',
    'second.txt': '6',
  });
}

async function elsewhere(stage: Stage): Promise<void> {
  stage.init().human('shared.txt', 'one\ntwo\n').commit('start');
  const linked = path.join(stage.root, 'linked');
  const sibling = path.join(stage.root, 'sibling');
  stage.git(['worktree', 'add', '-q', linked]);
  stage.repository(sibling);
  stage.init(sibling).human('../sibling/start.txt', 'start\n').commit('start', sibling);
  await stage.play(ownScript('elsewhere'));
  stage.human('mine.txt', 'typed here\n').human('../linked/mine.txt', 'typed there\n');
  for (const dir of [stage.dir, linked, sibling]) stage.commit('change', dir);
  expectOrigins(stage, { 'in-main.txt': '3', 'shared.txt': 'h h', 'mine.txt': 'h' });
  // commands started in the main work tree wrote into the others, which hooks take snapshots of, too
  const seen =
    stage.mode === 'hooks'
      ? { 'mine.txt': 'h', 'shell.txt': '6', 'shell-too.txt': '7' }
      : { 'mine.txt': 'u', 'shell.txt': 'u', 'shell-too.txt': 'u' };
  expectOrigins(stage, { 'in-linked.txt': '1', 'shared.txt': 'h 5', ...seen }, linked);
  // a repository looks for transcripts of its own folders, and for those that hooks name; hooks tell it of commands that name it
  const told =
    stage.mode === 'hooks' ? { 'in-sibling.txt': '2', 'shell.txt': '8' } : { 'in-sibling.txt': 'u', 'shell.txt': 'u' };
  expectOrigins(stage, { ...told, 'start.txt': 'h' }, sibling);
}

async function otherTools(stage: Stage): Promise<void> {
  const source = ["print('typed')"];
  const cell = { cell_type: 'code', id: 'c1', metadata: {}, source, outputs: [], execution_count: null };
  const book = { cells: [cell], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 };
  stage
    .init()
    .human('mine.txt', 'one\ntwo\n')
    .human('book.ipynb', `${JSON.stringify(book, null, 1)}\n`)
    .commit();
  await stage.play(ownScript('tools'), { ownModel: true });
  stage.commit();
  expect(countSessions(stage)).toBe(1);
  expectOrigins(stage, {
    'book.ipynb': `${'h '.repeat(6)}2${' h'.repeat(12)}`,
    'both.txt': '5 3 6',
    'other.txt': '4',
    'helper.txt': '8 8',
    'helper-shell.txt': '11',
    'mine.txt': 'h h 10',
    'late.txt': 'u', // it came while the next command was running, which only waits
  });
}

async function idle(stage: Stage): Promise<void> {
  const settings = path.join(stage.home, '.claude', 'settings.json');
  const before = '{"cleanupPeriodDays":30}\n';
  fs.mkdirSync(path.dirname(settings));
  fs.writeFileSync(settings, before);
  stage.init().human('start.txt', 'start\n').commit('start');
  const talk = stage.play(ownScript('talk'));
  stage.human('mine.txt', 'typed by a person\nmeanwhile\n').commit();
  await talk;
  stage.human('more.txt', 'typed afterwards\n').commit();
  expectOrigins(stage, { 'start.txt': 'h', 'mine.txt': 'h h', 'more.txt': 'h' });
  stage.git(['agent', 'deinit']);
  expect(fs.readFileSync(settings, 'utf8')).toBe(before);
  const recorded = stage.recorded();
  await stage.play(ownScript('one'));
  stage.commit();
  expect(stage.origins(['one.txt', 'mine.txt'])).toEqual({ 'one.txt': 'u u', 'mine.txt': stage.expected('h h') });
  expect(stage.recorded()).toEqual(recorded);
}
