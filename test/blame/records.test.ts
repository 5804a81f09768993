import { describe, expect, it } from 'vitest';
import { openRecords } from '../../src/blame/records.ts';

const COMMIT = 'c'.repeat(40);
const PARENT = 'd'.repeat(40);
const OTHER = 'e'.repeat(40);

function record(id: string, revision: string | null, over: Record<string, unknown> = {}): string {
  return JSON.stringify({
    version: '0.1.0',
    id,
    timestamp: '2026-01-02T00:00:00Z',
    ...(revision ? { vcs: { type: 'git', revision } } : {}),
    tool: { name: 'cursor', version: '2.4.0' },
    files: [
      {
        path: 'a.ts',
        conversations: [
          {
            url: 'https://x.test/1',
            contributor: { type: 'ai', model_id: 'openai/gpt-4o' },
            ranges: [{ start_line: 2, end_line: 3 }],
          },
        ],
      },
    ],
    ...over,
  });
}

const open = (...lines: string[]) =>
  openRecords({ lines: (commit) => (commit === COMMIT ? lines : []), parents: () => [PARENT] });

describe('openRecords', () => {
  it('gives origin, record and conversation of a covered line', () => {
    expect(open(record('t1', COMMIT)).find(COMMIT, 'a.ts', 2)).toMatchObject({
      via: 'note',
      trace: 't1',
      conversation: 'https://x.test/1',
      origin: {
        type: 'ai',
        evidence: 'declared',
        agent: { tool: { name: 'cursor', version: '2.4.0' }, model: 'openai/gpt-4o' },
      },
    });
  });

  it.each([
    ['a line outside the ranges', COMMIT, 'a.ts', 4, 'not covered'],
    ['a file that the record does not name', COMMIT, 'b.ts', 2, 'not covered'],
    ['a path that is a property of every object', COMMIT, '__proto__', 2, 'not covered'],
    ['a commit without a note', OTHER, 'a.ts', 2, 'no record'],
  ])('%s', (_, commit, file, line, answer) => {
    expect(open(record('t1', COMMIT)).find(commit, file, line)).toBe(answer);
  });

  it.each([
    ['the commit', COMMIT, true],
    ['its beginning', COMMIT.slice(0, 12), true],
    ['a parent: HEAD when the edit was made', PARENT, true],
    ['no revision: the note itself says which commit', null, true],
    ['another commit', OTHER, false],
  ])('a record of others that names %s', (_, revision, used) => {
    const answer = open(record('t1', revision)).find(COMMIT, 'a.ts', 2);
    if (used) expect(answer).toMatchObject({ trace: 't1' });
    else expect(answer).toBe('no record');
  });

  it('leaves out what is no record', () => {
    const book = open('not json', '{"version":"0.1.0"}', '', '[]', record('t1', COMMIT));
    expect(book.find(COMMIT, 'a.ts', 3)).toMatchObject({ trace: 't1' });
    expect(open('not json').find(COMMIT, 'a.ts', 3)).toBe('no record');
  });

  it('leaves out a record that another one supersedes', () => {
    const better = record('t2', COMMIT, {
      files: [
        { path: 'a.ts', conversations: [{ contributor: { type: 'human' }, ranges: [{ start_line: 2, end_line: 2 }] }] },
      ],
      metadata: { 'dev.git-agent-blame': { schema: 1, commit: COMMIT, supersedes: ['t1'], files: {} } },
    });
    const book = open(record('t1', COMMIT), better);
    expect(book.find(COMMIT, 'a.ts', 2)).toMatchObject({ trace: 't2', origin: { type: 'human' } });
    expect(book.find(COMMIT, 'a.ts', 3)).toBe('not covered');
  });
});
