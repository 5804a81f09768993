import type { Lines } from '../lines/text.ts';
import { withoutSigns } from './conflict.ts';
import { Pool } from './pool.ts';
import { advance, baseState, type State, type Step } from './state.ts';

/**
 * The state after a step. Lines of the base that had gone and stand again where they stood, nobody has typed in a gap: git had put the file
 * aside and brought it back, and then it was committed. They are the base's own, as far as a diff with the base itself tells.
 */
export function advanceUpon(base: Lines, state: State, next: Lines, step: Step): State {
  const after = advance({ ...state, lines: withoutSigns(state.lines, next) }, next, step);
  const { origin, gap } = step.writer;
  if (!gap) return after;
  const standing = new Set(after.trails.flatMap((trail) => ('base' in trail && !trail.path ? [trail.base] : [])));
  const gone = new Set(base.filter((_, i) => !standing.has(i)));
  const isOpen = (i: number) => {
    const trail = after.trails[i];
    return trail !== undefined && 'origin' in trail && trail.origin === origin && gone.has(next[i] ?? '');
  };
  const open = new Set([...next.keys()].filter(isOpen));
  if (open.size === 0) return after;
  const direct = advance(baseState(base), next, { writer: step.writer, pool: new Pool() });
  const trails = after.trails.map((trail, i) => {
    const other = open.has(i) ? direct.trails[i] : undefined;
    return other && 'base' in other && !standing.has(other.base) ? other : trail;
  });
  return { lines: next, trails };
}
