import { listOf, objectOf, textOf } from '../capture/fields.ts';
import type { Hunk } from '../capture/session.ts';
import { parseUnified } from '../capture/unified.ts';
import { unquote } from '../git/paths.ts';
import type { JsonObject } from '../json.ts';

/** A text that the protocol says a file was given: the whole of it, or a part. */
export interface StatedText {
  readonly path: string;
  readonly old?: string;
  readonly new: string;
  /** It is the whole file, by what the agent said. */
  readonly whole?: boolean;
}

/** What a tool call's contents tell of files. */
export interface StatedDiff {
  readonly stated: readonly StatedText[];
  /** Files that were changed, whether or not their texts are told. */
  readonly changed: readonly string[];
  /** Files were moved or copied: whose lines those are, the call does not tell. */
  readonly moves: boolean;
}

/** Version 1 names one file and its texts; version 2 the operations on any number of files, and mostly a patch of them. */
export function parseDiffs(contents: readonly unknown[]): StatedDiff {
  const items = contents.map((content) => objectOf(content) ?? {}).filter(({ type }) => type === 'diff');
  const changes = items.flatMap((item) => listOf(item.changes).map((change) => objectOf(change) ?? {}));
  const isMove = ({ operation }: JsonObject) => operation === 'move' || operation === 'copy';
  const changed = changes.filter((change) => !isMove(change)).flatMap(({ path }) => textOf(path) ?? []);
  const told = items.flatMap((item) => [...textsIn(item), ...patchTexts(objectOf(item.patch))]);
  const isNamed = new Set(changed);
  // where there are operations, they have the say
  const stated = changes.length === 0 ? told : told.filter(({ path }) => isNamed.has(path));
  return { stated, changed, moves: changes.some(isMove) };
}

function textsIn(item: JsonObject): StatedText[] {
  const path = textOf(item.path);
  if (path === undefined || typeof item.newText !== 'string') return [];
  return [{ path, new: item.newText, ...(typeof item.oldText === 'string' && { old: item.oldText }) }];
}

function patchTexts(patch: JsonObject | undefined): StatedText[] {
  if (patch?.format !== 'git_patch' || typeof patch.text !== 'string') return [];
  return patch.text.split(/^(?=diff --git )/m).flatMap((section) => {
    const path = pathAfter(section);
    return path === undefined ? [] : (parseUnified(section) ?? []).map((hunk) => textOfHunk(path, hunk));
  });
}

/** `+++ PATH`, quoted where git quotes it; a tab follows where there are blanks in it. */
function pathAfter(section: string): string | undefined {
  const path = /^\+\+\+ (.+?)\t?\r?$/m.exec(section)?.[1];
  return path?.startsWith('"') ? unquote(Buffer.from(path, 'utf8').toString('latin1')) : path;
}

function textOfHunk(path: string, { lines }: Hunk): StatedText {
  const side = (sign: string) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === sign)
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const old = side('-');
  return { path, new: side('+'), ...(old !== '' && { old }) };
}
