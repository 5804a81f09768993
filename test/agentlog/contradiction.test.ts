import { describe, expect, it } from 'vitest';
import { withoutContradictions } from '../../src/agentlog/contradiction.ts';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import { openCall } from '../../src/agentlog/open-call.ts';

const at = { id: 'e', timestamp: '2026-05-01T09:00:00Z' };
const said = (content: string, more: object = {}): AgentLogEvent => ({
  ...{ ...at, type: 'message', role: 'user', content },
  ...more,
});
const call = { ...at, type: 'toolCall', name: 'Bash', input: {} } as const;
const opaque = (raw: object): AgentLogEvent => ({ ...at, type: 'opaque', raw: { ...raw } });
const session = (...events: AgentLogEvent[]): AgentLogDocument => ({
  ...{ specVersion: '0.2.0', id: 's', startTime: at.timestamp, status: 'completed' },
  agent: { name: 'claude-code', model: 'ours', version: null },
  events,
});

describe('what comes from elsewhere', () => {
  it.each<[string, AgentLogEvent, AgentLogEvent, number]>([
    ['the same', said('x'), said('x'), 0],
    ['other words', said('x'), said('a much longer text of somebody else'), 1],
    ['more of the same words', said('half'), said('half and whole'), 0],
    ['another type', said('x'), { ...call, status: 'success' }, 1],
    ['another time', said('x'), said('x', { timestamp: '2020-01-01T00:00:00Z' }), 1],
    ['a field more', said('x'), said('x', { model: 'm' }), 0],
    ['other tokens', said('x', { tokenUsage: { inputTokens: 1, outputTokens: 1 } }), said('x'), 0],
    ['what became of a call', openCall(call), { ...call, status: 'success', output: 'done' }, 0],
    ['the end of a call that seemed cut off', { ...call, status: 'cancelled' }, { ...call, status: 'success' }, 0],
    ['what was not understood', opaque({ type: 'new', a: 1 }), said('x'), 0],
    ['other things that are not understood', opaque({ type: 'new', a: 1 }), opaque({ type: 'new', a: 2 }), 1],
    ['an event without an id', said('x', { id: '' }), said('y', { id: '' }), 0],
    ['an event of its own', said('x'), said('y', { id: 'f' }), 0],
  ])('%s', (_, ours, theirs, contradicting) => {
    const found = withoutContradictions(session(ours), session(theirs));
    expect(found.contradicting).toBe(contradicting);
    expect(found.document.events).toEqual(contradicting ? [] : [theirs]);
  });

  it('does not change who the agent was', () => {
    const theirs = { ...session(), agent: { name: 'claude-code', model: 'a longer one', version: '2' } };
    expect(withoutContradictions(session(), theirs).document.agent).toEqual({ ...theirs.agent, model: 'ours' });
  });
});
