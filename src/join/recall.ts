import { diffLines } from '../lines/diff.ts';
import { isDistinct, isInformative } from '../lines/text.ts';
import { saidLines } from './carried.ts';
import type { Pool } from './pool.ts';
import { reflowedFrom } from './similar.ts';
import { copiedLines, movedWithin } from './taken.ts';
import type { TimelineEdit } from './timeline.ts';

/**
 * An edit whose text was committed long ago: what it wrote and the base has no more goes to the pool. A checkout of an old version, or a
 * reset of some paths, brings it back. Of one that was undone, with what it stood between: a stash brings that back.
 */
export function recall(base: ReadonlySet<string>, edit: TimelineEdit, into: RecallInto): void {
  const { pool, path, doubted } = into;
  const { agent, change, userModified } = edit;
  if (change.kind !== 'full' || !change.after) return;
  const { after } = change;
  const said = doubted && edit.shell ? saidLines(edit.shell.command, after, edit.elsewhere ?? path) : undefined;
  const carried = carriedLines(edit);
  const type = userModified ? 'mixed' : 'ai';
  const map = diffLines(change.before ?? [], after);
  // what has come back already is history like any other
  const undone =
    into.undone === true && !map.some((old, i) => old < 0 && isDistinct(after[i] ?? '') && base.has(after[i] ?? ''));
  const stands = (line: string) => !undone && isInformative(line) && base.has(line);
  let lines: string[] = [];
  const close = (end: number) => {
    const origins = lines.map(() => ({ type, evidence: 'matched', agent }) as const);
    const around = { before: after[end - lines.length - 1], after: after[end] };
    if (lines.length > 0 && undone) pool.add(lines, origins, { around });
    else if (lines.some(isInformative)) pool.add(lines, origins, { settled: true });
    lines = [];
  };
  for (const [i, old] of map.entries()) {
    const line = after[i] ?? '';
    if (old < 0 && !carried.has(i) && (said?.has(i) ?? true) && !stands(line)) lines.push(line);
    else close(i);
  }
  close(after.length);
}

export interface RecallInto {
  readonly pool: Pool;
  readonly path: string;
  /** What changed while the command ran may not be its doing: only what it says itself is. */
  readonly doubted: boolean;
  /** Nothing of it was ever committed. */
  readonly undone?: boolean;
}

/** Lines that an edit only moved, or a command copied or gave another form: it has not written them. */
function carriedLines(edit: TimelineEdit): Set<number> {
  const { shell, change } = edit;
  const carried = new Set([...copiedLines(edit), ...movedWithin(edit)]);
  if (!shell || change.kind !== 'full') return carried;
  reflowedFrom(change.before ?? [], change.after ?? []).forEach((old, i) => {
    if (old >= 0) carried.add(i);
  });
  return carried;
}
