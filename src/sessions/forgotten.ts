import path from 'node:path';
import { isObject, parseJson } from '../json.ts';
import { appendLines, findFile } from './disk.ts';
import type { Store } from './store.ts';

/** A session that a person had removed: nothing that is read again, a transcript or a remote, brings its conversation back. */
export interface Forgotten {
  readonly agent: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function readForgotten(store: Store): Forgotten[] {
  const text = findFile(fileOf(store))?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    const parsed = line === '' ? undefined : parseJson(line, MAX_LINE);
    const value = parsed && 'value' in parsed ? parsed.value : undefined;
    if (!isObject(value) || typeof value.agent !== 'string' || typeof value.id !== 'string') return [];
    return [{ agent: value.agent, id: value.id, at: Number(value.at) || 0 }];
  });
}

const MAX_LINE = 64 * 1024;

export function isForgotten(store: Store, { agent, id }: { readonly agent: string; readonly id: string }): boolean {
  return readForgotten(store).some((one) => one.id === id && one.agent === agent);
}

export function appendForgotten(store: Store, sessions: readonly Forgotten[]): void {
  const known = new Set(readForgotten(store).map(({ agent, id }) => JSON.stringify([agent, id])));
  const fresh = sessions.filter(({ agent, id }) => !known.has(JSON.stringify([agent, id])));
  appendLines(
    fileOf(store),
    fresh.map((one) => JSON.stringify(one)),
  );
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'forgotten.jsonl');
}
