import { describe, expect, it } from 'vitest';
import { printDocument } from '../../src/agentlog/print.ts';
import { vacOf } from '../../src/vac/from-agentlog.ts';
import { printVacJson } from '../../src/vac/print.ts';
import { validateVac } from '../../src/vac/validate.ts';
import { documentOf, read } from './samples.ts';

/** As the draft's own converters write: calls and results apart or inside messages, fields of the agent left in place. */
const foreign = {
  version: '3.0.0-draft',
  id: 'not a uuid',
  created: 1777626000000,
  'recording-agent': { name: 'x-recorder' },
  vcs: { type: 'git', revision: 'c'.repeat(40) },
  extra: { kept: 1 },
  session: {
    format: 'interactive',
    'session-id': 's9',
    'agent-meta': { 'model-id': 'gpt-5', 'model-provider': 'openai', 'cli-name': 'codex', mood: 'good' },
    environment: { 'working-dir': '/work/demo', sandboxes: ['/sandbox'] },
    entries: [
      {
        type: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image', data: 'AAAA' },
        ],
        timestamp: 1777626000000,
      },
      {
        type: 'assistant',
        id: 'm1',
        content: 'sure',
        'token-usage': { input: 3, total: 9 },
        children: [
          { type: 'reasoning', content: 'think\nhard', encrypted: 'xyz' },
          { type: 'tool-call', name: 'Bash', input: 'ls', 'call-id': 'c1', native: true },
        ],
      },
      { type: 'system-event', 'event-type': 'token-count', data: { n: 1 }, timestamp: '2026-05-01T09:01:00Z' },
      {
        type: 'tool-result',
        output: { text: 'a.ts' },
        'call-id': 'c1',
        status: 'completed',
        timestamp: '2026-05-01T09:02:00Z',
      },
      { type: 'tool-result', output: 'lost', 'call-id': 'c2', 'is-error': true },
    ],
  },
  'file-attribution': {
    files: [
      {
        path: 'a.ts',
        conversations: [
          { contributor: { type: 'ai' }, ranges: [{ 'start-line': 1, 'end-line': 2, 'content-hash': 'ab' }] },
        ],
      },
    ],
  },
};

describe('sessionFrom, of a record by another tool', () => {
  const session = read(JSON.stringify(foreign));

  it('is valid to begin with', () => expect(validateVac(foreign)).toEqual([]));

  it('makes events of entries, nested or not', () => {
    const { document } = session;
    expect(document).toMatchObject({
      id: 's9',
      startTime: '2026-05-01T09:00:00.000Z',
      status: 'completed',
      agent: { name: 'codex', model: 'gpt-5', provider: 'openai' },
      project: { name: 'demo', workingDirectory: '/work/demo' },
    });
    expect(document.events).toMatchObject([
      { type: 'message', role: 'user', content: 'hi', id: 'entry-1' },
      {
        type: 'message',
        role: 'assistant',
        content: 'sure',
        id: 'm1',
        tokenUsage: { inputTokens: 3, outputTokens: 0 },
      },
      { type: 'reasoning', intent: 'think', rationale: 'think\nhard', parentId: 'm1' },
      {
        type: 'toolCall',
        name: 'Bash',
        input: { input: 'ls' },
        output: '{"text":"a.ts"}',
        status: 'success',
        parentId: 'm1',
      },
      { type: 'checkpoint', checkpointType: 'custom', label: 'token-count' },
      { type: 'toolCall', name: 'unknown', output: 'lost', status: 'error' },
    ]);
    // what is stored has to be conformant
    expect(() => printDocument(document)).not.toThrow();
  });

  it('loses no word of it', () => {
    const text = JSON.stringify(session.document) + JSON.stringify(session.records);
    const words = [
      'x-recorder',
      'extra',
      'kept',
      'interactive',
      'mood',
      '/sandbox',
      'AAAA',
      'total',
      'xyz',
      'native',
      'a.ts',
      'completed',
    ];
    expect([...words, '1777626000000', 'not a uuid', 'token-count'].filter((word) => !text.includes(word))).toEqual([]);
  });

  it('makes a trace record of the attribution', () => {
    expect(session.records).toMatchObject([
      {
        version: '0.1.0',
        timestamp: '2026-05-01T09:00:00.000Z',
        vcs: { type: 'git', revision: 'c'.repeat(40) },
        tool: { name: 'codex' },
        files: [
          { path: 'a.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 2, content_hash: 'sha256:ab' }] }] },
        ],
      },
    ]);
  });

  it('writes the entries again as they were, but for where children and results stood', () => {
    const again = vacOf({ document: session.document, records: session.records });
    expect(validateVac(again)).toEqual([]);
    const { entries } = again.session;
    expect(entries[0]).toEqual({ ...foreign.session.entries[0], id: 'entry-1' });
    expect(entries[3]).toEqual({
      ...{ type: 'tool-call', name: 'Bash', input: 'ls', 'call-id': 'c1', native: true, id: 'c1', 'parent-id': 'm1' },
      children: [{ ...foreign.session.entries[3], id: 'entry-6' }],
    });
    expect(read(printVacJson(again)).document).toEqual(session.document);
  });

  it('an event that was changed since is told as it is now', () => {
    const events = session.document.events.map((event) =>
      event.id === 'm1' ? { ...event, content: '[REDACTED]' } : event,
    );
    const document = documentOf(JSON.stringify({ ...session.document, events }));
    const again = vacOf({ document });
    expect(again.session.entries[1]).toMatchObject({ content: '[REDACTED]' });
    expect(read(printVacJson(again)).document).toEqual(document);
  });

  it('passes over what is no entry, and counts it', () => {
    const odd = {
      ...foreign,
      session: { ...foreign.session, entries: [5, null, { type: 'user', children: [7] }, {}] },
    };
    const { document, skipped } = read(JSON.stringify(odd));
    expect([document.events.length, skipped]).toEqual([2, 3]);
  });
});
