import { expect, test } from 'vitest';
import { TOOL_PROPERTY, withTool } from '../../src/agentlog/call-name.ts';
import type { AgentLogEvent, KnownEvent } from '../../src/agentlog/document.ts';
import { measure } from '../../src/agentlog/measure.ts';

const base = { timestamp: '2026-01-01T00:00:00.000Z' };
const edit = (id: string): KnownEvent => ({ ...base, id, type: 'fileOperation', operation: 'edit', path: id });

test('calls that became events of another type are counted, by the names of their tools', () => {
  const events: AgentLogEvent[] = [
    withTool(edit('a'), 'apply_patch'),
    withTool({ ...base, id: 'b', type: 'terminalCommand', command: 'ls' }, 'Bash'),
    { ...base, id: 'c', type: 'search', tool: 'Grep', query: 'x' },
    { ...base, id: 'd', type: 'toolCall', name: 'Bash', input: {}, status: 'error' },
    { ...base, id: 'd/1', type: 'approval', action: 'ls', approver: 'user', decision: 'denied', toolName: 'Bash' },
  ];
  expect(measure(events)).toMatchObject({ toolCallCount: 4, toolsUsed: ['Bash', 'Grep', 'apply_patch'] });
});

test('the second file of a call is no second call, and a file that no tool is named for is none', () => {
  const events = [
    withTool(edit('a'), 'Patch'),
    withTool(edit('a/1'), 'Patch'),
    withTool(edit('x/1'), 'Patch'),
    edit('y'),
  ];
  expect(measure(events)).toMatchObject({ toolCallCount: 2, toolsUsed: ['Patch'] });
});

test('a tool that is no text is none', () => {
  expect(measure([{ ...edit('a'), properties: { [TOOL_PROPERTY]: 1 } }])).toMatchObject({ toolCallCount: 0 });
});
