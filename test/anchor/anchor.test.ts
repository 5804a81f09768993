import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchorContent } from '../../src/anchor/content.ts';
import { lineage, pickedFrom } from '../../src/anchor/lineage.ts';
import { anchorRelated } from '../../src/anchor/related.ts';
import type { Source, SourceLine } from '../../src/anchor/source.ts';
import { type Anchors, targetFile } from '../../src/anchor/target.ts';
import { lineHash } from '../../src/lines/hash.ts';
import type { Origin } from '../../src/lines/origin.ts';

const ai = (session: string): Origin => ({
  type: 'ai',
  evidence: 'observed',
  agent: { session, event: 'e', tool: { name: 'claude-code' } },
});
const human: Origin = { type: 'human', evidence: 'absent' };

/** A commit whose note says: these lines of a file, by this hand. `blob` where its content is still there. */
function source(
  commit: string,
  lines: readonly string[],
  origin: Origin,
  more: { start?: number; time?: number; blob?: string; path?: string } = {},
): Source {
  const { start = 1, time = 0, blob, path = 'a.ts' } = more;
  const all = lines.map((text, i): SourceLine => ({ line: start + i, hash: lineHash(text), origin, record: commit }));
  return { commit, time, files: new Map([[path, { path, lines: all, ...(blob && { blob }) }]]) };
}

const target = (lines: readonly string[], path = 'a.ts', start = 1) => targetFile({ path, added: [{ start, lines }] });
const LONG = 'a long line that only one can have written';
const noTexts = { target: () => undefined, blob: () => undefined };

/** For each line the record it was found in, `-` where it was not. */
function shown(anchors: Anchors, lines: number, path = 'a.ts'): string[] {
  return Array.from({ length: lines }, (_, i) => anchors.get(path)?.get(i + 1)?.record ?? '-');
}

describe('commits that are known to stem from others', () => {
  test('the same lines elsewhere in the file', () => {
    const sources = [source('s1', ['alpha line', '}', 'beta line'], ai('s'), { start: 7 })];
    expect(
      shown(anchorRelated([target(['alpha line', '}', 'beta line'])], { via: 'rewrite', sources }, noTexts), 3),
    ).toEqual(['s1', 's1', 's1']);
  });

  test('a squash: every source gives its own, the last writer wins', () => {
    const sources = [
      source('s1', ['one here', 'two here'], ai('s')),
      source('s2', ['two here', 'three here'], human, { start: 2 }),
    ];
    const got = anchorRelated([target(['one here', 'two here', 'three here'])], { via: 'rewrite', sources }, noTexts);
    expect(shown(got, 3)).toEqual(['s1', 's2', 's2']);
  });

  test('a short line in another file is not the one that still stands in its own', () => {
    const agents = ['ai alpha line here', '  return null;', 'ai omega line here'];
    const files = [target(agents), target(['typed by me', '  return null;'], 'b.ts')];
    for (const texts of [
      noTexts,
      { target: (path: string) => (path === 'a.ts' ? agents : undefined), blob: () => agents },
    ]) {
      const got = anchorRelated(
        files,
        { via: 'rewrite', sources: [source('s1', agents, ai('s'), { blob: 'x' })] },
        texts,
      );
      expect(shown(got, 3)).toEqual(['s1', 's1', 's1']);
      expect(shown(got, 2, 'b.ts')).toEqual(['-', '-']);
    }
  });

  test('nor is one that went from its own: it must tell more', () => {
    const sources = [source('s1', ['ai alpha line here', '  return null;', LONG], ai('s'))];
    const files = [target(['ai alpha line here']), target(['  return null;'], 'b.ts'), target([LONG], 'c.ts')];
    const got = anchorRelated(files, { via: 'rewrite', sources }, noTexts);
    expect([shown(got, 1), shown(got, 1, 'b.ts'), shown(got, 1, 'c.ts')]).toEqual([['s1'], ['-'], ['s1']]);
  });

  test('a short line that the old text does not have is not taken for one that it has', () => {
    const old = ['  return null;', 'alpha line here', 'omega line here'];
    const now = ['  return null;', 'alpha line here', '  return null;', 'omega line here'];
    const texts = { target: () => now, blob: () => old };
    const elsewhere = source('s2', ['  return null;'], human, { path: 'b.ts', blob: 'y' });
    const sources = [source('s1', old, ai('s'), { blob: 'x' }), elsewhere];
    expect(shown(anchorRelated([target(now)], { via: 'rewrite', sources }, texts), 4)).toEqual(['s1', 's1', '-', 's1']);
  });

  test('a weak line that two sources claim is nobody’s, unless its run is sure', () => {
    const sources = [source('s1', ['}'], ai('s')), source('s2', ['}'], human)];
    expect(shown(anchorRelated([target(['}', '}'])], { via: 'rewrite', sources }, noTexts), 2)).toEqual(['-', '-']);
    const sure = [source('s1', ['alpha line', '}'], ai('s')), source('s2', ['beta line', '}'], human)];
    const got = anchorRelated(
      [target(['alpha line', '}', 'beta line', '}'])],
      { via: 'rewrite', sources: sure },
      noTexts,
    );
    expect(shown(got, 4)).toEqual(['s1', 's1', 's2', 's2']);
  });

  test('where the old texts are there, equal lines are told apart by their place', () => {
    const texts = new Map([
      ['b1', ['x', 'same', 'y']],
      ['b2', ['x', 'same', 'y', 'same']],
    ]);
    const sources = [
      source('s1', ['same'], ai('s'), { start: 2, blob: 'b1' }),
      source('s2', ['same'], human, { start: 4, blob: 'b2' }),
    ];
    const wanted = targetFile({
      path: 'a.ts',
      added: [
        { start: 3, lines: ['same'] },
        { start: 5, lines: ['same'] },
      ],
    });
    const got = anchorRelated(
      [wanted],
      { via: 'rewrite', sources },
      { target: () => ['top', 'x', 'same', 'y', 'same'], blob: (id) => texts.get(id) },
    );
    expect([got.get('a.ts')?.get(3)?.record, got.get('a.ts')?.get(5)?.record]).toEqual(['s1', 's2']);
  });

  test('a line of a conflict that neither side had is found nowhere', () => {
    const sources = [source('s1', ['mine is this'], ai('s'))];
    expect(
      shown(anchorRelated([target(['mine is this', 'brand new thing'])], { via: 'rewrite', sources }, noTexts), 2),
    ).toEqual(['s1', '-']);
  });

  test('law: a commit with the lines of its one source gets them all, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('}', '', 'alpha line', 'beta line', '  '), { minLength: 1 }), (lines) => {
        const got = anchorRelated(
          [target(lines)],
          { via: 'rewrite', sources: [source('s1', lines, ai('s'))] },
          noTexts,
        );
        expect(shown(got, lines.length)).toEqual(lines.map(() => 's1'));
      }),
    );
  });
});

describe('lines recognised by content alone', () => {
  const none = { inPlace: false, kept: () => new Set<string>() };
  const gone = (one: Source) => ({ source: one, standing: false, ...none });
  const standing = (one: Source) => ({ source: one, standing: true, ...none });

  test('a commit made of known lines for the most part', () => {
    const candidates = [
      gone(source('s1', ['one unique line'], ai('s'))),
      gone(source('s2', ['two unique lines'], human)),
    ];
    expect(
      shown(anchorContent([target(['one unique line', 'two unique lines', 'never seen'])], candidates), 3),
    ).toEqual(['s1', 's2', '-']);
  });

  test('a short line by itself proves nothing, be the rest known or not', () => {
    const candidates = [
      gone(source('s1', ['one unique line', 'two unique lines'], ai('s'))),
      gone(source('s2', ['break;', 'this one is gone'], human)),
    ];
    const mine = ['one unique line', 'two unique lines', 'break;'];
    expect(shown(anchorContent([target(mine)], candidates), 3)).toEqual(['s1', 's1', '-']);
  });

  test('one line in common with an agent’s proves nothing', () => {
    const candidates = [gone(source('s1', ['import fs from fs', 'other things', 'more things'], ai('s')))];
    const mine = ['import fs from fs', 'my own first', 'my own second', 'my own third'];
    expect(shown(anchorContent([target(mine)], candidates), 4)).toEqual(['-', '-', '-', '-']);
  });

  test('three lines in a row do, and the weak lines between them ride along', () => {
    const block = ['function copied() {', '  return something();', '}', '', 'export default copied;'];
    const candidates = [standing(source('s1', block, ai('s'), { path: 'old.ts' }))];
    const mine = ['my own first', ...block, 'my own last'];
    expect(shown(anchorContent([target(mine)], candidates), 7)).toEqual(['-', 's1', 's1', 's1', 's1', 's1', '-']);
  });

  test('in another file: not if they still stand where they came from, nor if they were recorded later; else only matched', () => {
    const block = ['function copied() {', '  return something();', '  return anything();'];
    const elsewhere = source('s1', block, ai('s'), { path: 'old.ts' });
    const kept = () => new Set(block.map(lineHash));
    expect(shown(anchorContent([target(block)], [{ ...gone(elsewhere), kept }]), 3)).toEqual(['-', '-', '-']);
    expect(shown(anchorContent([target(block)], [{ ...gone(elsewhere), inPlace: true }]), 3)).toEqual(['-', '-', '-']);
    const [[, lines] = []] = anchorContent([target(block)], [gone(elsewhere)]);
    expect(lines?.get(1)?.origin).toMatchObject({ type: 'ai', evidence: 'matched' });
  });

  test('two candidates that disagree: nobody', () => {
    const candidates = [gone(source('s1', ['one unique'], ai('s'))), gone(source('s2', ['one unique'], human))];
    expect(shown(anchorContent([target(['one unique'])], candidates), 1)).toEqual(['-']);
  });

  test('law: the order of candidates changes nothing', () => {
    const lines = ['alpha line', 'beta line', 'gamma line', '}', 'delta line', ''];
    const some = fc.array(
      fc.tuple(fc.subarray(lines, { minLength: 1 }), fc.constantFrom(ai('a'), ai('b'), human), fc.boolean()),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(some, fc.shuffledSubarray(lines, { minLength: 1 }), (made, mine) => {
        const candidates = made.map(([text, origin, there], i) => ({
          source: source(`s${i}`, text, origin),
          standing: there,
          inPlace: false,
          kept: () => new Set<string>(),
        }));
        const voices = (list: typeof candidates) =>
          mine.map(
            (_, i) =>
              anchorContent([target(mine)], list)
                .get('a.ts')
                ?.get(i + 1)?.origin,
          );
        expect(voices([...candidates].reverse())).toEqual(voices(candidates));
      }),
    );
  });
});

describe('lineage', () => {
  test('pairs are closed, the furthest back first, what was put together in git’s order', () => {
    const of = lineage([
      { old: 'a', new: 'b' },
      { old: 'b', new: 't' },
      { old: 'c', new: 't' },
    ]);
    expect(of('t')).toEqual(['a', 'b', 'c']);
    expect(of('x')).toEqual([]);
  });
  test('a circle ends', () => {
    const of = lineage([
      { old: 'a', new: 'b' },
      { old: 'b', new: 'a' },
    ]);
    expect(of('a')).toEqual(['b']);
  });
  test('cherry-pick -x', () => {
    const id = 'a'.repeat(40);
    expect(pickedFrom(`topic\n\n(cherry picked from commit ${id})\n`)).toEqual([id]);
  });
});
