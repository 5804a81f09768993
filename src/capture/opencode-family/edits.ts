import type { JsonObject } from '../../json.ts';
import { listOf, objectOf, textOf } from '../fields.ts';
import { undo } from '../hunks.ts';
import { patchEdits } from '../patch-edits.ts';
import type { Change, Hunk, Replacement } from '../session.ts';
import type { ToldEdit } from '../tale.ts';
import { parseUnified } from '../unified.ts';
import { withMargin } from './margin.ts';

/** `patch` and `multiedit` are of versions before 2026. */
const EDITORS: Readonly<Record<string, (input: JsonObject, metadata: JsonObject) => ToldEdit[]>> = {
  edit: (input, metadata) => oneEdit(input, metadata, editChange(input, metadata)),
  write: (input, metadata) => oneEdit(input, metadata, writeChange(input, metadata)),
  multiedit: (input, metadata) => oneEdit(input, metadata, manyChange(input, metadata)),
  apply_patch: patchChanges,
  patch: patchChanges,
};

export function isEditor(name: string): boolean {
  return Object.hasOwn(EDITORS, name);
}

/** What a call that succeeded did to files; none: it does not say. */
export function toldEdits(name: string, input: JsonObject, metadata: JsonObject): ToldEdit[] {
  return EDITORS[name]?.(input, metadata) ?? [];
}

function oneEdit(input: JsonObject, metadata: JsonObject, change: Change | undefined): ToldEdit[] {
  const path = textOf(objectOf(metadata.filediff)?.file) || textOf(metadata.filepath) || textOf(input.filePath);
  return path && change ? [{ path, change }] : [];
}

/** Versions before April 2026 kept both texts. */
function fullChange(value: unknown): Change | undefined {
  const told = objectOf(value);
  const [before, after] = [textOf(told?.before), textOf(told?.after)];
  return before === undefined || after === undefined ? undefined : { kind: 'full', before, after };
}

function editChange(input: JsonObject, metadata: JsonObject): Change | undefined {
  const full = fullChange(metadata.filediff);
  if (full) return full;
  const pair = pairOf(input);
  const hunks = hunksOf(metadata);
  // nothing to be replaced in nothing: a new file
  if (pair?.old === '' && (!hunks || hunks[0]?.oldLines === 0)) return { kind: 'full', before: null, after: pair.new };
  const placed = hunks && pair && withMargin(hunks, pair.new);
  if (placed) return { kind: 'hunks', hunks: placed };
  return pair && { kind: 'replace', pairs: [pair] };
}

function pairOf(value: unknown): Replacement | undefined {
  const edit = objectOf(value);
  const [old, text] = [textOf(edit?.oldString), textOf(edit?.newString)];
  return old === undefined || text === undefined ? undefined : { old, new: text, all: edit?.replaceAll === true };
}

function hunksOf(metadata: JsonObject): Hunk[] | undefined {
  return parseUnified(textOf(objectOf(metadata.filediff)?.patch) ?? textOf(metadata.diff) ?? '');
}

/** Some tell what stood there by a diff: with the new text it gives the old one. */
function writeChange(input: JsonObject, metadata: JsonObject): Change | undefined {
  const after = textOf(input.content);
  if (after === undefined) return undefined;
  if (metadata.exists === false) return { kind: 'full', before: null, after };
  const hunks = hunksOf(metadata);
  const placed = hunks && (withMargin(hunks, `\n${linesOf(after, hunks)}\n`) ?? hunks);
  const before = placed && undo(after, { hunks: placed, shown: (line) => line });
  return before === undefined ? { kind: 'write', after } : { kind: 'full', before, after };
}

/** Those that the hunks show. */
function linesOf(text: string, hunks: readonly Hunk[]): string {
  const lines = text.split('\n');
  return hunks
    .map(({ newStart, newLines }) => lines.slice(newStart - 1, newStart - 1 + newLines).join('\n'))
    .join('\n');
}

function manyChange(input: JsonObject, metadata: JsonObject): Change | undefined {
  const fulls = listOf(metadata.results).map((result) => fullChange(objectOf(result)?.filediff));
  const [first, last] = [fulls[0], fulls.at(-1)];
  if (first?.kind === 'full' && last?.kind === 'full') return { kind: 'full', before: first.before, after: last.after };
  const edits = listOf(input.edits);
  const pairs = edits.flatMap((edit) => pairOf(edit) ?? []);
  return pairs.length > 0 && pairs.length === edits.length ? { kind: 'replace', pairs } : undefined;
}

function patchChanges(input: JsonObject, metadata: JsonObject): ToldEdit[] {
  const files = listOf(metadata.files).flatMap((file) => patchedFile(objectOf(file) ?? {}));
  return files.length > 0 ? files : patchEdits(textOf(input.patchText));
}

/** Again of versions that kept both texts. */
function patchedFile(file: JsonObject): ToldEdit[] {
  const [path, movedTo, change] = [textOf(file.filePath), textOf(file.movePath), fullChange(file)];
  if (!path || change?.kind !== 'full') return [];
  if (file.type === 'delete') return [{ path, change: { ...change, after: null } }];
  if (!movedTo) return [{ path, change }];
  return [
    { path: movedTo, change: { ...change, before: null } },
    { path, change: { ...change, after: null } },
  ];
}
