import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';

/** An event of any type, as far as a test speaks of it. */
export function event(id: string, second: number, rest: object): AgentLogEvent {
  return { id, timestamp: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString(), ...rest } as AgentLogEvent;
}

export const edit = (id: string, second: number, path: string, operation = 'edit') =>
  event(id, second, { type: 'fileOperation', operation, path });
export const command = (id: string, second: number, text: string) =>
  event(id, second, { type: 'terminalCommand', command: text });
export const prompt = (id: string, second: number, content: string) =>
  event(id, second, { type: 'message', role: 'user', content });
export const decision = (id: string, second: number, action: string, said = 'denied') =>
  event(id, second, { type: 'approval', action, approver: 'user', decision: said, toolName: 'Bash' });

export function session(id: string, events: readonly AgentLogEvent[], agent = 'claude-code'): AgentLogDocument {
  return {
    specVersion: '0.2.0',
    id,
    startTime: '2026-01-01T00:00:00.000Z',
    status: 'completed',
    agent: { name: agent },
    project: { name: 'p', workingDirectory: '/repo/src' },
    events,
  };
}
