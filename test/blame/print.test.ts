import { describe, expect, it } from 'vitest';
import type { AnnotatedLine } from '../../src/blame/annotate.ts';
import { printJson } from '../../src/blame/json.ts';
import { printPorcelain } from '../../src/blame/porcelain.ts';
import { printText, shortModel, type TextOptions } from '../../src/blame/text.ts';
import { parseBlame, readBlame } from '../../src/git/blame.ts';
import { unknown } from '../../src/lines/origin.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { widthOf } from '../../src/terminal/width.ts';
import { AI, annotated, HUMAN } from './lines.ts';

const OPTIONS: TextOptions = {
  abbrev: 8,
  date: ({ seconds, zone }) => `${seconds} ${zone}`,
  paint: paintWith(false),
  mail: false,
  short: false,
  blankBoundary: false,
  file: false,
  originalNumber: false,
  path: 'a.ts',
  headed: false,
};
const text = (lines: readonly AnnotatedLine[], over: Partial<TextOptions> = {}) =>
  [...printText(lines, { ...OPTIONS, ...over })].join('');
const utf8 = (word: string) => Buffer.from(word).toString('latin1');

describe('text', () => {
  const lines = [
    annotated(9, AI),
    annotated(10, HUMAN, { boundary: true, originalLine: 123 }),
    annotated(11, unknown('no record')),
  ];

  it('aligns revision, marker, who, date, number and text, and ends with the counts', () => {
    expect(text(lines)).toBe(
      [
        'aaaaaaaa A (claude-code claude-opus-4-5 1767355200 +0100  9) line 9',
        '^aaaaaaa H (Ada                         1767355200 +0100 10) line 10',
        'aaaaaaaa ? (Ada                         1767355200 +0100 11) line 11',
        '3 lines: A ai 1 (33%), H human 1 (33%), M mixed 0, ? unknown 1 (33%)',
        '',
      ].join('\n'),
    );
  });

  it.each<[string, Partial<TextOptions>, string]>([
    ['-s', { short: true }, '^aaaaaaa H 10) line 10'],
    ['-e', { mail: true }, '^aaaaaaa H (<ada@example.com>           1767355200 +0100 10) line 10'],
    ['-b', { blankBoundary: true, short: true }, '         H 10) line 10'],
    ['-l', { abbrev: Number.POSITIVE_INFINITY, short: true }, `^${'a'.repeat(39)} H 10) line 10`],
    ['-f -n', { file: true, originalNumber: true, short: true }, '^aaaaaaa H a.ts 123 10) line 10'],
    ['of a renamed file', { path: 'b.ts', short: true }, '^aaaaaaa H a.ts 10) line 10'],
  ])('%s', (_, over, second) => {
    expect(text(lines, over).split('\n')[1]).toBe(second);
  });

  it('keeps columns under wide, combining and pictured names', () => {
    const names = ['Ada', '山田太郎', 'e\u0301milie', '👩‍💻 dev', 'Ωmega'];
    const printed = text(names.map((author, i) => annotated(i + 1, HUMAN, { author })));
    const columns = printed
      .split('\n')
      .slice(0, names.length)
      .map((line) => widthOf(line.slice(0, line.indexOf('1767355200'))));
    expect(new Set(columns).size).toBe(1);
  });

  it('lets nothing reach the terminal but text: escapes are shown in lines and taken out of names', () => {
    const hostile = annotated(
      1,
      { type: 'ai', agent: { session: '', event: '', tool: { name: 'x\x1b]0;title\x07y' }, model: 'a/\x1b[31mm' } },
      {
        text: utf8('a\tb\x1b[2J\x07\u009b1m\u202ec'),
      },
    );
    const printed = text([hostile, annotated(2, HUMAN, { author: 'A\x1b[1mda\r\nx' })]);
    expect(printed).toContain('(xy m ');
    expect(printed).toContain('a\tb^[[2J^G<9b>1m<U+202E>c\n');
    expect(printed).toContain('(Ada x');
    expect(printed.replace(/[\t\n]/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  });

  it('bounds a name of any length', () => {
    const [first = ''] = text([annotated(1, HUMAN, { author: 'x'.repeat(5000) })]).split('\n');
    expect(first.length).toBeLessThan(120);
  });

  it('colours add nothing but colours', () => {
    const coloured = text(lines, { paint: paintWith(true) });
    expect(coloured).toContain('\x1b[');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(text(lines));
  });

  it('an empty file has its counts alone', () => {
    expect(text([])).toBe('0 lines: A ai 0, H human 0, M mixed 0, ? unknown 0\n');
  });

  it.each([
    ['anthropic/claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['openai/gpt-4o', 'gpt-4o'],
    ['a/b/c-1', 'c-1'],
    ['gpt-5-12345678', 'gpt-5-12345678'],
  ])('%s is shown as %s', (model, short) => expect(shortModel(model)).toBe(short));
});

describe('json', () => {
  it('is the document of the contract', () => {
    const document = JSON.parse(
      [...printJson([annotated(1, AI, { text: utf8('é "\x1b') })], { file: 'a.ts', revision: null })].join(''),
    );
    expect(document).toEqual({
      schema: 'git-agent-blame/blame@1',
      file: 'a.ts',
      revision: null,
      lines: [
        {
          line: 1,
          text: 'é "\x1b',
          commit: 'a'.repeat(40),
          originalLine: 1,
          originalFile: 'a.ts',
          author: 'Ada',
          authorMail: 'ada@example.com',
          authorTime: '2026-01-02T13:00:00+01:00',
          type: 'ai',
          evidence: 'observed',
          via: 'note',
          reason: null,
          model: 'anthropic/claude-opus-4-5-20251101',
          tool: { name: 'claude-code', version: '2.1.197' },
          session: 's1',
          event: 'e1',
          conversation: 'agentlog:s1#e1',
          trace: 't1',
        },
      ],
      summary: { total: 1, ai: 1, human: 0, mixed: 0, unknown: 0 },
    });
  });

  it('names no commit for what is not committed, and null for what is not known', () => {
    const line = annotated(1, unknown('no record'), { uncommitted: true });
    const [found] = JSON.parse([...printJson([line], { file: 'a', revision: 'b' })].join('')).lines;
    expect(found).toMatchObject({
      commit: null,
      type: 'unknown',
      reason: 'no record',
      evidence: null,
      via: null,
      model: null,
    });
    expect(found).toMatchObject({ tool: null, session: null, event: null, conversation: null, trace: null });
  });

  it('is one line', () => {
    const printed = [...printJson([annotated(1, AI), annotated(2, HUMAN)], { file: 'a', revision: null })].join('');
    expect(printed.indexOf('\n')).toBe(printed.length - 1);
  });
});

describe('porcelain', () => {
  const id = 'a'.repeat(40);
  const git = Buffer.from(
    `${id} 1 1 2\nauthor Ada\nauthor-mail <a@x>\nauthor-time 1\nauthor-tz +0000\nsummary \tx\nfilename a.ts\n\t\tone\r\n${id} 2 2\n\t\xff\n`,
    'latin1',
  );
  const { lines, ...printed } = readBlame(git);

  it("puts headers in before each TAB line and changes none of git's bytes", () => {
    const origins = [AI, HUMAN];
    const told = Buffer.concat([
      ...printPorcelain(
        printed,
        lines.map((blamed, i) => ({ ...annotated(1, origins[i] ?? HUMAN), blamed })),
      ),
    ]);
    const own = told
      .toString('latin1')
      .split('\n')
      .filter((line) => line.startsWith('agent-'));
    expect(own).toEqual([
      'agent-type ai',
      'agent-tool claude-code 2.1.197',
      'agent-model anthropic/claude-opus-4-5-20251101',
      'agent-session s1',
      'agent-event e1',
      'agent-trace t1',
      'agent-evidence observed',
      'agent-via note',
      'agent-type human',
      'agent-trace t1',
      'agent-evidence absent',
      'agent-via note',
    ]);
    expect(told.toString('latin1').replace(/^agent-.*\n/gm, '')).toBe(git.toString('latin1'));
    expect(parseBlame(told)).toEqual(lines);
  });

  it('keeps a hostile value on one line', () => {
    const origin = {
      type: 'ai' as const,
      agent: { session: 'a\n\tb', event: '\x1b[31m', tool: { name: 'x\r\nauthor Eve' } },
    };
    const told = Buffer.concat([
      ...printPorcelain(
        printed,
        lines.map((blamed) => ({ blamed, origin })),
      ),
    ]);
    expect(parseBlame(told)).toEqual(lines);
    expect(told.toString()).not.toContain('\x1b');
    expect(told.toString()).not.toContain('agent-event');
  });
});
