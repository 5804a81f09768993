import { type Lines, sameLines } from '../lines/text.ts';
import { BY_GIT } from './state.ts';
import type { StashedLines, TimelineContext, TimelineEdit } from './timeline.ts';

/** With `see`, the text that stood there (before the edit, where there is one); otherwise the step is the edit itself. */
export type TimelineStep =
  | { readonly at: number; readonly edit: TimelineEdit; readonly see?: Lines }
  | {
      readonly at: number;
      readonly edit?: undefined;
      readonly stashed?: undefined;
      readonly see: Lines;
      /** Why nobody is known to have written it. */
      readonly reason: string;
      readonly over?: Lines;
    }
  | { readonly at: number; readonly edit?: undefined; readonly stashed: StashedLines };

export const BEFORE_CAPTURE = 'written before capture began';

/**
 * What was there before an edit is seen just before it; before a shell command, when it began. So an edit by another hand while the
 * command ran stays that hand's, and only the rest is the command's.
 */
export function stepsOf(
  base: Lines,
  edits: readonly TimelineEdit[],
  { placed = [], early, oldPath }: TimelineContext,
): TimelineStep[] {
  const steps: TimelineStep[] = early ? [{ at: early.at, see: early.text, reason: BEFORE_CAPTURE }] : [];
  steps.push(...placed.map(({ at, text, over }) => ({ at, see: text, reason: BY_GIT, ...(over && { over }) })));
  steps.push(...stashesOf(edits, ({ elsewhere }) => (oldPath === undefined || elsewhere !== undefined ? base : [])));
  for (const edit of edits) {
    if (edit.change.kind === 'full') steps.push({ at: begunAt(edit), edit, see: edit.change.before ?? [] });
    steps.push({ at: edit.at, edit });
  }
  return steps
    .map((step, i) => ({ step, i }))
    .sort((a, b) => a.step.at - b.step.at || a.i - b.i)
    .map(({ step }) => step);
}

/** What git put aside upon the very text that the parent has under that name; each once, however often it was brought back. */
function stashesOf(edits: readonly TimelineEdit[], parentOf: (edit: TimelineEdit) => Lines): TimelineStep[] {
  const found = new Map<number, TimelineStep>();
  for (const edit of edits) {
    const { stashed } = edit;
    if (!stashed || !sameLines(stashed.over, parentOf(edit))) continue;
    found.set(stashed.at, { at: putAsideAt(stashed, edits), stashed });
  }
  return [...found.values()];
}

/**
 * Git's clock knows seconds. Where an edit of the second began with just the text that was put aside, and the last of it left another, the
 * text was put aside before that edit, and brought back.
 */
function putAsideAt({ at, text }: StashedLines, edits: readonly TimelineEdit[]): number {
  const second = Math.floor(at / 1000) * 1000;
  const within = edits.filter((edit) => edit.at <= at && begunAt(edit) >= second);
  const changes = within.flatMap((edit) =>
    edit.change.kind === 'full' ? [{ ...edit.change, from: begunAt(edit) }] : [],
  );
  if (sameLines(changes.at(-1)?.after ?? [], text)) return at;
  return changes.findLast(({ before }) => before && sameLines(before, text))?.from ?? at;
}

/** What stands there before an edit is seen just then; before a command, when it begins. */
function begunAt({ shell, at }: TimelineEdit): number {
  return shell?.from ?? at;
}
