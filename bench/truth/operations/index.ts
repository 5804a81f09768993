import type { Operation } from '../stage.ts';
import { COMMITS } from './commits.ts';
import { JJ_OPERATIONS } from './jj.ts';
import { NEWER } from './newer.ts';
import { PLACES } from './places.ts';
import { REBASES } from './rebases.ts';
import { WORKTREES } from './worktrees.ts';

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...COMMITS,
  ...REBASES,
  ...WORKTREES,
  ...PLACES,
  ...NEWER,
  ...JJ_OPERATIONS,
};
