import fc from 'fast-check';
import { type Policy, parsePolicy } from '../../src/check/policy.ts';
import type { Origin } from '../../src/lines/origin.ts';
import type { ReportedCommit, Run, Survey } from '../../src/report/run.ts';

export const CLAUDE = 'anthropic/claude-opus-4-5-20251101';

/** A policy as a team writes it. */
export function policyOf(written: Readonly<Record<string, unknown>>): Policy {
  const parsed = parsePolicy(JSON.stringify(written));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.policy;
}

/** `c1` -> c1c1c1...: 40 digits. */
export function idOf(name: string): string {
  return name.repeat(40).slice(0, 40);
}

export function commit(name: string, more: Partial<ReportedCommit> = {}): ReportedCommit {
  const time = Date.UTC(2026, 5, 1) / 1000;
  return {
    id: idOf(name),
    author: 'Ada',
    mail: 'ada@example.com',
    time,
    subject: `work ${name}`,
    recorded: true,
    ...more,
  };
}

export interface Agent {
  readonly tool?: string;
  readonly model?: string | null;
  readonly session?: string;
}

export function byAgent(
  { tool = 'claude-code', model = CLAUDE, session = 's1' }: Agent = {},
  type: 'ai' | 'mixed' = 'ai',
): Origin {
  return {
    type,
    evidence: 'observed',
    agent: { session, event: 'e1', tool: { name: tool }, ...(model !== null && { model }) },
  };
}

export const HUMAN: Origin = { type: 'human', evidence: 'absent' };
export const NO_RECORD: Origin = { type: 'unknown', reason: 'no record' };
export const DOUBT: Origin = { type: 'unknown', reason: 'a shell command without a snapshot' };

/** Lines `start` to `end` of `path`; what has no record is found in no way. */
export function run(name: string, at: string, origin: Origin): Run {
  const [, path = '', start, end] = /^(.*):(\d+)-(\d+)$/.exec(at) ?? [];
  const found = origin === NO_RECORD ? {} : ({ via: 'note', trace: `t-${name}` } as const);
  return { commit: idOf(name), path, start: Number(start), end: Number(end), origin, ...found };
}

export function survey(commits: readonly ReportedCommit[], runs: readonly Run[], more: Partial<Survey> = {}): Survey {
  const scope = { kind: 'added', range: 'main..topic', commits: commits.length } as const;
  return { scope, runs, commits: new Map(commits.map((one) => [one.id, one])), excluded: [], skipped: 0, ...more };
}

const origins = fc.oneof(
  fc.constantFrom(HUMAN, DOUBT, byAgent({}, 'mixed'), byAgent({ session: '' })),
  fc
    .record({ tool: fc.constantFrom('codex', 'cursor'), model: fc.constantFrom('openai/gpt-5', CLAUDE, null) })
    .map((agent) => byAgent(agent)),
);

/** Some commits with their runs; those without a record have lines that nobody knows. */
export const surveys: fc.Arbitrary<Survey> = fc
  .array(
    fc.record({
      recorded: fc.boolean(),
      mail: fc.constantFrom('ada@example.com', 'dependabot[bot]@users.noreply.github.com'),
      time: fc.constantFrom(Date.UTC(2025, 0, 1) / 1000, Date.UTC(2026, 0, 1) / 1000),
      lines: fc.array(fc.tuple(origins, fc.constantFrom('a.ts', 'b.md', 'dist/c.js'), fc.integer({ min: 1, max: 9 })), {
        maxLength: 5,
      }),
    }),
    { maxLength: 6 },
  )
  .chain((made) => {
    const commits = made.map(({ recorded, mail, time }, i) => commit(`${i}a`, { recorded, mail, time }));
    const runs = made.flatMap(({ recorded, lines }, i) =>
      lines.map(([origin, path, count], j) =>
        run(`${i}a`, `${path}:${j * 10 + 1}-${j * 10 + count}`, recorded ? origin : NO_RECORD),
      ),
    );
    return fc.record({ skipped: fc.constantFrom(0, 0, 2) }).map((more) => survey(commits, runs, more));
  });

const levels = fc.constantFrom('off', 'warn', 'block');
const shares = fc.constantFrom(null, 0, 0.2, 0.5, 1);

export const policies: fc.Arbitrary<Policy> = fc
  .record(
    {
      requireAttribution: levels,
      requireConversation: levels,
      requireSeal: levels,
      maxAiShare: shares,
      maxUnknownShare: shares,
      allowTools: fc.constantFrom(['*'], [], ['codex']),
      allowModels: fc.constantFrom(['*'], ['openai/*']),
      exclude: fc.constantFrom([], ['*.md'], ['dist/**']),
      since: fc.constantFrom(null, '2025-06-01'),
      exemptAuthors: fc.constantFrom([], ['*[bot]@*']),
    },
    { requiredKeys: [] },
  )
  .map(policyOf);
