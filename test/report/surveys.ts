import fc from 'fast-check';
import { EVIDENCE, type Origin, unknown } from '../../src/lines/origin.ts';
import { type Report, reportOf } from '../../src/report/report.ts';
import type { Excluded, ReportedCommit, Run, Survey } from '../../src/report/run.ts';
import { VIAS } from '../../src/report/tally.ts';
import { anyCharacter } from '../support/laws.ts';

const OPUS = 'anthropic/claude-opus-4-5-20251101';
export const ONE = '1'.repeat(40);
export const TWO = '2'.repeat(40);

export const AI: Origin = {
  type: 'ai',
  evidence: 'observed',
  agent: { session: 's1', event: 'e1', tool: { name: 'claude-code', version: '2.1.197' }, model: OPUS },
};
export const MIXED: Origin = {
  type: 'mixed',
  evidence: 'replayed',
  agent: { session: '', event: '', tool: { name: 'codex' } },
};
export const HUMAN: Origin = { type: 'human', evidence: 'absent' };

/** Lines of one commit and file; what a test does not care about is filled in. */
export function run(path: string, [start, end]: readonly [number, number], over: Partial<Run> = {}): Run {
  const origin = over.origin ?? AI;
  const known = origin.type === 'unknown' ? {} : { via: 'note' as const, trace: 't1' };
  const spoken = origin.agent ? { conversation: 'agentlog:s1#e1' } : {};
  return { commit: ONE, path, start, end, origin, ...known, ...spoken, ...over };
}

export function commit(id: string, over: Partial<ReportedCommit> = {}): ReportedCommit {
  const known = { author: 'Ada', mail: 'ada@example.com', time: 1_767_355_200, subject: 'one' };
  return { id, ...known, recorded: true, ...over };
}

export function survey(runs: readonly Run[], over: Partial<Survey> = {}): Survey {
  const commits = [...new Set(runs.map((one) => one.commit))].map((id) => [id, commit(id)] as const);
  const scope = { kind: 'added', range: 'main..HEAD', commits: commits.length } as const;
  return { scope, runs, commits: new Map(commits), excluded: [], skipped: 0, ...over };
}

/** 1,000 lines of an agent, 40 mixed ones, 190 of Ada, 4 unknown: 1,234 in all. */
export function small(): Report {
  const runs = [
    run('src/a.ts', [1, 1000]),
    run('src/a.ts', [1001, 1040], { origin: MIXED, via: 'change-id' }),
    run('src/b.ts', [1, 190], { origin: HUMAN }),
    run('src/b.ts', [191, 194], { origin: unknown('no record'), commit: TWO }),
  ];
  const commits = new Map([
    [ONE, commit(ONE)],
    [TWO, commit(TWO, { recorded: false })],
  ]);
  const excluded: Excluded[] = [
    { path: 'logo.png', why: 'binary', lines: 0 },
    { path: 'package-lock.json', why: 'lock file', lines: 1200 },
  ];
  return reportOf(
    survey(runs, { commits, excluded, skipped: 1, scope: { kind: 'added', range: 'main..HEAD', commits: 2 } }),
  );
}

/** Whatever a name can do to a terminal, to Markdown or to a forge. */
export const EVIL = [
  '| x | `y` ``` |',
  '@ada #123 !4 [a](https://example.com) ![b](c)',
  '</details><script>alert(1)</script><!-- marker -->',
  'a\nb\r\n# c\n/close',
  '\x1b[2J\x1b]0;title\x07red\u202egnp.exe',
  '**bold** _it_ ~~no~~ {0} $x$ &lt; \\',
] as const;

/** Every name in it is hostile. */
export function hostile(): Report {
  const [table, mention, html, lines, escapes, marks] = EVIL;
  const agent = { session: mention, event: html, tool: { name: table, version: lines }, model: marks };
  const runs = [
    run(`dir/${lines}`, [1, 2], { origin: { type: 'ai', evidence: 'observed', agent }, conversation: html }),
    run(table, [1, 1], { origin: { type: 'ai', evidence: 'declared', agent: { ...agent, model: escapes } } }),
    run('"a\\377b"', [3, 3], { origin: unknown(mention), commit: TWO }),
    run('__proto__', [1, 1], {
      origin: { type: 'mixed', evidence: 'matched', agent: { ...agent, tool: { name: html } } },
    }),
  ];
  const commits = new Map([
    [ONE, commit(ONE, { author: escapes, mail: mention, subject: html })],
    [TWO, commit(TWO, { author: '山田太郎', mail: '', recorded: false })],
  ]);
  const excluded: Excluded[] = [{ path: html, why: 'generated', lines: 7 }];
  return reportOf(survey(runs, { commits, excluded, scope: { kind: 'added', range: mention, commits: 2 } }));
}

const anyName = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(...EVIL, '', ' ', 'constructor', '\ud800', '山'.repeat(90), 'a/'.repeat(200), 'e\u0301'.repeat(500)),
);
const anyAgent = fc.record({
  session: anyName,
  event: anyName,
  tool: fc.record({ name: anyName, version: anyName }, { requiredKeys: ['name'] }),
  model: anyName,
});
const anyOrigin: fc.Arbitrary<Origin> = fc.oneof(
  fc.record({ type: fc.constantFrom('ai', 'mixed'), evidence: fc.constantFrom(...EVIDENCE), agent: anyAgent }),
  fc.constant(HUMAN),
  anyName.map((reason) => unknown(reason)),
);
const anyRun: fc.Arbitrary<Run> = fc
  .record({
    commit: fc.constantFrom(ONE, TWO, '', '0'.repeat(40)),
    path: anyName,
    start: fc.integer({ min: 1, max: 1000 }),
    length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200_000 })),
    origin: anyOrigin,
    via: fc.constantFrom(undefined, ...VIAS),
  })
  .map(({ start, length, via, ...rest }) => ({ ...rest, start, end: start + length - 1, ...(via && { via }) }));

/** A report of anything: no name in it is honest. */
export const anyReport: fc.Arbitrary<Report> = fc
  .record({
    runs: fc.array(anyRun, { maxLength: 30 }),
    author: anyName,
    mail: anyName,
    excluded: fc.array(fc.record({ path: anyName, why: fc.constantFrom('binary', 'policy'), lines: fc.nat(99_999) }), {
      maxLength: 12,
    }),
    scope: fc.oneof(
      fc.record({ kind: fc.constant('added'), range: anyName, commits: fc.nat(1000) }),
      fc.record({ kind: fc.constant('standing'), revision: anyName, files: fc.nat(1000) }),
    ),
    skipped: fc.nat(3),
  })
  .map(({ runs, author, mail, excluded, scope, skipped }) => {
    const commits = new Map([
      [ONE, commit(ONE, { author, mail })],
      [TWO, commit(TWO, { recorded: false })],
    ]);
    return reportOf({ runs, commits, excluded: excluded as Excluded[], scope: scope as Survey['scope'], skipped });
  });
