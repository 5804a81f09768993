import type { AnnotatedLine } from '../../src/blame/annotate.ts';
import type { BlamedLine } from '../../src/git/blame.ts';
import type { Origin } from '../../src/lines/origin.ts';

const COMMIT = 'a'.repeat(40);

/** A line as git blames it, with what a test does not care about filled in. */
export function blamed(line: number, over: Partial<BlamedLine> = {}): BlamedLine {
  return {
    line,
    originalLine: line,
    commit: COMMIT,
    originalFile: 'a.ts',
    author: 'Ada',
    authorMail: 'ada@example.com',
    authorTime: 1_767_355_200,
    authorZone: '+0100',
    summary: 'one',
    boundary: false,
    uncommitted: false,
    text: `line ${line}`,
    ...over,
  };
}

export const AI: Origin = {
  type: 'ai',
  evidence: 'observed',
  agent: {
    session: 's1',
    event: 'e1',
    tool: { name: 'claude-code', version: '2.1.197' },
    model: 'anthropic/claude-opus-4-5-20251101',
  },
};
export const HUMAN: Origin = { type: 'human', evidence: 'absent' };

export function annotated(line: number, origin: Origin, over: Partial<BlamedLine> = {}): AnnotatedLine {
  const known = origin.type === 'unknown' ? {} : { via: 'note' as const, trace: 't1' };
  return { blamed: blamed(line, over), origin, ...known, ...(origin.agent ? { conversation: 'agentlog:s1#e1' } : {}) };
}
