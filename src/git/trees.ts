import { type ObjectReader, openObjects } from './objects.ts';
import { decodePath, encodePath, type RepoPath } from './paths.ts';
import { isRegular, LINK } from './raw.ts';
import { askGit, type GitPlace } from './run.ts';

export interface TreeEntry {
  /** Octal, without leading zeros, as trees have it: `40000`, `100644`. */
  readonly mode: string;
  readonly id: string;
}

/** The entries of one tree by name; names are latin1, one character per byte. */
export type Tree = Map<string, TreeEntry>;

export const FOLDER = '40000';

/** `idBytes` is 20 or 32. A tree that was cut short gives what it has. */
export function decodeTree(bytes: Buffer, idBytes: number): Tree {
  const tree: Tree = new Map();
  // slices of two long strings: four times as fast as decoding each name and id by itself
  const text = bytes.toString('latin1');
  const hex = bytes.toString('hex');
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(' ', at);
    const end = text.indexOf('\0', space);
    const next = end + 1 + idBytes;
    if (space < 0 || end < 0 || next > text.length) break;
    tree.set(text.slice(space + 1, end), { mode: text.slice(at, space), id: hex.slice(2 * (end + 1), 2 * next) });
    at = next;
  }
  return tree;
}

/** Git sorts folders as if their names ended in a slash. */
export function encodeTree(tree: ReadonlyMap<string, TreeEntry>): Buffer {
  const sorted = [...tree].map(([name, entry]) => ({ name, entry, key: entry.mode === FOLDER ? `${name}/` : name }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ name, entry }) => [
      Buffer.from(`${entry.mode} ${name}\0`, 'latin1'),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

export interface HeadFile {
  readonly mode: string;
  readonly blob: string;
}

/**
 * The regular files at these paths in a revision, with one process and a round per level of folders: any byte may be in a path, and
 * there may be any number of them. Undefined: no such file there.
 */
export async function readHeadFiles(
  place: GitPlace,
  revision: string,
  paths: readonly RepoPath[],
): Promise<Map<RepoPath, HeadFile | undefined>> {
  const found = await readHeadBlobs(place, revision, paths);
  return new Map([...found].map(([path, file]) => [path, file && isRegular(file.mode) ? file : undefined]));
}

/** The same, links included. */
export async function readHeadBlobs(
  place: GitPlace,
  revision: string,
  paths: readonly RepoPath[],
): Promise<Map<RepoPath, HeadFile | undefined>> {
  const files = new Map<RepoPath, HeadFile | undefined>(paths.map((path) => [path, undefined]));
  const reader = openObjects(place);
  try {
    const wanted = new Map([...files.keys()].map((path) => [encodePath(path).toString('latin1'), path]));
    let folders = new Map([['', `${revision}^{tree}`]]);
    while (folders.size > 0) folders = await descend(reader, folders, { wanted, files });
  } finally {
    reader.close();
  }
  return files;
}

interface Search {
  readonly wanted: ReadonlyMap<string, RepoPath>;
  readonly files: Map<RepoPath, HeadFile | undefined>;
}

async function descend(
  reader: ObjectReader,
  folders: ReadonlyMap<string, string>,
  { wanted, files }: Search,
): Promise<Map<string, string>> {
  const objects = await reader.read([...folders.values()]);
  const trees = new Map<string, Tree>();
  for (const [prefix, name] of folders) {
    const object = objects.get(name);
    if (object?.type === 'tree') trees.set(prefix, decodeTree(object.bytes, object.id.length / 2));
  }
  const next = new Map<string, string>();
  for (const [bytes, path] of wanted) {
    for (const [prefix, rest] of prefixesOf(bytes)) {
      const entry = trees.get(prefix)?.get(rest.split('/', 1)[0] ?? '');
      if (!entry) continue;
      const deeper = rest.indexOf('/');
      if (deeper < 0 && isBlob(entry.mode)) files.set(path, { mode: entry.mode, blob: entry.id });
      if (deeper >= 0 && entry.mode === FOLDER) next.set(prefix + rest.slice(0, deeper + 1), entry.id);
    }
  }
  return next;
}

function isBlob(mode: string): boolean {
  return isRegular(mode) || mode === LINK;
}

/** `a/b/c` lies in ``, `a/` and `a/b/`. */
function* prefixesOf(path: string): Generator<[prefix: string, rest: string]> {
  for (let at = 0; ; ) {
    yield [path.slice(0, at), path.slice(at)];
    const slash = path.indexOf('/', at);
    if (slash < 0) return;
    at = slash + 1;
  }
}

/** Every regular file of a tree; none where it is gone. */
export async function listTree(place: GitPlace, tree: string): Promise<ListedFile[]> {
  return (await listBlobs(place, tree)).filter(({ mode }) => isRegular(mode));
}

export interface ListedFile extends HeadFile {
  readonly path: RepoPath;
}

/** The same, links included. */
export async function listBlobs(place: GitPlace, tree: string): Promise<ListedFile[]> {
  const { code, out } =
    tree === '' ? { code: 1, out: Buffer.alloc(0) } : await askGit(place, ['ls-tree', '-r', '-z', '--full-tree', tree]);
  if (code !== 0) return [];
  return splitEntries(out).flatMap((entry) => {
    const [, mode = '', blob = ''] = /^(\d+) blob ([0-9a-f]+)$/.exec(entry.head) ?? [];
    return isBlob(mode) ? [{ path: decodePath(entry.name), mode, blob }] : [];
  });
}

/** `mode type id TAB path NUL`, any byte in the path. */
function splitEntries(out: Buffer): { head: string; name: Buffer }[] {
  const entries: { head: string; name: Buffer }[] = [];
  for (let at = 0, end = out.indexOf(0); end >= 0; at = end + 1, end = out.indexOf(0, at)) {
    const tab = out.indexOf(9, at);
    if (tab >= 0 && tab < end)
      entries.push({ head: out.toString('latin1', at, tab), name: out.subarray(tab + 1, end) });
  }
  return entries;
}
