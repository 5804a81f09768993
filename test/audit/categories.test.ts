import { describe, expect, it, test } from 'vitest';
import { type Approval, approvalsOf, decisionsIn, declarationOf } from '../../src/audit/approvals.ts';
import { auditOf } from '../../src/audit/audit.ts';
import { categoriesOf, stateOf } from '../../src/audit/categories.ts';
import type { Material } from '../../src/audit/material.ts';
import { printReadme } from '../../src/audit/readme.ts';
import { printAudit } from '../../src/audit/text.ts';
import { reportOf } from '../../src/report/report.ts';
import type { Run, Survey } from '../../src/report/run.ts';
import { decision, edit, event, prompt, session } from './session.ts';

const ai = (start: number, end: number, step: string): Run => ({
  ...{ path: 'a.ts', start, end, commit: 'c1', via: 'note', trace: 'r1' },
  origin: {
    type: 'ai',
    evidence: 'observed',
    agent: { session: 's', event: step, tool: { name: 'claude-code' } },
  },
});

const survey: Survey = {
  scope: { kind: 'added', range: 'x', commits: 2 },
  runs: [
    ai(1, 4, 'e'),
    ai(5, 6, 'gone'),
    { path: 'a.ts', start: 7, end: 10, commit: 'c2', origin: { type: 'unknown', reason: 'no record' } },
  ],
  commits: new Map(
    ['c1', 'c2'].map((id) => [
      id,
      { id, author: 'Ada', mail: 'ada@example.com', time: 0, subject: '', recorded: id === 'c1' },
    ]),
  ),
  excluded: [],
  skipped: 0,
};

const material: Material = {
  report: reportOf(survey),
  records: [{ version: '0.1.0', id: 'r1', timestamp: '2026-01-01T00:00:00Z', files: [] }],
  seals: { sealed: 3, refused: 0, altered: 1, gone: 0, elsewhere: 0, overruled: 0, unsealed: 0 },
  documents: [
    session('s', [prompt('p', 0, 'do it'), edit('e', 1, 'a.ts'), decision('d', 2, 'make')]),
    session('t', [event('o', 3, { type: 'opaque', raw: {} }), event('x', 0, { type: 'error', timestamp: 'soon' })]),
  ],
  referred: ['s', 'lost'],
  capture: { since: '2025-01-01T00:00:00.000Z', agents: ['claude-code'] },
  retention: { period: '12 months', isYear: true },
  approvals: [],
  divergence: [],
  edits: { all: 5, seen: 0, shown: 0 },
};

describe('the eleven categories', () => {
  it('each by its figure', () => {
    const rows = categoriesOf(material);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(rows.map(({ name, state, part, whole }) => [name, state, part, whole])).toEqual([
      ['automatic recording', 'partly', 1, 2],
      ['timestamps', 'partly', 5, 6],
      ['actors', 'partly', 6, 10],
      ['actions', 'partly', 4, 5],
      ['inputs and outputs', 'partly', 1, 2],
      ['retention', 'partly', 1, 2],
      ['integrity', 'partly', 3, 4],
      ['incidents', 'partly', 4, 5],
      ['anomalies', 'not met', 0, 5],
      ['oversight', 'partly', 1, 2],
      ['traceability', 'partly', 4, 6],
    ]);
  });

  it('a short period does not keep enough, however much is there', () => {
    const short = { ...material, referred: ['s'], retention: { period: '6 months', isYear: false } };
    expect(categoriesOf(short)[5]).toMatchObject({ name: 'retention', state: 'not met', part: 1, whole: 1 });
    const long = { ...short, retention: material.retention };
    expect(categoriesOf(long)[5]).toMatchObject({ state: 'met' });
  });

  it('prompts alone are no oversight: reasoning and what a person decides are', () => {
    const oversight = (...events: Parameters<typeof session>[1]) => {
      const documents = [session('s', [prompt('p', 0, 'do it'), ...events])];
      const { state, figure } =
        categoriesOf({ ...material, documents, approvals: documents.flatMap(decisionsIn) })[9] ?? {};
      return [state, figure];
    };
    const none = 'decisions 0, reasoning 0, reviews in commits 0';
    const alone = `0 of 1 session with reasoning or a person's decision (${none}); in 1 a person's prompts alone`;
    expect(oversight()).toEqual(['not met', alone]);
    const byRule = event('d', 1, { type: 'approval', action: 'make', approver: 'policy', decision: 'denied' });
    expect(oversight(byRule)).toEqual(['not met', alone]);
    const decided =
      "1 of 1 session with reasoning or a person's decision (decisions 1, reasoning 0, reviews in commits 0)";
    expect(oversight(decision('d', 1, 'make'))).toEqual(['met', decided]);
    expect(oversight(event('r', 1, { type: 'reasoning', rationale: 'since' }))[0]).toBe('met');
  });

  it.each([
    [0, 0, 'no data'],
    [0, 3, 'not met'],
    [1, 3, 'partly'],
    [3, 3, 'met'],
  ])('%i of %i: %s', (part, whole, state) => expect(stateOf({ part, whole })).toBe(state));
});

describe('printed', () => {
  const audit = auditOf(
    { ...material, capture: { since: 'x', agents: ['a|b\x1b[31m\n# Title'] } },
    { range: 'main\x1b]0;x\x07`', commits: 2, until: null },
  );

  it('what strangers named ends no cell, no line, and moves no cursor', () => {
    const readme = printReadme(audit, '1.2.3');
    const rows = readme.split('\n').filter((line) => line.startsWith('| 1 '));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.match(/(?<!\\)\|/g)).toHaveLength(6);
    expect(readme).not.toMatch(/[\x1b\x07]|^# Title/m);
    const text = [...printAudit(audit, [], { width: 60, paint: (_, words) => words })].join('');
    expect(text).not.toMatch(/[\x1b\x07]/);
    for (const line of text.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(70);
  });
});

describe('who approved what', () => {
  it('in sessions and in commits', () => {
    expect(material.documents.flatMap(decisionsIn)).toMatchObject([
      { kind: 'decision', by: 'user', session: 's', event: 'd', decision: 'denied', action: 'make', tool: 'Bash' },
    ]);
    const commit = { id: 'c', committer: 'Ada <ada@example.com>', time: 't', agentLines: 2 };
    const message = 'x\n\nReviewed-by: Ben <ben@example.com>\r\nSee-also: y\nacked-by: Cleo';
    const approvals = approvalsOf({ ...commit, message });
    const told = (one: Approval) => [one.kind, one.by];
    expect(approvals.map(told)).toEqual([
      ['commit', 'Ada <ada@example.com>'],
      ['trailer', 'Ben <ben@example.com>'],
      ['trailer', 'Cleo'],
    ]);
    expect(approvalsOf({ ...commit, message: 'x', agentLines: 0 })).toEqual([]);
  });

  test('a declaration is a word of its own', () => {
    const own = { schema: 1, commit: 'c', declared: { by: 'Ada' }, files: {} };
    const record = { version: '0.1.0', id: 'r', timestamp: 't', files: [], metadata: { 'dev.git-agent-blame': own } };
    expect(declarationOf(record)).toEqual({ kind: 'declaration', time: 't', by: 'Ada', commit: 'c', record: 'r' });
    expect(declarationOf({ ...record, metadata: {} })).toBeUndefined();
  });
});
