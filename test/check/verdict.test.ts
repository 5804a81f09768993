import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_POLICY, type Policy } from '../../src/check/policy.ts';
import type { Seals } from '../../src/check/rulings.ts';
import { judge } from '../../src/check/verdict.ts';
import type { Survey } from '../../src/report/run.ts';
import {
  byAgent,
  CLAUDE,
  commit,
  DOUBT,
  HUMAN,
  idOf,
  NO_RECORD,
  policies,
  policyOf,
  run,
  survey,
  surveys,
} from './survey.ts';

const unrecorded = { recorded: false };

/** Seals of which one answer is known for each record. */
const sealsBy = (of: Seals['of'], ...gone: string[]): Seals => ({ of, gone: () => gone });

/** Rule and message of each finding. */
function told(looked: Survey, policy: Policy | Readonly<Record<string, unknown>>, seals?: Seals): string[] {
  const asked = 'requireSeal' in policy && 'exclude' in policy ? (policy as Policy) : policyOf(policy);
  return judge(looked, asked, seals).findings.map(({ rule, level, message }) => `${level} ${rule}: ${message}`);
}

describe('requireAttribution', () => {
  it('asks for a record of every commit that adds lines', () => {
    const looked = survey(
      [commit('a1'), commit('b2', unrecorded), commit('c3', unrecorded)],
      [
        run('a1', 'a.ts:1-3', HUMAN),
        run('b2', 'b.ts:4-5', NO_RECORD),
        run('b2', 'b.ts:1-3', NO_RECORD),
        run('b2', 'a.ts:9-9', NO_RECORD),
      ],
    );
    const verdict = judge(looked, policyOf({ requireAttribution: 'block' }));
    expect(verdict.blocked).toBe(true);
    expect(verdict.counts).toMatchObject({ commits: 2, unattributed: 1, block: 1, warn: 0 });
    expect(verdict.findings).toEqual([
      {
        rule: 'requireAttribution',
        level: 'block',
        message: '6 lines, no record',
        commit: idOf('b2'),
        places: [
          { commit: idOf('b2'), path: 'a.ts', ranges: [{ start: 9, end: 9 }] },
          { commit: idOf('b2'), path: 'b.ts', ranges: [{ start: 1, end: 5 }] },
        ],
      },
    ]);
    expect(judge(looked, policyOf({ requireAttribution: 'warn' }))).toMatchObject({
      blocked: false,
      counts: { warn: 1 },
    });
  });

  it('takes an honest unknown for an answer, and silence for none', () => {
    const honest = survey([commit('a1')], [run('a1', 'a.ts:1-3', DOUBT)]);
    expect(told(honest, { requireAttribution: 'block' })).toEqual([]);
    const silent = survey([commit('a1')], [run('a1', 'a.ts:1-3', NO_RECORD)]);
    expect(told(silent, { requireAttribution: 'block' })).toEqual([
      'block requireAttribution: 3 lines, its record speaks of none of them',
    ]);
  });

  it('looks at commits that the survey does not tell of', () => {
    const looked = survey([], [run('a1', 'a.ts:1-1', NO_RECORD)]);
    expect(told(looked, { requireAttribution: 'block' })).toEqual(['block requireAttribution: 1 line, no record']);
  });
});

describe('shares', () => {
  const looked = survey(
    [commit('a1')],
    [
      run('a1', 'a.ts:1-2', byAgent()),
      run('a1', 'a.ts:3-3', byAgent({}, 'mixed')),
      run('a1', 'a.ts:4-6', HUMAN),
      run('a1', 'a.ts:7-10', DOUBT),
    ],
  );

  it.each([
    [0.4, []],
    [
      0.39,
      [
        'block maxUnknownShare: 40 % of 10 lines; the policy allows 39 %; mostly: a shell command without a snapshot (4 lines)',
      ],
    ],
    [
      0.3999,
      [
        'block maxUnknownShare: 40.00 % of 10 lines; the policy allows 39.99 %; mostly: a shell command without a snapshot (4 lines)',
      ],
    ],
    [null, []],
  ])('unknown lines, at most %s', (maxUnknownShare, findings) =>
    expect(told(looked, { maxUnknownShare })).toEqual(findings),
  );

  it.each([
    [0.5, []],
    [
      0.3,
      [
        'block maxAiShare: 50 % of the 6 lines whose author is known, 1 line of both hands among them; the policy allows 30 %',
      ],
    ],
    [
      0,
      [
        'block maxAiShare: 50 % of the 6 lines whose author is known, 1 line of both hands among them; the policy allows 0 %',
      ],
    ],
    [null, []],
  ])('lines of agents, at most %s', (maxAiShare, findings) => expect(told(looked, { maxAiShare })).toEqual(findings));

  it('nothing is no share of anything', () => {
    expect(told(survey([], []), { maxAiShare: 0, maxUnknownShare: 0 })).toEqual([]);
  });
});

describe('allowed agents and models', () => {
  const looked = survey(
    [commit('a1')],
    [
      run('a1', 'a.ts:1-2', byAgent()),
      run('a1', 'a.ts:3-3', byAgent({ tool: 'codex', model: 'openai/gpt-5' }, 'mixed')),
      run('a1', 'a.ts:4-6', byAgent({ tool: 'codex', model: null })),
      run('a1', 'a.ts:7-9', HUMAN),
    ],
  );

  it.each([
    [{ allowTools: ['claude-*', 'CODEX'] }, []],
    [{ allowTools: ['claude-code'] }, ['block allowTools: 4 lines by codex']],
    [{ allowTools: [] }, ['block allowTools: 2 lines by claude-code', 'block allowTools: 4 lines by codex']],
    [{ allowModels: ['*'] }, []],
    [{ allowModels: ['anthropic/*', 'openai/*'] }, ['block allowModels: 3 lines: the model is not known']],
    [
      { allowModels: ['openai/*'] },
      ['block allowModels: 3 lines: the model is not known', `block allowModels: 2 lines by ${CLAUDE}`],
    ],
  ])('%j', (policy, findings) => expect(told(looked, policy)).toEqual(findings));
});

describe('requireConversation', () => {
  it('asks lines of agents for a session or an address', () => {
    const nameless = byAgent({ session: '' });
    const looked = survey(
      [commit('a1')],
      [
        run('a1', 'a.ts:1-2', nameless),
        { ...run('a1', 'b.ts:1-2', nameless), conversation: 'https://example.com/1' },
        run('a1', 'c.ts:1-2', byAgent()),
        run('a1', 'd.ts:1-2', HUMAN),
      ],
    );
    const { findings } = judge(looked, policyOf({ requireConversation: 'warn' }));
    expect(findings).toMatchObject([
      { level: 'warn', message: '2 lines by agents without a conversation', places: [{ path: 'a.ts' }] },
    ]);
  });
});

describe('requireSeal', () => {
  const looked = survey(
    [commit('a1'), commit('b2'), commit('c3', unrecorded)],
    [run('a1', 'a.ts:1-2', HUMAN), run('b2', 'b.ts:1-2', byAgent()), run('c3', 'c.ts:1-2', NO_RECORD)],
  );
  const bad = { ok: false, why: 'the key is not among the allowed signers' } as const;

  it('asks every record for a valid seal', () => {
    const policy = { requireSeal: 'block' };
    expect(told(looked, policy)).toEqual([
      'block requireSeal: record t-a1 is not sealed',
      'block requireSeal: record t-b2 is not sealed',
    ]);
    expect(
      told(
        looked,
        policy,
        sealsBy(() => ({ ok: true })),
      ),
    ).toEqual([]);
    expect(
      told(
        looked,
        policy,
        sealsBy((record) => (record === 't-a1' ? { ok: true } : bad)),
      ),
    ).toEqual(['block requireSeal: record t-b2: the key is not among the allowed signers']);
    expect(
      told(
        looked,
        { requireSeal: 'off' },
        sealsBy(() => bad, 't-x'),
      ),
    ).toEqual([]);
  });

  it('what was sealed has to be there still, also where no record is left', () => {
    const one = survey([commit('c3')], [run('c3', 'c.ts:1-2', NO_RECORD)]);
    const seals = sealsBy(() => undefined, 't-x');
    expect(told(one, { requireSeal: 'block' }, seals)).toEqual([
      'block requireSeal: record t-x was sealed, and was removed, altered or replaced',
    ]);
  });

  it('a record without an id cannot have one', () => {
    const { trace: _, ...nameless } = run('a1', 'a.ts:1-2', HUMAN);
    expect(
      told(
        survey([commit('a1')], [nameless]),
        { requireSeal: 'warn' },
        sealsBy(() => ({ ok: true })),
      ),
    ).toEqual(['warn requireSeal: a record without an id is not sealed']);
  });
});

describe('what is not judged', () => {
  const bot = { mail: 'dependabot[bot]@users.noreply.github.com', author: 'dependabot', ...unrecorded };
  const looked = survey(
    [
      commit('a1', { time: Date.UTC(2025, 11, 31, 23, 59, 59) / 1000, ...unrecorded }),
      commit('b2', bot),
      commit('c3', { time: Date.UTC(2026, 0, 1) / 1000, ...unrecorded }),
    ],
    [
      run('a1', 'a.ts:1-2', NO_RECORD),
      run('b2', 'b.ts:1-3', NO_RECORD),
      run('c3', 'c.ts:1-4', NO_RECORD),
      run('c3', 'dist/x.js:1-5', NO_RECORD),
    ],
    { excluded: [{ path: 'go.sum', why: 'lock file', lines: 7 }] },
  );

  it('is counted apart', () => {
    const policy = {
      requireAttribution: 'block',
      since: '2026-01-01',
      exemptAuthors: ['*[bot]@*'],
      exclude: ['dist/**'],
    };
    const verdict = judge(looked, policyOf(policy));
    expect(verdict.findings.map(({ message }) => message)).toEqual(['4 lines, no record']);
    expect(verdict.exempt).toEqual([
      { commit: idOf('a1'), why: 'since', lines: 2 },
      { commit: idOf('b2'), why: 'author', lines: 3 },
    ]);
    expect(verdict.excluded).toEqual({ files: 2, lines: 12 });
    expect(verdict.counts).toMatchObject({ commits: 1, lines: { total: 4 } });
  });

  it.each([[['dependabot <*>']], [['DependaBot[bot]@users.noreply.github.com']]])('authors by %j', (exemptAuthors) => {
    expect(judge(looked, policyOf({ exemptAuthors })).exempt.map(({ commit: id }) => id)).toEqual([idOf('b2')]);
  });
});

it('a commit without a date is judged whatever since says', () => {
  const looked = survey([commit('a1', { time: 0, recorded: false })], [run('a1', 'a.ts:1-3', NO_RECORD)]);
  const policy = policyOf({ requireAttribution: 'block', since: '2026-01-01' });
  expect(judge(looked, policy)).toMatchObject({ blocked: true, exempt: [] });
});

describe('notes that cannot be read', () => {
  const looked = survey([], [], { skipped: 2 });
  it.each([
    [{}, []],
    [{ requireAttribution: 'off' }, []],
    [{ maxAiShare: 0.5 }, ['warn unreadableNotes: 2 notes could not be read']],
    [{ requireAttribution: 'warn' }, ['warn unreadableNotes: 2 notes could not be read']],
    [{ requireAttribution: 'warn', requireSeal: 'block' }, ['block unreadableNotes: 2 notes could not be read']],
  ])('%j', (policy, findings) => {
    expect(told(looked, policy)).toEqual(findings);
    expect(judge(looked, policyOf(policy)).skipped).toBe(2);
  });
});

describe('commits whose contents are not here', () => {
  const says = 'unreadableCommits: the contents of 2 commits are not in this clone';
  const looked = survey([], [], { skipped: 2, lacking: [idOf('c1'), idOf('c2')] });
  it.each([
    [{}, []],
    [{ requireAttribution: 'warn' }, [`warn ${says}`]],
    [{ requireAttribution: 'block' }, [`block ${says}`]],
    [{ maxUnknownShare: 1 }, [`block ${says}`]],
    [{ requireAttribution: 'warn', allowModels: [] }, [`block ${says}`]],
  ])('%j', (policy, findings) => {
    expect(told(looked, policy)).toEqual(findings);
    expect(judge(looked, policyOf(policy))).toMatchObject({ skipped: 0, lacking: 2 });
  });
});

/** With several rules one hides what another lets through. */
const singles = fc
  .oneof(
    fc.record({ maxAiShare: fc.constantFrom(0, 0.2, 0.5) }),
    fc.record({ maxUnknownShare: fc.constantFrom(0, 0.2, 0.5) }),
    fc.constantFrom({ allowTools: [] }, { requireSeal: 'block' }, { requireConversation: 'block' }),
  )
  .map(policyOf);

describe('laws of a verdict', () => {
  it('shuffling runs and commits changes nothing', () => {
    const shuffled = surveys.chain((one) =>
      fc
        .tuple(
          fc.shuffledSubarray([...one.runs], { minLength: one.runs.length }),
          fc.shuffledSubarray([...one.commits], { minLength: one.commits.size }),
        )
        .map(([runs, commits]) => [one, { ...one, runs, commits: new Map(commits) }] as const),
    );
    fc.assert(
      fc.property(shuffled, policies, ([one, other], policy) => {
        expect(judge(other, policy)).toEqual(judge(one, policy));
      }),
    );
  });

  it('a policy that is off never finds anything', () => {
    fc.assert(
      fc.property(surveys, policies, (looked, { exclude, since, exemptAuthors }) => {
        expect(judge(looked, { ...NO_POLICY, exclude, since, exemptAuthors }).findings).toEqual([]);
      }),
    );
  });

  it('is blocked exactly when a finding blocks', () => {
    fc.assert(
      fc.property(surveys, policies, (looked, policy) => {
        const { blocked, findings, counts } = judge(looked, policy);
        expect(blocked).toBe(findings.some(({ level }) => level === 'block'));
        expect(counts.block + counts.warn).toBe(findings.length);
      }),
    );
  });

  it('a commit without a record never opens the gate', () => {
    const added = fc.tuple(
      surveys,
      fc.oneof(policies, singles),
      fc.integer({ min: 0, max: 1000 }),
      fc.constantFrom('new.ts', 'b.md'),
    );
    fc.assert(
      fc.property(added, ([looked, policy, lines, path]) => {
        const more = commit('ff', unrecorded);
        const runs = lines === 0 ? looked.runs : [...looked.runs, run('ff', `${path}:1-${lines}`, NO_RECORD)];
        const grown = { ...looked, runs, commits: new Map([...looked.commits, [more.id, more]]) };
        if (judge(looked, policy).blocked) expect(judge(grown, policy).blocked).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('the laws see verdicts of both kinds', () => {
    const seen = fc.sample(fc.tuple(surveys, policies), 300).map(([looked, policy]) => judge(looked, policy).blocked);
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });
});
