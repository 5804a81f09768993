import { describe, expect, it } from 'vitest';
import type { LoggedCommit } from '../../src/git/log.ts';
import type { DiffLine } from '../../src/git/unified.ts';
import { unknown } from '../../src/lines/origin.ts';
import { paintLines, printDiff } from '../../src/log/diff.ts';
import { printDiffJson } from '../../src/log/diff-json.ts';
import { entriesOf } from '../../src/log/entry.ts';
import { type LogScreen, printEntry, printFiles, printOneLine } from '../../src/log/text.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { linkWith } from '../../src/terminal/hyperlink.ts';
import { widthOf } from '../../src/terminal/width.ts';
import { AI, HUMAN } from '../blame/lines.ts';

const COMMIT: LoggedCommit = {
  id: 'c1',
  short: 'c1',
  author: 'Ada',
  mail: 'ada@example.com',
  date: '2026-01-02',
  time: '2026-01-02T00:00:00Z',
  refs: '',
  subject: 'one',
};
const screen: LogScreen = { paint: paintWith(false), width: 60, link: linkWith(true) };
const reported = { id: 'c1', author: '', mail: '', time: 0, subject: '', recorded: true };
const survey = {
  commits: new Map([['c1', reported]]),
  runs: [
    { commit: 'c1', path: 'a', start: 1, end: 3, origin: AI, conversation: 'https://example.com/s1#e1' },
    { commit: 'c1', path: 'b', start: 1, end: 1, origin: HUMAN },
    { commit: 'c2', path: 'b', start: 1, end: 9, origin: HUMAN },
  ],
};

describe('an entry of the log', () => {
  it('counts the lines of its own commit, and of the chosen paths alone', () => {
    const [entry] = entriesOf([COMMIT], survey);
    expect(entry).toMatchObject({ recorded: true, counts: { total: 4, ai: 3, human: 1 }, sessions: [{ lines: 3 }] });
    const [chosen] = entriesOf([COMMIT], survey, (_, path) => path === 'b');
    expect(chosen).toMatchObject({ counts: { total: 1, ai: 0 }, sessions: [] });
    expect(entriesOf([{ ...COMMIT, id: 'c3' }], survey)).toMatchObject([{ recorded: false, counts: { total: 0 } }]);
  });

  it('stays within the screen and lets nothing but text and links reach it', () => {
    const name = `${'山'.repeat(500)}\x1b[2J\n\x07`;
    const agent = { session: name, event: 'e', tool: { name }, model: name };
    const runs = Array.from({ length: 8 }, (_, i) => ({
      ...{ commit: 'c1', path: 'a', start: i, end: i },
      origin: { ...AI, agent: { ...agent, session: `${i}${name}` } },
      conversation: 'https://example.com/\x1b]0;t\x07',
    }));
    const commit = { ...COMMIT, author: name, refs: name, subject: name, date: name };
    const printed = entriesOf([commit], { ...survey, runs }).flatMap((entry) => [...printEntry(entry, screen)]);
    const seen = printed.map((line) => line.replace(/\x1b\]8;;[\x21-\x7e]*\x1b\\/g, ''));
    for (const line of seen) expect(widthOf(line.replaceAll('\n', ''))).toBeLessThanOrEqual(60);
    expect(seen.join('').replaceAll('\n', '')).not.toMatch(/[\x00-\x1f]/);
    expect(seen.at(-1)).toBe('    3 more sessions\n');
  });
});

describe('an entry on one line, and by file', () => {
  const entries = entriesOf([{ ...COMMIT, refs: 'main', subject: 'word '.repeat(40) }], survey);
  const at = (width: number) => entries.map((entry) => printOneLine(entry, { ...screen, width })).join('');

  it('stays within the screen; where there is no room, the bar tells the shares', () => {
    expect(at(60)).toBe('c1 AAAAAAAAHH (main) word word word word wo…  A 75 %, H 25 %\n');
    for (const width of [200, 60, 40, 30, 16]) expect(widthOf(at(width).trimEnd())).toBeLessThanOrEqual(width);
    expect(at(40)).toMatch(/^c1 AAAAAAAAHH \(main\) word.*…\n$/);
  });

  it('counts each file, by name, and shows the end of a long path', () => {
    const long = { ...survey, runs: survey.runs.map((run) => ({ ...run, path: `${'deep/'.repeat(20)}${run.path}` })) };
    const printed = entriesOf([COMMIT], long).flatMap((entry) => [...printFiles(entry, screen)]);
    expect(printed).toEqual([
      expect.stringMatching(/^ {4}….*deep\/a \| 3 A{10} {2}A 3 \(100 %\)\n$/),
      expect.stringMatching(/^ {4}….*deep\/b \| 1 H{10} {2}H 1 \(100 %\)\n$/),
    ]);
  });
});

describe('a painted diff', () => {
  const lines: DiffLine[] = [
    { kind: 'meta', text: '+++ b/a' },
    { kind: 'frag', text: '@@ -1 +1,3 @@' },
    { kind: 'removed', text: '-x' },
    { kind: 'added', text: '+one', file: 'a', line: 1 },
    { kind: 'added', text: '+two', file: 'a', line: 2 },
    { kind: 'added', text: '+three', file: 'b', line: 3 },
  ];
  const painted = paintLines(lines, [
    { commit: 'c1', path: 'a', start: 1, end: 1, origin: AI, via: 'note' },
    { commit: null, path: 'a', start: 2, end: 2, origin: HUMAN, via: 'worktree' },
  ]);

  it('gives each added line its origin, and none that nobody speaks of', () => {
    expect(painted).toEqual([
      { file: 'a', line: 1, text: 'one', commit: 'c1', origin: AI, via: 'note' },
      { file: 'a', line: 2, text: 'two', commit: null, origin: HUMAN, via: 'worktree' },
      { file: 'b', line: 3, text: 'three', commit: null, origin: unknown('no record') },
    ]);
  });

  it('is printed with a column for the markers; each kind has its own look', () => {
    const as = (name: string) => (text: string) => `<${name}>${text}`;
    const fresh = { ai: as('ai'), human: as('human'), mixed: as('mixed'), unknown: as('unknown') };
    const slots = { meta: as('meta'), frag: as('frag'), old: as('old'), context: as('context'), fresh };
    expect([...printDiff(lines, painted, { ...screen, slots })]).toEqual([
      '<meta>+++ b/a\n',
      '<frag>@@ -1 +1,3 @@\n',
      '  <old>-x\n',
      '<ai>A +one\n',
      '<human>H +two\n',
      '<unknown>? +three\n',
      '\n3 added lines: A ai 1 (33%), H human 1 (33%), M mixed 0, ? unknown 1 (33%)\n',
      'claude-code claude-opus-4-5, session s1, 1 line\n',
    ]);
    expect([...printDiff([], [], { ...screen, slots })]).toEqual([]);
  });

  it('is one document of JSON, with or without lines', () => {
    const parse = (some: typeof painted) =>
      JSON.parse([...printDiffJson(some, { revision: null, staged: true })].join(''));
    expect(parse(painted)).toMatchObject({
      schema: 'git-agent-blame/diff@1',
      staged: true,
      files: [
        { file: 'a', added: [{ line: 1, type: 'ai', session: 's1' }, { line: 2 }] },
        { file: 'b', added: [{ line: 3, reason: 'no record' }] },
      ],
      summary: { total: 3 },
    });
    expect(parse([])).toMatchObject({ files: [], summary: { total: 0 } });
  });
});
