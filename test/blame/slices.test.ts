import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnnotatedLine, type Answer, annotate, type Found, type LineBook } from '../../src/blame/annotate.ts';
import { alone, groupPrinter, printGroups } from '../../src/blame/group.ts';
import { jsonPrinter, printJson } from '../../src/blame/json.ts';
import { outlineOf, type Stretch } from '../../src/blame/outline.ts';
import { porcelainPrinter, printPorcelain } from '../../src/blame/porcelain.ts';
import type { Printer, Slice } from '../../src/blame/slices.ts';
import { printText, type TextOptions, textPrinter } from '../../src/blame/text.ts';
import { type BlamedLine, type BlamedSpan, blamedLine, readBlame } from '../../src/git/blame.ts';
import { unknown } from '../../src/lines/origin.ts';
import { linkWith } from '../../src/terminal/hyperlink.ts';
import { AI, blamed, HUMAN } from './lines.ts';

const FOUND: readonly Found[] = [
  { origin: AI, via: 'note', trace: 't1', conversation: 'https://example.com/s1' },
  { origin: { ...AI, agent: { session: 's2', event: 'e2', tool: { name: '山田' } } }, via: 'note', trace: 't2' },
  { origin: HUMAN, via: 'note', trace: 't1' },
  { origin: unknown('a reason'), via: 'note', trace: 't3' },
];
const ANSWERS: readonly Answer[] = [...FOUND, 'not covered'];

/** A commit is without any record, or its lines are covered in rows. */
const commits = fc.array(
  fc.record({
    author: fc.constantFrom('Ada', 'Émilie de la Tour', '山田太郎'),
    file: fc.constantFrom('a.ts', 'old/name.ts'),
    boundary: fc.boolean(),
    rows: fc.option(fc.array(fc.tuple(fc.nat(ANSWERS.length - 1), fc.integer({ min: 1, max: 4 })), { maxLength: 6 })),
    anchored: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const spans = fc.array(
  fc.record({ commit: fc.nat(4), from: fc.integer({ min: 1, max: 9 }), count: fc.integer({ min: 1, max: 7 }) }),
  {
    maxLength: 8,
  },
);

interface World {
  readonly spans: readonly BlamedSpan[];
  readonly lines: readonly BlamedLine[];
  readonly knowledge: Parameters<typeof outlineOf>[1];
}

/** The last of the commits is the work tree. */
const worlds = fc.tuple(commits, spans).map(([made, picks]): World => {
  const idOf = (n: number) => (n === made.length ? '0' : String(n + 1)).repeat(40);
  const all: BlamedSpan[] = [];
  let next = 1;
  for (const { commit, from, count } of picks) {
    const nth = commit % (made.length + 1);
    const one = made[nth];
    const {
      text: _,
      line: __,
      originalLine: ___,
      ...by
    } = blamed(1, {
      commit: idOf(nth),
      uncommitted: !one,
      author: one?.author ?? 'Not Committed Yet',
      originalFile: one?.file ?? 'a.ts',
      boundary: one?.boundary ?? false,
    });
    all.push({ by, originalStart: from, start: next, count });
    next += count;
  }
  const rowsOf = (id: string) => made[Number(id[0]) - 1]?.rows;
  const findRow: LineBook['findRow'] = (id, _, line) => {
    let end = 0;
    const rows = rowsOf(id);
    if (!rows) return { said: 'no record', end: line };
    for (const [answer, count] of rows) {
      end += count;
      const said = ANSWERS[answer] ?? 'not covered';
      if (line <= end) return { said, end: said === 'not covered' ? line : end };
    }
    return { said: 'not covered', end: line };
  };
  const anchor = { origin: AI, via: 'rewrite' as const, record: 't9' };
  return {
    spans: all,
    lines: all.flatMap(({ by, start, originalStart, count }) =>
      Array.from({ length: count }, (_, i) =>
        blamedLine(by, { line: start + i, originalLine: originalStart + i }, `text ${start + i}`),
      ),
    ),
    knowledge: {
      book: { findRow, find: (id, file, line) => findRow(id, file, line).said },
      worktree: new Map([
        [3, FOUND[0] as Found],
        [4, FOUND[2] as Found],
      ]),
      anchors: new Map(
        made.flatMap(({ file, anchored }, i) =>
          anchored.length === 0
            ? []
            : [[idOf(i), new Map([[file, new Map(anchored.map((line) => [line, anchor]))]])] as const],
        ),
      ),
    },
  };
});

describe('an outline', () => {
  it('says of every line what is said of the line itself', () =>
    fc.assert(
      fc.property(worlds, ({ spans: asked, lines, knowledge }) => {
        const outline = outlineOf(asked, knowledge);
        expect(expand(outline)).toEqual(
          annotate(lines, knowledge).map(({ blamed: { line, commit, originalLine }, ...told }) => ({
            line,
            commit,
            originalLine,
            told,
          })),
        );
      }),
    ));

  it('is short where one thing is said of many lines', () => {
    const { text: _, line: __, originalLine: ___, ...by } = blamed(1);
    const span = { by, originalStart: 1, start: 1, count: 1e9 };
    for (const said of [FOUND[0] as Found, 'no record'] as const) {
      const findRow = () => ({ said, end: said === 'no record' ? 1 : 1e9 });
      const outline = outlineOf([span], { book: { findRow, find: () => said }, worktree: new Map() });
      expect(outline.map(({ start, last }) => [start, last.blamed.line])).toEqual([[1, 1e9]]);
    }
  });
});

function expand(outline: readonly Stretch[]) {
  return outline.flatMap(({ start, last: { blamed: end, ...told } }) =>
    Array.from({ length: end.line - start + 1 }, (_, i) => ({
      line: start + i,
      commit: end.commit,
      originalLine: end.originalLine - end.line + start + i,
      told,
    })),
  );
}

const OPTIONS: TextOptions = {
  abbrev: 8,
  date: ({ seconds }) => String(seconds),
  paint: (colour, text) => `<${colour}>${text}</>`,
  mail: false,
  short: false,
  blankBoundary: false,
  file: false,
  originalNumber: true,
  path: 'a.ts',
  headed: true,
  link: linkWith(true),
};

describe('a file printed in slices of any size is the file printed as a whole', () => {
  const cuts = fc.array(fc.nat(5), { minLength: 1, maxLength: 20 });
  const law = (check: (world: World, lines: readonly AnnotatedLine[], slices: readonly Slice[]) => void) =>
    fc.assert(
      fc.property(worlds, cuts, (world, sizes) => {
        const lines = annotate(world.lines, world.knowledge);
        check(world, lines, slicesOf(lines, sizes));
      }),
    );

  it('as text, its columns known from the outline', () =>
    law(({ spans: asked, knowledge }, lines, slices) => {
      for (const over of [{}, { columns: 70 }, { short: true, headed: false }]) {
        const options = { ...OPTIONS, ...over };
        const lasts = outlineOf(asked, knowledge).map(({ last }) => last);
        expect(printed(textPrinter(lasts, options), slices)).toBe([...printText(lines, options)].join(''));
      }
    }));

  it('under headings', () =>
    law(({ spans: asked, knowledge }, lines, slices) => {
      const whole = [...printGroups(lines, OPTIONS)].join('');
      expect(printed(groupPrinter(outlineOf(asked, knowledge), OPTIONS), slices)).toBe(whole);
      expect(printed(groupPrinter(lines.map(alone), OPTIONS), slices)).toBe(whole);
    }));

  it('as JSON', () =>
    law((_, lines, slices) => {
      const about = { file: 'a.ts', revision: null };
      expect(printed(jsonPrinter(about), slices)).toBe([...printJson(lines, about)].join(''));
    }));

  it("as git's own output, cut between any two lines of it", () =>
    law((_, lines, slices) => {
      const rows = lines.map(
        ({ blamed: { commit, line, text } }) => `${commit} ${line} ${line} 1\nfilename a.ts\n\t${text}\n`,
      );
      const { lines: __, ...whole } = readBlame(Buffer.from(rows.join('')));
      let at = 0;
      const own = slices.map(({ lines: some }) => {
        const text = rows.slice(at, at + some.length).join('');
        at += some.length;
        const { lines: ___, ...part } = readBlame(Buffer.from(text));
        return { lines: some, printed: part };
      });
      expect(printed(porcelainPrinter(), own)).toBe(Buffer.concat([...printPorcelain(whole, lines)]).toString());
    }));
});

function slicesOf(lines: readonly AnnotatedLine[], sizes: readonly number[]): Slice[] {
  const slices: Slice[] = [];
  for (let [at, i] = [0, 0]; at < lines.length; i++) {
    const size = sizes[i % sizes.length] || (i > sizes.length ? 3 : 0);
    slices.push({ lines: lines.slice(at, at + size) });
    at += size;
  }
  return slices;
}

function printed({ begin, some, end }: Printer, slices: readonly Slice[]): string {
  const pieces = slices.flatMap((slice) => [...some(slice)]);
  return `${begin()}${pieces.map((piece) => piece.toString()).join('')}${end()}`;
}
