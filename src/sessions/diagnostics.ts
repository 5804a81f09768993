import fs from 'node:fs';
import path from 'node:path';
import { isObject, type JsonObject } from '../json.ts';
import { redactText } from '../redact/redact.ts';
import { appendLines, readTail } from './disk.ts';
import type { Store } from './store.ts';

/** RFC 5424, least first. */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/**
 * What an agent tells of its inner life (`log` of the proposal for agent-to-client logging): no part of any conversation, kept as it came
 * but for secrets, and for as long as there is room.
 */
export interface Diagnostic {
  /** When it was heard. */
  readonly at: number;
  readonly agent: string;
  /** The notification, whole: it may have a time and an agent of its own. */
  readonly log: JsonObject;
}

const MAX_BYTES = 1 << 20;
const MAX_TEXT = 16 * 1024;

export async function appendDiagnostic(store: Store, one: Diagnostic): Promise<void> {
  const file = fileOf(store);
  const text = await redactText(JSON.stringify(one).slice(0, MAX_TEXT));
  // what was cut or covered may be no JSON any more
  const line = isWhole(text)
    ? text
    : JSON.stringify({ ...one, log: { level: one.log.level, message: 'too long to be kept' } });
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) fs.renameSync(file, `${file}.1`);
  appendLines(file, [line]);
}

export function readDiagnostics(store: Store): Diagnostic[] {
  return [`${fileOf(store)}.1`, fileOf(store)]
    .flatMap((file) => readTail(file, MAX_BYTES * 2).split('\n'))
    .flatMap((line) => parseDiagnostic(line) ?? []);
}

function parseDiagnostic(line: string): Diagnostic | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return undefined;
    const { at, agent, ...rest } = value;
    if (typeof at !== 'number' || typeof agent !== 'string') return undefined;
    // at first the fields of the notification stood beside ours
    const log = isObject(rest.log) && Object.keys(rest).length === 1 ? rest.log : rest;
    return { at, agent, log };
  } catch {
    return undefined;
  }
}

function isWhole(text: string): boolean {
  return parseDiagnostic(text) !== undefined;
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'diagnostics.jsonl');
}
