import { diffLines } from '../lines/diff.ts';
import { isInformative } from '../lines/text.ts';
import type { Pool } from './pool.ts';
import type { TimelineEdit } from './timeline.ts';

/**
 * An edit whose text was committed long ago: what it wrote and the base has no more goes to the pool. A checkout of an old version, or a
 * reset of some paths, brings it back.
 */
export function recall(base: ReadonlySet<string>, { agent, change, userModified }: TimelineEdit, pool: Pool): void {
  if (change.kind !== 'full' || !change.after) return;
  const { after } = change;
  const type = userModified ? 'mixed' : 'ai';
  let lines: string[] = [];
  const close = () => {
    const origins = lines.map(() => ({ type, evidence: 'matched', agent }) as const);
    if (lines.some(isInformative)) pool.add(lines, origins, { settled: true });
    lines = [];
  };
  for (const [i, old] of diffLines(change.before ?? [], after).entries()) {
    const line = after[i] ?? '';
    if (old < 0 && !(isInformative(line) && base.has(line))) lines.push(line);
    else close();
  }
  close();
}
