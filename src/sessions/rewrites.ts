import path from 'node:path';
import { isObject } from '../json.ts';
import { appendLines, findFile, whileSame } from './disk.ts';
import type { Store } from './store.ts';

/** One commit became another: amended, or rebased; several may become one. */
export interface Rewrite {
  readonly old: string;
  readonly new: string;
  readonly at: number;
}

/** Gives the files that were added to. */
export function appendRewrites(store: Store, rewrites: readonly Rewrite[]): string[] {
  if (rewrites.length === 0) return [];
  const file = fileOf(store);
  appendLines(
    file,
    rewrites.map((rewrite) => JSON.stringify(rewrite)),
  );
  return [file];
}

export function readRewrites(store: Store): readonly Rewrite[] {
  return readAll(fileOf(store));
}

const readAll = whileSame((file): readonly Rewrite[] => {
  const text = findFile(file)?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => parseRewrite(line) ?? []);
});

/** What git tells post-rewrite: `old new` in each line, perhaps more behind. A commit that stayed itself is no news. */
export function parsePairs(text: string, at: number): Rewrite[] {
  return text.split('\n').flatMap((line) => {
    const [, old, next] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})(?: |$)/.exec(line) ?? [];
    return old && next && old !== next ? [{ old, new: next, at }] : [];
  });
}

function parseRewrite(line: string): Rewrite | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value.old !== 'string' || typeof value.new !== 'string') return undefined;
    return { old: value.old, new: value.new, at: Number(value.at) };
  } catch {
    return undefined;
  }
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'rewrites.jsonl');
}
