import { isInformative, type Lines } from '../lines/text.ts';
import { findCopies, RUN, type Source } from './copies.ts';
import { movesContents } from './shell.ts';
import type { TimelineCopy, TimelineEdit } from './timeline.ts';

/** A text out of which an edit took lines, and the moment before it did. */
interface Robbed extends Source {
  readonly at: number;
  readonly gone: Lines;
}

type Edits = ReadonlyMap<string, readonly TimelineEdit[]>;

/** The edits, with the lines that they only moved, out of files of theirs or of those beside. */
export function withTaken(edits: Edits, beside: () => Edits = () => new Map()): Edits {
  const isMuch = ({ change }: TimelineEdit) => change.kind === 'full' && (change.after?.length ?? 0) >= RUN;
  if (![...edits.values()].some((all) => all.some(isMuch))) return edits;
  const taken = takenLines(edits, beside());
  const complete = (edit: TimelineEdit): TimelineEdit => {
    const copies = taken.get(edit);
    return copies ? { ...edit, copies: [...(edit.copies ?? []), ...copies] } : edit;
  };
  return new Map([...edits].map(([path, all]) => [path, all.map(complete)]));
}

/** Moving is not writing, from file to file too: for edits by tools, and what commands say themselves, the lines that other edits took out. */
function takenLines(edits: Edits, beside: Edits): Map<TimelineEdit, TimelineCopy[]> {
  const taken = new Map<TimelineEdit, TimelineCopy[]>();
  const robbed = [...edits, ...beside].flatMap(([path, all]) => all.flatMap((edit) => robbedBy(path, edit) ?? []));
  const gone = new Set(robbed.flatMap((one) => one.gone));
  if (gone.size === 0) return taken;
  for (const [path, all] of edits) {
    const sources = robbed.filter((one) => one.path !== path);
    for (const edit of all) {
      const copies = copiesIn(path, edit, { sources, gone });
      if (copies.length > 0) taken.set(edit, copies);
    }
  }
  return taken;
}

function robbedBy(path: string, edit: TimelineEdit): Robbed | undefined {
  const { at, change, beforeId, shell } = edit;
  if (change.kind !== 'full' || !change.before || !beforeId || isOfGit(edit)) return undefined;
  const gone = without(change.before, change.after ?? []);
  const when = shell ? shell.from : at - 1;
  return gone.length < RUN ? undefined : { path, blob: beforeId, lines: change.before, at: when, gone };
}

/** Where git moves contents about, nobody else does. */
function isOfGit({ shell }: TimelineEdit): boolean {
  return shell !== undefined && movesContents(shell.command);
}

function copiesIn(
  path: string,
  edit: TimelineEdit,
  { sources, gone }: { readonly sources: readonly Robbed[]; readonly gone: ReadonlySet<string> },
): TimelineCopy[] {
  const { change } = edit;
  if (change.kind !== 'full' || !change.after || isOfGit(edit)) return [];
  const fresh = without(change.after, change.before ?? []).filter((line) => gone.has(line));
  if (fresh.length < RUN) return [];
  const had = new Set(change.before);
  const text = change.after;
  const known = copiedLines(edit);
  const lines = new Set([...text.keys()].filter((i) => !had.has(text[i] ?? '') && !known.has(i)));
  const copies = findCopies({ path, text, lines, carried: false, near: false }, sources);
  return copies.flatMap((copy) => {
    const source = sources.find(({ path: from, blob }) => from === copy.path && blob === copy.blob);
    return source ? [{ ...copy, text: source.lines, at: source.at }] : [];
  });
}

/** The lines of the text after an edit (from 0) that were not written by it, but brought. */
export function copiedLines({ copies = [] }: Pick<TimelineEdit, 'copies'>): Set<number> {
  return new Set(copies.flatMap(({ line, count }) => Array.from({ length: count }, (_, i) => line - 1 + i)));
}

function without(lines: Lines, others: Lines): Lines {
  const had = new Set(others);
  return lines.filter((line) => isInformative(line) && !had.has(line));
}
