import { codex } from '../../../src/capture/codex/index.ts';
import { linesOf, transcriptOf } from '../recorded.ts';

/** Rollouts by words. */
export const decodeAll = (values: readonly unknown[]) => codex.decodeTranscript(transcriptOf(linesOf(values)));

export function decode(values: readonly unknown[]) {
  const [captured] = decodeAll(values);
  if (!captured) throw new Error('nothing was decoded');
  return captured;
}

export const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
export const ms = (second: number) => Date.parse(time(second));
export const meta = { id: 's', cwd: '/repo', timestamp: time(0), cli_version: '0.77.0', model_provider: 'openai' };
export const record = (second: number, type: string, payload: object) => ({ timestamp: time(second), type, payload });
export const item = (second: number, payload: object) => record(second, 'response_item', payload);
export const event = (second: number, payload: object) => record(second, 'event_msg', payload);
export const HEAD = [
  record(0, 'session_meta', meta),
  record(0, 'turn_context', { cwd: '/repo', model: 'gpt-5.2-codex' }),
];
export const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch';
export const DONE = 'Success. Updated the following files:\nM a.ts\n';

export const call = (name: string, args: unknown) => ({
  type: 'function_call',
  name,
  arguments: JSON.stringify(args),
  call_id: 'c',
});
export const custom = (name: string, input: string) => ({ type: 'custom_tool_call', name, input, call_id: 'c' });
export const output = (text: unknown) => ({ type: 'function_call_output', call_id: 'c', output: text });
