import fc from 'fast-check';
import { EVIDENCE, type Origin } from '../../src/lines/origin.ts';
import type { OriginFile, TraceInput } from '../../src/trace/build.ts';

export const COMMIT = '5e1f'.padEnd(40, '0');

export const written: Origin = {
  type: 'ai',
  evidence: 'observed',
  agent: {
    session: 's1',
    event: 'toolu_1',
    tool: { name: 'claude-code', version: '2.1.197' },
    model: 'anthropic/claude-opus-4-5-20251101',
  },
};
export const typed: Origin = { type: 'human', evidence: 'absent' };
export const lost: Origin = { type: 'unknown', reason: 'a shell command ran without a snapshot' };

export function input(files: readonly OriginFile[], more: Partial<TraceInput> = {}): TraceInput {
  return {
    commit: COMMIT,
    vcs: { type: 'git', revision: COMMIT },
    time: Date.UTC(2026, 0, 23, 14, 30),
    ownVersion: '0.1.0',
    files,
    ...more,
  };
}

const name = fc.constantFrom('s1', 's 2', 'a#b', '__proto__', '\ud800', 'é');
const tool = fc.record(
  { name: fc.constantFrom('claude-code', 'codex', 'x'), version: fc.constantFrom('1', '2') },
  { requiredKeys: ['name'] },
);
const agent = fc.record(
  { session: name, event: name, tool, model: fc.constantFrom('a/b', 'c/d') },
  { requiredKeys: ['session', 'event', 'tool'] },
);
const evidence = fc.constantFrom(...EVIDENCE);

export const origins: fc.Arbitrary<Origin> = fc.oneof(
  fc.record({ type: fc.constantFrom('ai' as const, 'mixed' as const), evidence, agent }),
  fc.record({ type: fc.constant('human' as const), evidence }),
  fc.record({ type: fc.constant('unknown' as const), reason: fc.constantFrom('r1', 'r2') }),
);

const texts = fc.array(fc.constantFrom('', '}', 'a = 1', '\xe9\xff'), { minLength: 1, maxLength: 3 });

/** Mostly short runs with gaps between them. */
const file = (path: string): fc.Arbitrary<OriginFile> =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 3 }), texts, origins), {
      minLength: 1,
      maxLength: 12,
    })
    .map((items) => {
      let next = 1;
      const runs = items.map(([step, lines, origin]) => {
        const start = next + (step === 3 ? 1 : 0);
        next = start + lines.length;
        return { start, lines, origin };
      });
      return { path, blob: 'b10b'.padEnd(40, '0'), runs };
    });

export const inputs: fc.Arbitrary<TraceInput> = fc
  .uniqueArray(fc.constantFrom('a.ts', 'b\\c.ts', '__proto__', 'constructor', '12', 'dir/é.ts'), { minLength: 1 })
  .chain((paths) => fc.tuple(...paths.map(file)))
  .map((files) => input(files));
