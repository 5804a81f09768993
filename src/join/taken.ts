import { isInformative, type Lines } from '../lines/text.ts';
import { findCopies, RUN, type Source } from './copies.ts';
import type { TimelineCopy, TimelineEdit } from './timeline.ts';

/** A text out of which an edit took lines, and the moment before it did. */
interface Robbed extends Source {
  readonly at: number;
  readonly gone: Lines;
}

type Edits = ReadonlyMap<string, readonly TimelineEdit[]>;

/** True when an edit tool wrote so much that it may have been moved from elsewhere. */
export function mayBeTaken(edits: Edits): boolean {
  return [...edits.values()].some((all) =>
    all.some(({ change, shell }) => !shell && change.kind === 'full' && (change.after?.length ?? 0) >= RUN),
  );
}

/** Moving is not writing, from file to file too: for edits by tools, the lines that other edits took out of other files, or of these beside. */
export function takenLines(edits: Edits, beside: Edits): Map<TimelineEdit, TimelineCopy[]> {
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

function robbedBy(path: string, { at, change, beforeId, shell }: TimelineEdit): Robbed | undefined {
  if (shell || change.kind !== 'full' || !change.before || !beforeId) return undefined;
  const gone = without(change.before, change.after ?? []);
  return gone.length < RUN ? undefined : { path, blob: beforeId, lines: change.before, at: at - 1, gone };
}

function copiesIn(
  path: string,
  { change, shell }: TimelineEdit,
  { sources, gone }: { readonly sources: readonly Robbed[]; readonly gone: ReadonlySet<string> },
): TimelineCopy[] {
  if (shell || change.kind !== 'full' || !change.after) return [];
  const fresh = without(change.after, change.before ?? []).filter((line) => gone.has(line));
  if (fresh.length < RUN) return [];
  const had = new Set(change.before);
  const text = change.after;
  const lines = new Set([...text.keys()].filter((i) => !had.has(text[i] ?? '')));
  const copies = findCopies({ path, text, lines, carried: false, near: false }, sources);
  return copies.flatMap((copy) => {
    const source = sources.find(({ path: from, blob }) => from === copy.path && blob === copy.blob);
    return source ? [{ ...copy, text: source.lines, at: source.at }] : [];
  });
}

function without(lines: Lines, others: Lines): Lines {
  const had = new Set(others);
  return lines.filter((line) => isInformative(line) && !had.has(line));
}
