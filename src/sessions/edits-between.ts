import { findFile, whileSame } from './disk.ts';
import type { Store } from './store.ts';
import { FILES, parseEdit, pathIn, pathOf, type StoredEdit } from './timelines.ts';

export interface WhichEdits {
  readonly from: number;
  readonly to: number;
  /** Only those that found a text there. */
  readonly ofTexts?: boolean;
  readonly worktree?: string;
  /** Not of these paths. */
  readonly except?: ReadonlySet<string>;
  /** So many of them, the latest. */
  readonly latest?: number;
}

/** Every edit of every path between two moments. */
export function readEdits(store: Store, which: WhichEdits): readonly StoredEdit[] {
  const { from, to, ofTexts = false, worktree, except, latest = Infinity } = which;
  const isAsked = (edit: StoredEdit) =>
    edit.at >= from &&
    edit.at <= to &&
    (!ofTexts || edit.before) &&
    (worktree === undefined || edit.worktree === worktree) &&
    !except?.has(edit.path);
  // a long history is parsed only where it is asked for, and of one file after the other: little of it is held at a time
  const found = FILES.flatMap((name) => {
    const near = linesBetween(readTimes(pathOf(store, name)), from, to).filter(({ line }) => isNamed(line, which));
    return latestOf(near, latest).flatMap(({ line }) => parseEdit(line) ?? []);
  });
  return latestOf(found.filter(isAsked), latest);
}

/** A file's bytes, where its lines begin and the last one ends, and when each was; NaN where it does not tell. */
interface TimedLines {
  readonly bytes: Buffer;
  readonly starts: readonly number[];
  readonly times: readonly number[];
}

/** Of many commits the same is asked: a year's edits are some megabytes. */
const readTimes = whileSame((file): TimedLines => {
  const bytes = findFile(file) ?? Buffer.alloc(0);
  const [starts, times]: [number[], number[]] = [[], []];
  let key = bytes.indexOf(AT);
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    // looked for no further than once: lines may have none
    if (key >= 0 && key < at) key = bytes.indexOf(AT, at);
    starts.push(at);
    at = end < 0 ? bytes.length : end + 1;
    times.push(key < 0 || key >= at ? NaN : numberAt(bytes, key + AT.length));
  }
  return { bytes, starts: [...starts, bytes.length], times };
});

const AT = '"at":';

function numberAt(bytes: Buffer, from: number): number {
  let value = 0;
  let at = from;
  for (; isDigit(bytes[at]); at++) value = value * 10 + ((bytes[at] ?? 0) - 0x30);
  return at === from ? NaN : value;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** One that does not tell its time may be asked for. */
function linesBetween({ bytes, starts, times }: TimedLines, from: number, to: number): { at: number; line: string }[] {
  return times.flatMap((time, i) => {
    const at = Number.isNaN(time) ? from : time;
    return at >= from && at <= to ? [{ at, line: bytes.toString('utf8', starts[i], starts[i + 1]).trimEnd() }] : [];
  });
}

/** As far as a look at the text of an edit tells whether it is asked for. */
function isNamed(line: string, { ofTexts, worktree, except }: WhichEdits): boolean {
  if (ofTexts && !line.includes('"before":"')) return false;
  if (worktree !== undefined && !line.includes(`"worktree":${JSON.stringify(worktree)}`)) return false;
  return !except || except.size === 0 || !except.has(pathIn(line) ?? '');
}

/** In the order in which they came. */
function latestOf<T extends { readonly at: number }>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const last = new Set([...all].sort((a, b) => a.at - b.at).slice(-count));
  return all.filter((one) => last.has(one));
}
