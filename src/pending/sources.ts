import { openObjects } from '../git/objects.ts';
import { listTree } from '../git/trees.ts';
import { findCopies, type Source, type Wanted, wantedCopies } from '../join/copies.ts';
import { names } from '../join/shell.ts';
import type { TimelineCopy } from '../join/timeline.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import type { Surroundings } from './world.ts';

/** So much of what stood there before a command is read: first what the command names, then what was not committed. */
const MAX_FILES = 1000;
const MAX_TOTAL = 16 << 20;
const MAX_BYTES = 1 << 20;
const AT_ONCE = 100;

/** The listings of trees; many commands ask for the same. */
export type TreeLists = (tree: string | undefined) => ReturnType<typeof listTree>;

export function openTreeLists({ repository }: Surroundings): TreeLists {
  const lists = new Map<string, ReturnType<typeof listTree>>();
  return (tree = '') => {
    const list = lists.get(tree) ?? listTree(repository.place, tree);
    lists.set(tree, list);
    return list;
  };
}

export interface ChangedText {
  readonly path: string;
  readonly before: Lines;
  readonly after: Lines;
}

/** For each file that a command changed, the lines that stood somewhere in the work tree before it: it has copied them. */
export async function copiesBy(
  world: Surroundings,
  command: StoredCommand,
  { changes, lists }: { readonly changes: readonly ChangedText[]; readonly lists: TreeLists },
): Promise<Map<string, TimelineCopy[]>> {
  const wanted = new Map<string, Wanted>();
  for (const change of changes) {
    const some = wantedCopies({ ...change, command: command.command });
    if (some) wanted.set(change.path, some);
  }
  if (wanted.size === 0) return new Map();
  const near = [...wanted.values()].every((some) => some.near);
  const sources = await readSources(world, await rankedFiles(command, lists, near));
  const texts = new Map(sources.map(({ blob, lines }) => [blob, lines]));
  return new Map(
    [...wanted].map(([path, some]) => [
      path,
      findCopies(some, sources).map((copy) => ({ ...copy, text: texts.get(copy.blob) ?? [] })),
    ]),
  );
}

interface RankedFile {
  readonly path: string;
  readonly blob: string;
  readonly named: boolean;
}

async function rankedFiles(command: StoredCommand, lists: TreeLists, near: boolean): Promise<RankedFile[]> {
  const [before, head] = await Promise.all([lists(command.before), lists(command.head)]);
  const committed = new Set(head.map(({ blob }) => blob));
  const known = before.map((file): RankedFile => ({ ...file, named: names(command.command, file.path) }));
  const rank = ({ named, blob }: RankedFile) => Number(!named) * 2 + Number(committed.has(blob));
  return known
    .filter(({ named }) => named || !near)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_FILES);
}

async function readSources(world: Surroundings, files: readonly RankedFile[]): Promise<Source[]> {
  const reader = openObjects(world.repository.place);
  const sources: Source[] = [];
  try {
    for (let at = 0, total = 0; at < files.length && total < MAX_TOTAL; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE);
      const objects = await reader.read(
        some.map(({ blob }) => blob),
        { maxBytes: MAX_BYTES },
      );
      for (const { path, blob, named } of some) {
        const bytes = objects.get(blob)?.bytes;
        if (!bytes || isBinary(bytes)) continue;
        total += bytes.length;
        sources.push({ path, blob, named, lines: splitBytes(bytes) });
      }
    }
  } finally {
    reader.close();
  }
  return sources;
}
