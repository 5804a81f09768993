// The rows of docs/bench.md, by letter.
import { aged } from './aged.mjs';
import { blames } from './blame.mjs';
import { contents } from './content.mjs';
import { delays } from './delay.mjs';
import { gates, trees } from './gate.mjs';
import { grown } from './grown.mjs';
import { commits, edits, shells } from './hooks.mjs';
import { joins } from './join.mjs';
import { notes } from './notes.mjs';
import { rebases } from './rebase.mjs';
import { shims } from './shims.mjs';
import { helps, verbs } from './starts.mjs';

export const CASES = {
  ...{ a: commits, b: edits, c: shells, d: delays, e: blames, f: joins, g: notes, h: contents, i: rebases },
  ...{ j: gates, k: trees, l: grown, m: helps, n: verbs, o: shims, p: aged },
};

/** Those that are quick, and whose time says something on a machine that does other things meanwhile. */
export const SMALL = ['a', 'b', 'e', 'g', 'o'];
