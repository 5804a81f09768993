import fc from 'fast-check';
import { type ActivityEvent, EVENT_TYPES } from '../../src/activity/event.ts';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';

export const T = (second: number) => new Date(Date.UTC(2026, 4, 25, 10, 0, second)).toISOString();

/** The example of the public page. */
export const pageExample = {
  schema_version: 'agent_activity.v1',
  event_id: 'evt-custom-session-started',
  event_type: 'session.started',
  event_family: 'session',
  team_id: '00000000-0000-4000-8000-000000000000',
  source: { kind: 'custom_connector', name: 'internal-agent-connector', version: '0.1.0' },
  agent: { id: 'internal-agent', name: 'Internal Agent', provider: 'customer-internal' },
  developer: { id: 'developer-123' },
  session: { id: 'custom-session-1', environment: 'local', status: 'running' },
  actor_chain: [
    {
      type: 'user',
      id: 'developer-123',
      display_name: 'Developer',
      attested_by: 'internal-agent-connector',
      occurred_at: '2026-05-25T10:00:00.000Z',
    },
    {
      type: 'agent',
      id: 'internal-agent',
      display_name: 'Internal Agent',
      session_id: 'custom-session-1',
      attested_by: 'internal-agent-connector',
      occurred_at: '2026-05-25T10:00:01.000Z',
    },
  ],
  attributes: { source_classification: 'customer_internal', connector_id: 'internal-agent-connector' },
} as const satisfies ActivityEvent;

const event = <E extends object>(id: string, second: number, rest: E) => ({ id, timestamp: T(second), ...rest });

/** A session with something for each of the nine types to say, and a prompt and a thought that none of them says. */
export const session: AgentLogDocument = {
  specVersion: '0.2.0',
  id: 's1',
  startTime: T(0),
  endTime: T(50),
  status: 'completed',
  agent: { name: 'claude-code', version: '2.1.197', model: 'anthropic/claude-opus-4-5', provider: 'anthropic' },
  developer: { id: 'ada' },
  events: [
    event('m1', 1, { type: 'message', role: 'user', content: 'please write to ada@example.com' } as const),
    event('r1', 2, { type: 'reasoning', intent: 'x', rationale: 'x' } as const),
    event('m2', 3, {
      type: 'message',
      role: 'assistant',
      content: 'yes',
      tokenUsage: { inputTokens: 10, outputTokens: 5 },
    } as const),
    event('c1', 4, {
      type: 'terminalCommand',
      command: 'mail ada@example.com\nsecond line',
      exitCode: 1,
      durationMs: 1500,
    } as const),
    event('f1', 6, { type: 'fileOperation', operation: 'edit', path: 'a.ts', linesAdded: 3, linesRemoved: 1 } as const),
    event('f1/1', 6, { type: 'fileOperation', operation: 'create', path: 'b.ts', linesAdded: 1 } as const),
    event('f2', 7, { type: 'fileOperation', operation: 'read', path: 'c.ts' } as const),
    event('t1', 8, { type: 'toolCall', name: 'WebSearch', input: {}, status: 'error' } as const),
    event('a1', 9, { type: 'approval', action: 'rm -rf x', approver: 'user', decision: 'approved' } as const),
    event('a2', 10, {
      type: 'approval',
      action: 'curl',
      approver: 'policy',
      decision: 'denied',
      toolName: 'Bash',
    } as const),
    event('k1', 11, {
      type: 'checkpoint',
      checkpointType: 'git_commit',
      reference: '5e1f000',
      restorable: true,
    } as const),
  ] satisfies AgentLogEvent[],
  relationships: { commits: [{ sha: '5e1f'.padEnd(40, '0'), timestamp: T(40) }] },
};

const word = fc.constantFrom('a', 's1', 'Edit', '__proto__', 'é', 'tool', '12', 'x.ts');
const anything = fc.jsonValue({ maxDepth: 2 });

/** Events as strangers write them: the known fields sound, and others of any kind beside them. */
export const events: fc.Arbitrary<ActivityEvent> = fc
  .record(
    {
      event_id: fc.uuid(),
      event_type: fc.oneof(fc.constantFrom(...EVENT_TYPES), fc.constantFrom('prompt.submitted', 'intent.scored')),
      occurred_at: fc.integer({ min: 0, max: 1000 }).map(T),
      session: fc.record({ id: word, status: word }, { requiredKeys: ['id'] }),
      agent: fc.record({ id: word, extra: anything }, { requiredKeys: ['id'] }),
      actor_chain: fc.array(fc.record({ type: fc.constantFrom('user', 'tool'), id: word, note: anything }), {
        maxLength: 3,
      }),
      attributes: fc.dictionary(
        fc.constantFrom('tool_call_id', 'tool_name', 'path', 'status', 'model', 'input_tokens', 'zz', '__proto__'),
        fc.oneof(word, fc.nat(), anything),
      ),
      additive: anything,
    },
    { requiredKeys: ['event_id', 'event_type', 'session'] },
  )
  .map((fields) => ({ schema_version: 'agent_activity.v1', ...fields }));
