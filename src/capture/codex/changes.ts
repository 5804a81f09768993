import { isObject } from '../../json.ts';
import type { PatchedFile } from '../apply-patch.ts';
import { objectOf, textOf } from '../fields.ts';
import { undo } from '../hunks.ts';
import type { Change, Hunk } from '../session.ts';
import type { ToldEdit } from '../tale.ts';
import { parseUnified } from '../unified.ts';
import { pathFrom, pathOf } from './paths.ts';

/** Texts of files that the session itself wrote as a whole, kept up with what it changed in them since. */
export type OwnTexts = Map<string, string>;

/** Files that a patch changed, as Codex tells them when it has applied it: `changes` of a `FileChange` or a `patch_apply_end`. */
export function toldChanges(changes: unknown, texts: OwnTexts): ToldEdit[] {
  const edits = Object.entries(objectOf(changes) ?? {}).flatMap(([name, value]): ToldEdit[] => {
    const path = pathOf(name);
    return path !== undefined && isObject(value) ? toldChange(path, value, texts) : [];
  });
  return edits.sort(byPath);
}

/** Codex keeps them in no order; hook and transcript are to tell them in the same. */
function byPath(a: ToldEdit, b: ToldEdit): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function toldChange(path: string, value: Readonly<Record<string, unknown>>, texts: OwnTexts): ToldEdit[] {
  const content = textOf(value.content);
  switch (value.type) {
    case 'add':
      if (content === undefined) return [{ path, change: UNTOLD }];
      texts.set(path, content);
      // what stood there before is overwritten: that there was nothing, nobody says
      return [{ path, change: { kind: 'write', after: content } }];
    case 'delete':
      texts.delete(path);
      return [{ path, change: removal(content) }];
    case 'update':
      return updated(path, value, texts);
    default:
      return [{ path, change: UNTOLD }];
  }
}

/** Something was changed, we were not told what. */
const UNTOLD: Change = { kind: 'replace', pairs: [] };

function removal(content: string | undefined): Change {
  return content === undefined ? { kind: 'write', after: '' } : { kind: 'full', before: content, after: null };
}

function updated(path: string, value: Readonly<Record<string, unknown>>, texts: OwnTexts): ToldEdit[] {
  const diff = textOf(value.unified_diff);
  const hunks = diff === undefined ? undefined : parseUnified(diff);
  const before = texts.get(path);
  const after = before === undefined || (diff !== '' && !hunks) ? undefined : applied(before, hunks ?? []);
  const target = pathOf(value.move_path) ?? path;
  texts.delete(path);
  if (after !== undefined) texts.set(target, after);
  // a file of the session's own goes with all its lines; any other is the same file under another name, and the join sees that
  if (target !== path && after !== undefined) return [{ path: target, change: { kind: 'full', before: null, after } }];
  if (diff === '') return [];
  return [{ path: target, change: hunks ? { kind: 'hunks', hunks } : UNTOLD }];
}

/** The text after the hunks: the hunks turned round, undone. */
function applied(text: string, hunks: readonly Hunk[]): string | undefined {
  const turned = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    lines: lines.map((line) => (TURNED[line[0] ?? ''] ?? line[0] ?? '') + line.slice(1)),
  }));
  return undo(text, { hunks: turned, shown: (line) => line });
}

const TURNED: Readonly<Record<string, string>> = { '+': '-', '-': '+' };

/** Files of a patch that was applied, where only its own words tell of it. */
export function patchChanges(files: readonly PatchedFile[], folder: string | undefined): ToldEdit[] {
  const edits = files.map(
    ({ path, kind, text, movedTo, pairs }): ToldEdit => ({
      path: pathFrom(folder, movedTo ?? path),
      change:
        kind === 'add'
          ? { kind: 'write', after: text ?? '' }
          : kind === 'delete'
            ? removal(undefined)
            : { kind: 'replace', pairs: pairs ?? [] },
    }),
  );
  return edits.sort(byPath);
}
