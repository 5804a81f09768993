import type { Operation } from '../stage.ts';
import { BRANCHES } from './branches.ts';
import { COMMITS } from './commits.ts';
import { JJ_OPERATIONS } from './jj.ts';
import { NEWER } from './newer.ts';
import { PARTS } from './parts.ts';
import { PLACES } from './places.ts';
import { REBASES } from './rebases.ts';
import { SAVES } from './saves.ts';
import { STASHES } from './stashes.ts';
import { STOPPED } from './stops.ts';
import { THROWN } from './thrown.ts';
import { WORKTREES } from './worktrees.ts';

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...COMMITS,
  ...REBASES,
  ...WORKTREES,
  ...PLACES,
  ...PARTS,
  ...BRANCHES,
  ...SAVES,
  ...NEWER,
  ...STASHES,
  ...STOPPED,
  ...THROWN,
  ...JJ_OPERATIONS,
};
