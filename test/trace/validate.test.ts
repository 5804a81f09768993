import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { conversationUrl, isUri, parseConversationUrl } from '../../src/trace/conversation.ts';
import { printRecord } from '../../src/trace/print.ts';
import type { TraceRecord } from '../../src/trace/record.ts';
import { validateRecord } from '../../src/trace/validate.ts';

const minimal: TraceRecord = {
  version: '0.1.0',
  id: '550e8400-e29b-41d4-a716-446655440000',
  timestamp: '2026-01-25T10:00:00Z',
  files: [
    { path: 'src/app.ts', conversations: [{ contributor: { type: 'ai' }, ranges: [{ start_line: 1, end_line: 50 }] }] },
  ],
};

const conversation = (more: object) => ({
  ...minimal,
  files: [{ path: 'a', conversations: [{ ranges: [], ...more }] }],
});
const range = (more: object) => conversation({ ranges: [{ start_line: 1, end_line: 1, ...more }] });

describe('validateRecord', () => {
  it('finds nothing wrong with the minimal record, nor with unknown fields', () => {
    expect(validateRecord(minimal)).toEqual([]);
    expect(validateRecord({ ...minimal, sig: 'x', timestamp: '2024-02-29T23:59:60.5+05:30' })).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['agent-trace 6.1', '', 'text'],
    ['agent-trace 6.1 version', '/version', { ...minimal, version: '0.1' }],
    ['agent-trace 6.1 id', '/id', { ...minimal, id: 'x' }],
    ['agent-trace 6.1 timestamp', '/timestamp', { ...minimal, timestamp: '2026-01-25 10:00:00' }],
    ['agent-trace 6.1 timestamp', '/timestamp', { ...minimal, timestamp: '2026-02-29T10:00:00Z' }],
    ['agent-trace 6.1 timestamp', '/timestamp', { ...minimal, timestamp: '2026-01-25T24:00:00Z' }],
    ['agent-trace 6.1 timestamp', '/timestamp', { ...minimal, timestamp: undefined }],
    ['agent-trace 6.1 files', '/files', { ...minimal, files: {} }],
    ['agent-trace 6.1 vcs type', '/vcs/type', { ...minimal, vcs: { type: 'cvs', revision: 'x' } }],
    ['agent-trace 6.1 vcs revision', '/vcs/revision', { ...minimal, vcs: { type: 'git' } }],
    ['agent-trace 6.1 tool name', '/tool/name', { ...minimal, tool: { name: 1 } }],
    ['agent-trace 6.1 metadata', '/metadata', { ...minimal, metadata: [] }],
    ['agent-trace 6.1 file path', '/files/0/path', { ...minimal, files: [{ conversations: [] }] }],
    ['agent-trace 6.1 conversation ranges', '/files/0/conversations/0/ranges', conversation({ ranges: undefined })],
    ['agent-trace 6.1 conversation url', '/files/0/conversations/0/url', conversation({ url: 'file://c:\\a' })],
    [
      'agent-trace 6.1 conversation contributor',
      '/files/0/conversations/0/contributor',
      conversation({ contributor: 'ai' }),
    ],
    [
      'agent-trace 6.1 related url',
      '/files/0/conversations/0/related/0/url',
      conversation({ related: [{ type: 'x', url: 'x' }] }),
    ],
    [
      'agent-trace 6.1 contributor type',
      '/files/0/conversations/0/contributor/type',
      conversation({ contributor: { type: 'AI' } }),
    ],
    [
      'agent-trace 6.1 contributor model_id',
      '/files/0/conversations/0/contributor/model_id',
      conversation({ contributor: { type: 'ai', model_id: 'é'.repeat(251) } }),
    ],
    ['agent-trace 6.1 range start_line', '/files/0/conversations/0/ranges/0/start_line', range({ start_line: 0 })],
    ['agent-trace 6.1 range end_line', '/files/0/conversations/0/ranges/0/end_line', range({ end_line: 1.5 })],
    [
      'agent-trace 6.1 range end_line',
      '/files/0/conversations/0/ranges/0/end_line',
      range({ end_line: { valueOf: 1, toString: 1 } }),
    ],
    ['agent-trace 6.3 range', '/files/0/conversations/0/ranges/0', range({ start_line: 2 })],
  ])('names %s at %j', (rule, path, value) => {
    expect(validateRecord(value).map((problem) => [problem.rule, problem.path])).toEqual([[rule, path]]);
  });

  it('stops counting at some point', () => {
    expect(validateRecord({ ...minimal, files: Array.from({ length: 5000 }, () => 0) })).toHaveLength(1000);
  });
});

describe('printRecord', () => {
  it('prints one line, known keys in order, others after them', () => {
    const { version, ...rest } = minimal;
    const text = printRecord({ zeta: 1, ...rest, version, tool: { version: '1', name: 'a\nb' } } as TraceRecord);
    expect(text).toBe(
      '{"version":"0.1.0","id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-01-25T10:00:00Z","tool":{"name":"a\\nb","version":"1"},' +
        '"files":[{"path":"src/app.ts","conversations":[{"contributor":{"type":"ai"},"ranges":[{"start_line":1,"end_line":50}]}]}],"zeta":1}',
    );
  });

  it('refuses what the document does not allow, as a bug of ours', () => {
    const broken = () => printRecord({ ...minimal, version: '0.1' });
    expect(broken).toThrow(Fault);
    expect(broken).toThrow(/6\.1 version at \/version/);
  });
});

describe('conversation urls', () => {
  it.each([
    [{ session: 's', event: 'e' }, 'agentlog:s#e'],
    [{ session: 's' }, 'agentlog:s'],
    [{ session: 'a b#c', event: 'd/e%é' }, 'agentlog:a%20b%23c#d%2Fe%25%C3%A9'],
  ])('%j is %s, and back', (ref, url) => {
    expect(conversationUrl(ref)).toBe(url);
    expect(isUri(url)).toBe(true);
    expect(parseConversationUrl(url)).toEqual(ref);
  });

  it('gives undefined for other urls, and reads a broken escape as it is', () => {
    expect(parseConversationUrl('https://x.example/#e')).toBeUndefined();
    expect(parseConversationUrl('agentlog:')).toBeUndefined();
    expect(parseConversationUrl('agentlog:a%zz')).toEqual({ session: 'a%zz' });
    expect(isUri(conversationUrl({ session: '\ud800' }))).toBe(true);
  });
});
