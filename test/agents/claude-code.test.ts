import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, install, type Mode, ownScript, rehearsalScript, Stage, whyNot } from './rehearsal.ts';

const reason = whyNot();
const title = `the real Claude Code${reason ? ` (left out: ${reason})` : ''}`;

let installed: Installed;
let stage: Stage;
beforeAll(async () => {
  if (!reason) installed = await install();
});
afterAll(() => installed?.remove());
afterEach(() => stage.remove());

function open(mode: Mode): Stage {
  stage = new Stage(mode, installed);
  return stage;
}

/** Checks every file, before and after the background's work. */
function expectOrigins(expected: Readonly<Record<string, string>>, dir = stage.dir): void {
  const want = Object.fromEntries(Object.entries(expected).map(([file, words]) => [file, stage.expected(words)]));
  const got = () => Object.fromEntries(Object.keys(expected).map((file) => [file, stage.origins(file, dir)]));
  expect(got()).toEqual(want);
  stage.run('git', ['agent', 'work'], dir);
  expect(got()).toEqual(want);
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => `row ${i + 1} of the large file, which is long\n`);

describe.skipIf(reason)(title, () => {
  describe.each<Mode>(['hooks', 'transcripts'])('with %s', (mode) => {
    test('two conversations’ turns, one resumed', async () => {
      open(mode)
        .human('src/app.ts', "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n")
        .commit();
      await stage.play(rehearsalScript('basic'), { setup: stage.initCommand });
      await stage.play(rehearsalScript('two-turns'), { resume: true });
      stage.human('mine.txt', 'typed by a person\n').commit();
      expect(new Set(stage.calls().map(({ session }) => session)).size).toBe(1);
      expectOrigins({
        'src/greet.ts': '1 1 1',
        'notes.txt': '2 2',
        'src/app.ts': 'u 4 4 u', // committed before capture began
        'src/config.ts': '5 5 5 8 5 5 9',
        'src/gen/items.ts': '6 6 6',
        'mine.txt': 'h',
      });
    });

    test('edits of every kind, with a person’s in between', async () => {
      open(mode).init();
      stage
        .human('list.txt', 'alpha\nbeta\ngamma\ndelta\n')
        .human('crlf.txt', 'first row\r\nsecond row\r\nthird row\r\n');
      stage.human('old.txt', 'an old first line\nkeep this line\nan old last line\n').human('gone.txt', 'soon gone\n');
      stage.human('large.txt', rows(400).join(''));
      stage.human('prettier', '#!/bin/sh\nsed -i "s/^ */\t/" "$2"\n', 0o755).commit('start');
      await stage.play(ownScript('workout'));
      stage.human('list.txt', stage.read('list.txt').replace('delta\n', 'typed in between\ndelta\n'));
      stage.human('half.txt', `${stage.read('half.txt')}typed below\n`);
      stage.human('large.txt', `typed on top\n${stage.read('large.txt')}`);
      await stage.play(ownScript('workout-again'), { resume: true });
      stage.human('mine.txt', 'typed by a person\n').commit();
      expect(fs.existsSync(path.join(stage.dir, 'gone.txt'))).toBe(false);
      expect(stage.read('crlf.txt')).toBe('first row\r\nsecond row\r\nrow between\r\nthird row\r\n');
      const large = ['h', ...rows(400).map(() => 'h')];
      large[10] = '23';
      large.splice(200, 1, '14', '14');
      large.splice(302, 0, '15');
      expectOrigins({
        'list.txt': 'h h 2 h 11 h 21',
        'half.txt': '5 h 24',
        'old.txt': '7 h 7',
        'crlf.txt': 'h h 9 h',
        'docs/größe und mehr.md': '16 16 16 19',
        'style.ts': '17 17 17',
        'large.txt': large.join(' '),
        'mine.txt': 'h',
        ...Object.fromEntries([1, 25, 50].map((i) => [`parts/${i}.txt`, '10'])),
      });
    });

    test('a session started in a folder of the repository', async () => {
      open(mode).init().human('sub/had.txt', 'one\ntwo\nthree\n').commit('start');
      await stage.play(ownScript('subfolder'), { cwd: path.join(stage.dir, 'sub') });
      stage.human('sub/mine.txt', 'typed by a person\n').commit();
      expectOrigins({
        'sub/inner.txt': '1',
        'outer.txt': '2',
        'sub/made.txt': '3',
        'above.txt': '3',
        'sub/had.txt': 'h h 5 h',
        'sub/mine.txt': 'h',
      });
    });

    test('the agent commits by itself', async () => {
      open(mode).init().human('start.txt', 'start\n').commit('start').human('mine.txt', 'typed, not committed\n');
      await stage.play(ownScript('commits'));
      expect(stage.git(['status', '--porcelain'])).toBe('');
      expectOrigins({ 'first.txt': '1', 'gen.txt': '3 5 7', 'second.txt': '6', 'mine.txt': 'h' });
    });

    test('edits in a linked work tree and in another repository', async () => {
      open(mode).init().human('shared.txt', 'one\ntwo\n').commit('start');
      const [linked, sibling] = ['linked', 'sibling'].map((name) => path.join(stage.root, name)) as [string, string];
      stage.git(['worktree', 'add', '-q', linked]);
      stage.repository(sibling);
      stage.init(sibling).human('../sibling/start.txt', 'start\n').commit('start', sibling);
      await stage.play(ownScript('elsewhere'));
      stage.human('../linked/mine.txt', 'typed there\n').human('../sibling/mine.txt', 'typed there too\n');
      for (const dir of [stage.dir, linked, sibling]) stage.commit('change', dir);
      expectOrigins({ 'in-main.txt': '3', 'shared.txt': 'h h' });
      expectOrigins({ 'in-linked.txt': '1', 'shared.txt': 'h 5', 'mine.txt': 'h' }, linked);
      expectOrigins({ 'in-sibling.txt': '2', 'mine.txt': 'h' }, sibling);
    });

    test('compaction and a forked session', async () => {
      open(mode).init().human('start.txt', 'start\n').commit('start');
      await stage.play(ownScript('one'));
      await stage.play(ownScript('talk'), { resume: true, prompt: '/compact' });
      await stage.play(ownScript('two'), { resume: true, args: ['--fork-session'] });
      stage.human('mine.txt', 'typed by a person\n').commit();
      expect(new Set(stage.calls().map(({ session }) => session)).size).toBe(2);
      expectOrigins({ 'one.txt': '1 1', 'two.txt': '2', 'shell.txt': '3', 'mine.txt': 'h' });
    });

    test('notebooks, several calls in one message, a sub-agent, a command in the background', async () => {
      const cell = {
        cell_type: 'code',
        id: 'c1',
        metadata: {},
        source: ["print('typed')"],
        outputs: [],
        execution_count: null,
      };
      const book = { cells: [cell], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 };
      open(mode)
        .init()
        .human('mine.txt', 'one\ntwo\n')
        .human('book.ipynb', `${JSON.stringify(book, null, 1)}\n`)
        .commit();
      await stage.play(ownScript('tools'), { ownModel: true });
      stage.commit();
      console.log(stage.calls(), stage.read('book.ipynb'), stage.origins('book.ipynb'));
      expectOrigins({
        'both.txt': '5 3 6',
        'other.txt': '4',
        'helper.txt': '8 8',
        'helper-shell.txt': '11',
        'mine.txt': 'h h 10',
        'late.txt': 'u',
      });
    });

    test('a person’s work beside an idle session is a person’s, and after deinit nothing is recorded', async () => {
      const settings = path.join(open(mode).home, '.claude', 'settings.json');
      const before = '{"model":"opus"}\n';
      fs.mkdirSync(path.dirname(settings));
      fs.writeFileSync(settings, before);
      stage.init().human('start.txt', 'start\n').commit('start');
      const idle = stage.play(ownScript('talk'));
      stage.human('mine.txt', 'typed by a person\nmeanwhile\n').commit();
      await idle;
      stage.human('more.txt', 'typed afterwards\n').commit();
      expectOrigins({ 'start.txt': 'h', 'mine.txt': 'h h', 'more.txt': 'h' });
      stage.git(['agent', 'deinit']);
      expect(fs.readFileSync(settings, 'utf8')).toBe(before);
      await stage.play(ownScript('one'));
      stage.commit();
      expect(stage.origins('one.txt')).toBe('u u');
    });
  });
});
