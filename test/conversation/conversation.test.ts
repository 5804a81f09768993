import { describe, expect, it } from 'vitest';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import { parseAddress } from '../../src/conversation/address.ts';
import { findBehind } from '../../src/conversation/behind.ts';
import { tellCommit } from '../../src/conversation/commit.ts';
import { tellLine } from '../../src/conversation/line.ts';
import { type Page, printBlock, printSession, printSessions } from '../../src/conversation/print.ts';
import { byStart, summariseSession } from '../../src/conversation/summary.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { widthOf } from '../../src/terminal/width.ts';
import type { TraceRecord } from '../../src/trace/record.ts';

const at = { timestamp: '2026-01-02T10:00:00Z' };
const EVENTS: readonly AgentLogEvent[] = [
  { ...at, type: 'message', id: 'm1', role: 'user', content: 'first' },
  { ...at, type: 'message', id: 'm2', role: 'assistant', content: 'old words' },
  { ...at, type: 'message', id: 'm3', role: 'user', content: 'second\x1b[2J\nline' },
  { ...at, type: 'message', id: 'm4', role: 'assistant', content: 'I will' },
  { ...at, type: 'toolCall', id: 'c1', name: 'Edit', input: { a: 1 }, status: 'success' },
  { ...at, type: 'fileOperation', id: 'f1', parentId: 'c1', operation: 'edit', path: 'a.ts', diff: '+x' },
  { ...at, type: 'fileOperation', id: 'r1', parentId: 'c1', operation: 'read', path: 'b.ts' },
  { ...at, type: 'message', id: 'm5', role: 'assistant', content: 'done' },
  { ...at, type: 'fileOperation', id: 'f2', operation: 'create', path: 'c.ts', diff: '+y' },
];
const DOCUMENT: AgentLogDocument = {
  specVersion: '0.2.0',
  id: 's1',
  startTime: at.timestamp,
  status: 'completed',
  agent: { name: 'claude-code', version: '2', model: 'anthropic/m' },
  events: EVENTS,
};
const page: Page = { width: 60, paint: paintWith(false) };

describe('behind a step', () => {
  it('are the last prompt, the words since, and the edits', () => {
    expect(findBehind(DOCUMENT, 'c1')).toMatchObject({
      prompt: 'second\x1b[2J\nline',
      message: 'I will',
      call: { id: 'c1' },
      edits: [{ id: 'f1' }],
    });
    expect(findBehind(DOCUMENT, 'f2')).toMatchObject({ message: 'done', call: null, edits: [{ id: 'f2' }] });
  });

  it('may be no prompt, and words only afterwards', () => {
    const bare = { ...DOCUMENT, events: EVENTS.slice(4) };
    expect(findBehind(bare, 'c1')).toMatchObject({ prompt: null, message: 'done' });
    expect(findBehind(DOCUMENT, 'nope')).toBeUndefined();
  });

  it.each([
    ['unknown', { type: 'unknown' as const, reason: 'no record' }, /^Nobody knows who wrote this line: no record\.$/],
    ['human', { type: 'human' as const }, /^A person wrote/],
    [
      'no session',
      { type: 'ai' as const, agent: { session: '', event: '', tool: { name: 'cursor' } } },
      /names cursor, but no session/,
    ],
    [
      'not the step',
      { type: 'ai' as const, agent: { session: 's1', event: 'x', tool: { name: 'cursor' } } },
      /not the step/,
    ],
  ])('%s: says why there is nothing', (_, origin, why) => {
    expect(tellLine(origin, DOCUMENT)).toEqual({ behind: null, why: expect.stringMatching(why) });
  });
});

describe('a list of sessions', () => {
  const summary = summariseSession(DOCUMENT);

  it('has one line each, within the screen, without escapes', () => {
    expect(summary).toMatchObject({ prompts: 2, files: ['a.ts', 'c.ts'], firstPrompt: 'first' });
    const long = { ...summary, firstPrompt: `\n\x1b]0;t\x07${'山'.repeat(200)}` };
    const [first = '', second = ''] = [...printSessions([summary, long], { ...page, width: 100 })];
    expect(first).toBe('s1  claude-code  anthropic/m  2026-01-02 10:00 UTC  2 prompts  2 files  first\n');
    expect(widthOf(second.trimEnd())).toBeLessThanOrEqual(100);
    expect(second).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  it('has all times in one zone, and says which', () => {
    const starts = ['2026-10-01T05:00:00Z', '2026-10-01T10:00:00+09:00', 'x'];
    const lines = [
      ...printSessions(
        starts.map((startTime) => ({ ...summary, startTime })),
        page,
      ),
    ];
    expect(lines[0]).toContain('  2026-10-01 05:00 UTC  ');
    expect(lines[1]).toContain('  2026-10-01 01:00 UTC  ');
    expect(lines[2]).toMatch(/ {2}x {21}2 prompts/);
  });

  it('is ordered, latest first', () => {
    const other = { ...summary, id: 's0' };
    const later = { ...summary, id: 's2', startTime: '2026-01-03T00:00:00+02:00' };
    const broken = { ...summary, id: 's3', startTime: 'x' };
    expect([broken, summary, later, other].sort(byStart).map(({ id }) => id)).toEqual(['s2', 's0', 's1', 's3']);
  });
});

describe('a conversation', () => {
  it('is printed step by step', () => {
    const printed = [...printSession(DOCUMENT, page)].join('');
    expect(printed).toMatch(/^session {2}s1\nagent {4}claude-code 2\nmodel {4}anthropic\/m\n/);
    expect(printed).toContain('\nprompt\n    second\n    line\n');
    expect(printed).toContain('\ntool Edit\n');
    expect(printed).not.toContain('b.ts');
    expect(printed).not.toContain('\x1b');
  });

  it('wraps prose and leaves code alone', () => {
    const code = `  ${'x '.repeat(60)}`.trimEnd();
    const lines = [...printBlock('h', `${'word '.repeat(30)}\n${code}`, page)].join('').split('\n');
    expect(Math.max(...lines.filter((line) => line.includes('word')).map((line) => line.length))).toBeLessThanOrEqual(
      60,
    );
    expect(lines).toContain(`    ${code}`);
    expect([...printBlock('h', 'a\nb\nc', { ...page, most: 2 })].at(-1)).toContain('1 more line');
  });
});

describe('the address of a conversation', () => {
  it.each([
    ['agentlog:s%201#e', '', { session: 's 1', event: 'e' }],
    ['https://x.test/s/abc?e=e1', 'https://x.test/s/{session}?e={event}', { session: 'abc', event: 'e1' }],
    ['https://x.test/abc', 'https://x.test/{session}', { session: 'abc' }],
    ['https://xytest/abc', 'https://x.test/{session}', undefined],
    ['https://x.test/', 'https://x.test/{session}', undefined],
    ['anything', 'no place for it', undefined],
  ])('%s', (address, template, expected) => expect(parseAddress(address, template)).toEqual(expected));
});

describe('a commit', () => {
  it('counts each line once, and the lines of each session', () => {
    const conversation = (url: string, start_line: number, end_line: number) => ({
      url,
      contributor: { type: 'ai' as const, model_id: 'anthropic/m' },
      ranges: [{ start_line, end_line }],
    });
    const record = (id: string, start: number, end: number): TraceRecord => ({
      version: '0.1.0',
      id,
      timestamp: '2026-01-02T00:00:00Z',
      tool: { name: 'claude-code' },
      files: [{ path: 'a.ts', conversations: [conversation(`agentlog:${id}#e`, start, end)] }],
    });
    const told = tellCommit([record('s1', 1, 10), record('s2', 9, 12)]);
    expect(told.files).toEqual([{ path: 'a.ts', ai: 10, human: 0, mixed: 0, unknown: 2 }]);
    // the two that both claim are nobody's
    expect(told.sessions.reduce((sum, { lines }) => sum + lines, 0)).toBe(10);
    expect(told.sessions[0]).toMatchObject({ tool: { name: 'claude-code' }, models: ['anthropic/m'] });
  });
});
