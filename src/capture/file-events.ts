import type { EventBase, FileOperationEvent } from '../agentlog/document.ts';
import { defined } from './fields.ts';
import { hunksBetween, printUnified } from './hunks.ts';
import type { Change, Edit, Hunk } from './session.ts';

/** A diff is kept to this many characters; the texts themselves are stored apart. */
const MAX_DIFF = 1024 * 1024;

/** Relative to the folder the agent works in, where it is below it. */
export function projectPath(path: string, cwd: string | undefined): string {
  const root = cwd?.replace(/(?<![\\/])[\\/]+$/, '');
  return root && path.startsWith(root) && /^[\\/]./.test(path.slice(root.length)) ? path.slice(root.length + 1) : path;
}

export function editEvent(
  edit: Pick<Edit, 'path' | 'change' | 'userModified'>,
  base: EventBase,
  cwd: string | undefined,
): FileOperationEvent {
  const created = edit.change.kind === 'full' && edit.change.before === null;
  const deleted = edit.change.kind === 'full' && edit.change.after === null;
  const path = projectPath(edit.path, cwd);
  const { hunks, placed } = diffOf(edit.change);
  const count = (prefix: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(prefix)).length, 0);
  const diff = printUnified(path, hunks, created);
  const properties = {
    ...base.properties,
    // the line numbers of the diff count from the replaced text, not from the top of the file
    ...(placed ? {} : { 'git-agent-blame:unplaced': true }),
    ...(edit.userModified ? { 'git-agent-blame:userModified': true } : {}),
  };
  return defined({
    ...base,
    type: 'fileOperation' as const,
    operation: created ? ('create' as const) : deleted ? ('delete' as const) : ('edit' as const),
    path,
    diff: hunks.length > 0 ? diff.slice(0, MAX_DIFF) : undefined,
    linesAdded: edit.change.kind === 'write' ? undefined : count('+'),
    linesRemoved: edit.change.kind === 'write' ? undefined : count('-'),
    truncated: diff.length > MAX_DIFF || undefined,
    properties: Object.keys(properties).length > 0 ? properties : undefined,
  });
}

function diffOf(change: Change): { hunks: readonly Hunk[]; placed: boolean } {
  switch (change.kind) {
    case 'full':
      return { hunks: hunksBetween(change.before ?? '', change.after ?? ''), placed: true };
    case 'hunks':
      return { hunks: change.hunks, placed: true };
    case 'replace':
      return { hunks: change.pairs.flatMap((pair) => hunksBetween(pair.old, pair.new)), placed: false };
    case 'write':
      return { hunks: hunksBetween('', change.after), placed: false };
  }
}
