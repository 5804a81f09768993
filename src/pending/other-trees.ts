import type { TimelineEdit } from '../join/timeline.ts';
import { isUnseen, type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import type { Joining } from './joining.ts';

/** So many lines in a row that say much two people do not write alike. */
const SURE = 3;
const ELSEWHERE = 'an agent wrote the same in another work tree';

/**
 * What stands in a commit and was seen by nobody in its work tree, an agent may have written in another one, from where it was brought by
 * a stash, a patch or a copy.
 */
export function withOtherTrees(joining: Omit<Joining, 'beginning'>, file: OriginFile): OriginFile {
  const others = joining.world.worktrees.filter(({ name }) => name !== joining.one.worktree);
  if (others.length === 0 || !file.runs.some(({ origin }) => isUnseen(origin))) return file;
  const edits = others.flatMap(({ name }) => joining.view.history(file.path, name).edits);
  const written = writtenBy(edits.filter(({ elsewhere }) => elsewhere === undefined));
  if (written.size === 0) return file;
  return { ...file, runs: file.runs.flatMap((run) => (isUnseen(run.origin) ? recognised(run, written) : [run])) };
}

/** Lines that say much, with the agent who put them there. */
function writtenBy(edits: readonly TimelineEdit[]): Map<string, Origin> {
  const written = new Map<string, Origin>();
  for (const { agent, change, shell } of edits) {
    if (shell || (change.kind !== 'full' && change.kind !== 'write')) continue;
    const had = new Set(change.kind === 'full' ? change.before : []);
    for (const line of change.after ?? []) {
      if (had.has(line) || !isDistinct(line)) continue;
      const origin: Origin = { type: 'ai', evidence: 'matched', agent };
      const other = written.get(line);
      written.set(line, other && !sameVoice(other, origin) ? unknown(ELSEWHERE) : origin);
    }
  }
  return written;
}

function recognised(run: OriginRun, written: ReadonlyMap<string, Origin>): OriginRun[] {
  const found = run.lines.map((line) => written.get(line));
  const isSure = (at: number) => {
    if (!found[at]) return false;
    let [start, end] = [at, at];
    while (found[start - 1]) start--;
    while (found[end + 1]) end++;
    return end - start + 1 >= SURE;
  };
  return cutRuns(run, (line) => {
    const at = line - run.start;
    return (isSure(at) && found[at]) || run.origin;
  });
}
