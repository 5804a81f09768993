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
    if (edit.change.kind === 'full')
      steps.push({ at: edit.shell?.from ?? edit.at, edit, see: edit.change.before ?? [] });
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
    if (stashed && sameLines(stashed.over, parentOf(edit))) found.set(stashed.at, { at: stashed.at, stashed });
  }
  return [...found.values()];
}
