import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimNeighbours } from '../../src/anchor/peel.ts';
import type { SourceFile, SourceLine } from '../../src/anchor/source.ts';
import type { TargetLine } from '../../src/anchor/target.ts';

/** A line of a file that several commits have written: what it says, and whose it is. Lines of one letter say nothing. */
interface Line {
  readonly text: string;
  readonly commit: number;
}

const isWeak = (text: string) => text.length === 1;

/** Each commit puts a block into the file, or takes some lines out of it. */
interface Step {
  readonly texts: readonly string[];
  readonly at: number;
  readonly drop: number;
}

/** The file in the end, and what each commit's record says of the lines that it added. */
function play(steps: readonly Step[]): { readonly file: readonly Line[]; readonly sources: readonly SourceFile[] } {
  let file: Line[] = [];
  const sources = steps.map(({ texts, at, drop }, commit): SourceFile => {
    const place = at % (file.length + 1);
    const block = texts.map((text, i) => ({ text: isWeak(text) ? text : `${text} ${commit} ${i}`, commit }));
    file = [...file.slice(0, place), ...block, ...file.slice(place + drop)];
    return { path: 'a', lines: block.map(({ text }, i) => sourceLine(place + 1 + i, text, commit)) };
  });
  return { file, sources };
}

function sourceLine(line: number, text: string, commit: number): SourceLine {
  const agent = { session: `s${commit}`, event: 'e', tool: { name: 'claude-code' } };
  return { line, hash: text, origin: { type: 'ai', evidence: 'observed', agent }, record: `r${commit}` };
}

/** Whose each line is said to be, where the lines that say something are known. */
function told(steps: readonly Step[], timeOf = (commit: number) => commit): (number | undefined)[] {
  const { file, sources } = play(steps);
  const lines = file.map(
    ({ text }, i): TargetLine => ({
      line: i + 1,
      hash: text,
      informative: !isWeak(text),
      opening: false,
      distinct: !isWeak(text),
    }),
  );
  const claims = new Map(
    file.flatMap(({ text, commit }, place) => {
      const source = sources[commit];
      const from = source?.lines.find(({ hash }) => hash === text);
      return source && from && !isWeak(text) ? [[place, { from, source, time: timeOf(commit) }] as const] : [];
    }),
  );
  const all = new Map([...claims, ...claimNeighbours(lines, claims)]);
  return file.map((_, place) => {
    const record = all.get(place)?.from.record;
    return record === undefined ? undefined : Number(record.slice(1));
  });
}

const put = (at: number, ...texts: string[]): Step => ({ texts, at, drop: 0 });

describe('lines that say nothing go with those beside them', () => {
  test.each<readonly [string, Step[], string]>([
    ['below each other', [put(0, 'one', '}', '.'), put(3, 'two', '}', '.')], '000111'],
    ['the second as git gives it to what came first', [put(0, 'one', '}', '.'), put(1, '}', '.', 'two')], '011100'],
    ['one within the other', [put(0, 'one', '}', '}', 'end'), put(2, 'two', '}')], '001100'],
    ['alone in its commit', [put(0, 'one'), put(1, '}')], '0?'],
    [
      'one that went, and one of which the line beside it went',
      [put(0, 'one', '}'), { texts: ['two', 'three', '}'], at: 1, drop: 1 }, { texts: ['four'], at: 2, drop: 1 }],
      '012?',
    ],
  ])('%s', (_, steps, letters) => {
    expect(
      told(steps)
        .map((commit) => commit ?? '?')
        .join(''),
    ).toBe(letters);
  });

  test('of two that were made at the same time, none comes first', () => {
    const steps = [put(0, 'one', '}', '.'), put(1, '}', '.', 'two')];
    expect(told(steps, () => 7)).toEqual([0, undefined, undefined, 1, undefined, undefined]);
  });

  const text = fc.constantFrom('line', 'line', '}', '.', ')');
  const step = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 8 }),
    at: fc.nat(30),
    drop: fc.constantFrom(0, 0, 0, 1, 2),
  });

  test('law: whatever was put where, no line is given to a commit that did not write it', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const whole = steps.map((one) => ({ ...one, texts: ['head', ...one.texts] }));
        const { file } = play(whole);
        // of a commit that has no line left which says something, nothing is known here
        const left = new Set(file.flatMap(({ text, commit }) => (isWeak(text) ? [] : [commit])));
        fc.pre(left.size === whole.length);
        told(whole).forEach((commit, i) => {
          if (commit !== undefined) expect(commit).toBe(file[i]?.commit);
        });
      }),
    );
  });
});
