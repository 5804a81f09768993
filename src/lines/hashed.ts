import { contentHash, lineHashes, printHash } from './hash.ts';
import { type Machine, startMachine } from './machine.ts';
import type { Lines } from './text.ts';

/** Both hashes of these lines: see `contentHash` and `lineHashes`. */
export interface LinesHashed {
  readonly content: string;
  readonly each: string;
}

const known = new WeakMap<Lines, LinesHashed>();

/** Hashing is most of the work of a record: it may be done beforehand, while git is still reading, and is done once. */
export function hashLines(lines: Lines): LinesHashed {
  const had = known.get(lines);
  if (had) return had;
  const found = findMachine(lines.length)?.hash(lines);
  const hashed = found
    ? { content: printHash(found.murmur), each: found.each }
    : { content: contentHash(lines), each: lineHashes(lines) };
  known.set(lines, hashed);
  return hashed;
}

/** To get the machine going takes as long as hashing so many lines without it. */
const MANY = 1000;

let count = 0;
let machine: { readonly started: Machine | undefined } | undefined;

function findMachine(more: number): Machine | undefined {
  count += more;
  if (count >= MANY) machine ??= { started: startMachine() };
  return machine?.started;
}
