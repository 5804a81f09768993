import type { KnownEvent } from '../agentlog/document.ts';
import type { JsonObject } from '../json.ts';

/** A ledger is told what was run, not all that was written: so many characters of a command. */
const MAX_PREVIEW = 200;

export function preview(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const whole = line.length <= MAX_PREVIEW && line === text.trim();
  const end = /[\uD800-\uDBFF]/.test(line[MAX_PREVIEW - 1] ?? '') ? MAX_PREVIEW - 1 : MAX_PREVIEW;
  return whole ? line : `${line.slice(0, end)}...`;
}

/** The fields that have a value. */
export function attributesOf(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

export function statusOf(event: KnownEvent): string {
  if (event.type === 'toolCall') return event.status;
  if (event.type === 'terminalCommand') return event.exitCode ? 'error' : 'success';
  if (event.type === 'handoff') return event.status === 'failed' || event.status === 'rejected' ? 'error' : 'success';
  return 'success';
}
