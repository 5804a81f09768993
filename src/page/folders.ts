import type { ReportedFile } from '../report/report.ts';
import type { Counts } from '../report/tally.ts';

/** Files that are shown together: a folder's, its own ones only where the folders in it are shown themselves, or many small folders'. */
export interface Folder {
  readonly name: string;
  readonly counts: Counts;
  readonly files: readonly ReportedFile[];
}

/** Deeper than this nobody reads; a hostile path can be very deep. */
const DEEPEST = 12;
/** A folder with less than this part of all lines stays whole. */
const WORTH_OPENING = 0.06;

interface Cell {
  readonly prefix: string;
  readonly depth: number;
  readonly files: readonly ReportedFile[];
  readonly lines: number;
  /** A folder's own files, without those of its folders. */
  readonly own: boolean;
}

/** At most `most` folders, largest first: the largest is opened again and again, as long as there is room. Every file is in one. */
export function foldersOf(files: readonly ReportedFile[], most: number): Folder[] {
  const all = cellOf('', 0, files);
  let cells = open(all);
  const closed = new Set<Cell>();
  for (;;) {
    const next = cells.filter((cell) => canOpen(cell) && !closed.has(cell) && cell.lines >= all.lines * WORTH_OPENING);
    const largest = next.reduce<Cell | undefined>((a, b) => (a && a.lines >= b.lines ? a : b), undefined);
    if (!largest) break;
    const inside = open(largest);
    const innermost = inside.length === 1 && inside[0]?.own;
    if (innermost || cells.length - 1 + inside.length > most) closed.add(largest);
    else cells = [...cells.filter((cell) => cell !== largest), ...inside];
  }
  return folded(cells, most);
}

function canOpen({ own, depth }: Cell): boolean {
  return !own && depth < DEEPEST;
}

function open({ prefix, depth, files }: Cell): Cell[] {
  const inside = new Map<string, ReportedFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/', prefix.length);
    const key = slash < 0 ? '' : file.path.slice(0, slash + 1);
    const list = inside.get(key);
    if (list) list.push(file);
    else inside.set(key, [file]);
  }
  return [...inside].map(([key, some]) =>
    key === '' ? { ...cellOf(prefix, depth + 1, some), own: true } : cellOf(key, depth + 1, some),
  );
}

function cellOf(prefix: string, depth: number, files: readonly ReportedFile[]): Cell {
  const lines = files.reduce((sum, { counts }) => sum + counts.total, 0);
  return { prefix, depth, files, lines, own: false };
}

/** What does not fit is one folder, the last. */
function folded(cells: readonly Cell[], most: number): Folder[] {
  const sorted = [...cells].sort((a, b) => b.lines - a.lines || (a.prefix < b.prefix ? -1 : 1));
  const shown = sorted.length > most ? sorted.slice(0, most - 1) : sorted;
  const rest = sorted.slice(shown.length);
  const folders = shown.map((cell) => ({ name: nameOf(cell), counts: sum(cell.files), files: cell.files }));
  if (rest.length === 0) return folders;
  const files = rest.flatMap((cell) => cell.files);
  return [...folders, { name: `${rest.length} smaller folders`, counts: sum(files), files }];
}

function nameOf({ prefix, own }: Cell): string {
  if (!own) return prefix;
  return prefix === '' ? 'files at the top' : `${prefix}*`;
}

export function sum(files: readonly { readonly counts: Counts }[]): Counts {
  const counts = { total: 0, ai: 0, human: 0, mixed: 0, unknown: 0 };
  for (const { counts: some } of files) {
    counts.total += some.total;
    counts.ai += some.ai;
    counts.human += some.human;
    counts.mixed += some.mixed;
    counts.unknown += some.unknown;
  }
  return counts;
}
