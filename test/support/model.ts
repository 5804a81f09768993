import fs from 'node:fs';
import path from 'node:path';

/** What is in a folder, so that others like it are made without the processes that made the first. */
export type Model = readonly {
  readonly name: string;
  readonly mode: number;
  /** None: a folder. */
  readonly content?: Buffer;
}[];

export function modelOf(folder: string): Model {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const full = path.join(folder, name);
    const stats = fs.lstatSync(full);
    if (stats.isDirectory()) return { name, mode: stats.mode };
    if (!stats.isFile()) throw new Error(`${full} is neither a file nor a folder`);
    return { name, mode: stats.mode, content: fs.readFileSync(full) };
  });
}

/** Into an empty folder; `words` are put in the place of others in every file, such as the folder's own name. */
export function makeLike(model: Model, folder: string, words: Readonly<Record<string, string>> = {}): void {
  for (const { name, mode, content } of model) {
    const full = path.join(folder, name);
    if (content) fs.writeFileSync(full, replaced(content, words), { mode });
    else fs.mkdirSync(full, { mode });
  }
}

function replaced(content: Buffer, words: Readonly<Record<string, string>>): Buffer {
  let text = content.toString('latin1');
  for (const [from, to] of Object.entries(words)) text = text.replaceAll(from, to);
  return Buffer.from(text, 'latin1');
}

const empty = new Map<string, Model>();

/** `git init` in an empty folder, as `make` does it; the second time without git. Of git's template only the folders come along, not the samples. */
export function initLike(folder: string, args: readonly string[], make: (...args: string[]) => unknown): void {
  const key = args.join(' ');
  const model = empty.get(key);
  if (model) makeLike(model, folder);
  else {
    make('init', '-q', '-b', 'main', '--template=', ...args);
    for (const name of ['hooks', 'info']) fs.mkdirSync(path.join(folder, args.includes('--bare') ? '' : '.git', name));
    empty.set(key, modelOf(folder));
  }
}

/** The commit that is checked out, from git's own files where it is told there. */
export function findHead(folder: string): string | undefined {
  try {
    const said = fs.readFileSync(path.join(folder, '.git/HEAD'), 'latin1').trim();
    const id = said.startsWith('ref: ') ? fs.readFileSync(path.join(folder, '.git', said.slice(5)), 'latin1') : said;
    return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(id.trim())?.[0];
  } catch {
    // a linked work tree, or packed refs
    return undefined;
  }
}
