import { describe, expect, it } from 'vitest';
import { printVerdictJson } from '../../src/check/json.ts';
import { printVerdict } from '../../src/check/text.ts';
import { judge } from '../../src/check/verdict.ts';
import type { Survey } from '../../src/report/run.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { byAgent, commit, DOUBT, HUMAN, idOf, NO_RECORD, policyOf, run, survey } from './survey.ts';

const paint = paintWith(false);

function printed(looked: Survey, policy: Readonly<Record<string, unknown>>, hook?: 'pre-push' | 'pre-receive'): string {
  return printVerdict(judge(looked, policyOf(policy)), { paint, commits: looked.commits, ...(hook && { hook }) });
}

const small = survey(
  [commit('a1'), commit('b2', { recorded: false, subject: 'add the parser' })],
  [
    run('a1', 'src/a.ts:1-3', byAgent({ tool: 'codex', model: null })),
    run('a1', 'src/a.ts:5-5', byAgent({ tool: 'codex', model: null })),
    run('a1', 'src/a.ts:8-9', DOUBT),
    run('b2', 'src/b.ts:1-20', NO_RECORD),
    run('b2', 'src/c.ts:7-7', NO_RECORD),
  ],
  { excluded: [{ path: 'go.sum', why: 'lock file', lines: 7 }] },
);
const strict = { requireAttribution: 'block', maxUnknownShare: 0.2, allowModels: ['anthropic/*'], requireSeal: 'warn' };

describe('the text', () => {
  it('says what is wrong, where, and what to do next', () => {
    expect(printed(small, strict, 'pre-push')).toBe(`The push is stopped: 3 things in the way and 1 warning.

BLOCK No record says who wrote the lines of this commit (requireAttribution)
  b2b2b2b2b2 add the parser (Ada): 21 lines, no record
      src/b.ts:1-20
      src/c.ts:7
  -> git agent backfill b2b2b2b2b2  looks for the session in the agents' own transcripts on this machine
  -> git agent declare b2b2b2b2b2 --human  if a person wrote it
  -> git agent declare b2b2b2b2b2 --tool NAME --model ID  if an agent wrote it and its session is gone
  -> git agent fetch  if somebody else has the records

BLOCK Too many added lines are unknown (maxUnknownShare)
  85 % of 27 lines; the policy allows 20 %; mostly: no record (21 lines)
      a1a1a1a1a1 src/a.ts:8-9
      b2b2b2b2b2 src/b.ts:1-20
      b2b2b2b2b2 src/c.ts:7
  -> git agent join COMMIT  joins the recorded sessions to the commit again
  -> git agent backfill COMMIT  looks for the session in the agents' own transcripts on this machine
  -> git agent declare COMMIT --human  if a person wrote it

BLOCK A model wrote lines that the policy does not allow (allowModels)
  a1a1a1a1a1 work a1 (Ada): 4 lines: the model is not known
      src/a.ts:1-3,5
  -> write the lines anew, or have the model added to allowModels
  -> git agent backfill a1a1a1a1a1  if the model is not known: a transcript may name it

WARN A record has no valid seal (requireSeal)
  a1a1a1a1a1 work a1 (Ada): record t-a1 is not sealed
      src/a.ts:1-3,5,8-9
  -> git agent seal a1a1a1a1a1  seals the records with your signing key
  -> git agent verify a1a1a1a1a1  says what is wrong with a seal

2 commits and 27 lines judged (ai 4, mixed 0, human 0, unknown 23); 1 file left out.
To push all the same: git push --no-verify, or AGENT_CHECK=off in the environment.
`);
  });

  it('is short when all is well', () => {
    const looked = survey([commit('a1')], [run('a1', 'a.ts:1-1', HUMAN)]);
    expect(printed(looked, strict)).toContain('The policy is kept, with 1 warning.\n');
    expect(printed(looked, {}, 'pre-push')).toBe(
      'The policy is kept.\n\n1 commit and 1 line judged (ai 0, mixed 0, human 1, unknown 0).\n',
    );
  });

  it('names no way around a server', () => {
    expect(printed(small, strict, 'pre-receive')).not.toContain('--no-verify');
    expect(printed(small, strict)).toMatch(/^The policy says no: 3 things/);
  });

  it('stays readable with a thousand findings', () => {
    const names = Array.from({ length: 1000 }, (_, i) => (4096 + i).toString(16));
    const runs = names.flatMap((name) => Array.from({ length: 9 }, (_, i) => run(name, `f${i}.ts:1-2`, NO_RECORD)));
    const text = printed(
      survey(
        names.map((name) => commit(name, { recorded: false })),
        runs,
      ),
      strict,
    );
    expect(text).toContain('  and 990 more\n');
    expect(text).toContain('      and 6 more files\n');
    expect(text).toContain('  -> git agent backfill COMMIT  ');
    expect(text.split('\n').length).toBeLessThan(80);
  });

  it('obeys nobody: no escapes, no line breaks, no endless names', () => {
    const evil = '\x1b]0;title\x07\x1b[2J\u202e\nBLOCK not ours';
    const looked = survey(
      [
        commit('a1', { subject: evil, author: `${evil}${'x'.repeat(9999)}`, recorded: false }),
        { ...commit('b2'), id: evil },
      ],
      [
        { ...run('a1', 'a:1-1', NO_RECORD), path: evil },
        { ...run('b2', 'b:1-1', byAgent({ tool: evil })), commit: evil, trace: evil },
        { ...run('a1', 'c:1-1', DOUBT), origin: { type: 'unknown', reason: evil } },
      ],
    );
    const text = printed(looked, { ...strict, maxUnknownShare: 0, allowTools: [] });
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^BLOCK not ours/m);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(260);
  });
});

describe('the JSON', () => {
  it('has everything', () => {
    const looked = survey(
      [commit('a1', { recorded: false })],
      [run('a1', 'a.ts:1-3', NO_RECORD), run('a1', 'a.ts:7-7', NO_RECORD)],
    );
    expect(JSON.parse(printVerdictJson(judge(looked, policyOf({ requireAttribution: 'block' }))))).toEqual({
      schema: 'git-agent-blame/check@1',
      scope: { kind: 'added', range: 'main..topic', commits: 1 },
      blocked: true,
      counts: {
        commits: 1,
        unattributedCommits: 1,
        lines: { total: 4, ai: 0, human: 0, mixed: 0, unknown: 4 },
        findings: { block: 1, warn: 0 },
      },
      findings: [
        {
          rule: 'requireAttribution',
          level: 'block',
          message: '4 lines, no record',
          commit: idOf('a1'),
          subject: null,
          places: [
            {
              commit: idOf('a1'),
              path: 'a.ts',
              lines: [
                { start: 1, end: 3 },
                { start: 7, end: 7 },
              ],
            },
          ],
          next: [
            {
              command: 'git agent backfill a1a1a1a1a1',
              does: "looks for the session in the agents' own transcripts on this machine",
            },
            { command: 'git agent declare a1a1a1a1a1 --human', does: 'if a person wrote it' },
            {
              command: 'git agent declare a1a1a1a1a1 --tool NAME --model ID',
              does: 'if an agent wrote it and its session is gone',
            },
            { command: 'git agent fetch', does: 'if somebody else has the records' },
          ],
        },
      ],
      exempt: [],
      excluded: { files: 0, lines: 0 },
      skippedNotes: 0,
      unreadNotes: [],
      missingCommits: 0,
    });
  });
});
