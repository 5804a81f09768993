import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { GitObject, ObjectReader } from './objects.ts';
import { decodePath, encodePath, type RepoPath } from './paths.ts';
import { askGit, type GitAnswer, type GitPlace, offline } from './run.ts';
import { makeTemporary } from './temporary.ts';

export interface AttributeQuestion {
  readonly name: string;
  /** The attributes files of this commit are asked, not those of a work tree. */
  readonly revision: string;
  /** Git is started before they are known. */
  readonly paths: Promise<readonly RepoPath[]>;
  /** Who has a reader open anyway saves two processes where the commit has no attributes files. */
  readonly reader?: ObjectReader | undefined;
}

/** What git's attributes say of paths that they speak of: `set`, `unset`, or a word. */
export async function readAttribute(
  place: GitPlace,
  question: AttributeQuestion,
): Promise<ReadonlyMap<RepoPath, string>> {
  const input = inputOf(question);
  return parseAttributes(((await askOthers(place, question, input)) ?? (await askCommit(place, question, input))).out);
}

/** The same, asking the attributes files of the work tree. */
export async function readStandingAttribute(
  place: GitPlace,
  question: Pick<AttributeQuestion, 'name' | 'paths'>,
): Promise<ReadonlyMap<RepoPath, string>> {
  return parseAttributes((await askGit(place, ['check-attr', '-z', '--stdin', question.name], inputOf(question))).out);
}

async function inputOf({ paths }: Pick<AttributeQuestion, 'paths'>): Promise<Buffer> {
  return Buffer.concat((await paths).flatMap((one) => [encodePath(one), Buffer.from([0])]));
}

type Answer = Pick<GitAnswer, 'out'>;

/** Where no folder on the way to the paths has a file of attributes, only those outside the commit are left, the person's and git's own. */
async function askOthers(
  place: GitPlace,
  { name, revision, paths, reader }: AttributeQuestion,
  input: Promise<Buffer>,
): Promise<Answer | undefined> {
  const top = reader && (await readTrees(reader, [`${revision}^{tree}`]))[0];
  if (!reader || !top || mayHaveFile(top)) return undefined;
  const args = ['check-attr', '-z', '--stdin', '--cached', name];
  // an index that is not there is an empty one; nobody can guess its name
  const answer = await askGit(indexedBy(place, path.join(os.tmpdir(), randomUUID())), args, input);
  const folders = foldersOf(await paths)?.map((folder) => `${revision}:${folder}`);
  return folders && !(await readTrees(reader, folders)).some(mayHaveFile) ? answer : undefined;
}

/** The same with those of the commit. Git learned --source in 2.40; before that, an index of our own holds nothing but that commit. */
async function askCommit(
  place: GitPlace,
  { name, revision }: AttributeQuestion,
  input: Promise<Buffer>,
): Promise<Answer> {
  const args = ['check-attr', '-z', '--stdin'];
  const answer = await askGit(offline(place), [...args, `--source=${revision}`, name], input);
  if (answer.code === 0) return answer;
  const folder = makeTemporary('index');
  const own = indexedBy(place, path.join(folder, 'index'));
  try {
    await askGit(own, ['read-tree', '--end-of-options', revision]);
    return await askGit(own, [...args, '--cached', name], input);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function indexedBy(place: GitPlace, file: string): GitPlace {
  return { cwd: place.cwd, env: { ...offline(place).env, GIT_INDEX_FILE: file } };
}

/** Every folder on the way to the paths, but the top; undefined where one has a name that a reader cannot be asked for. */
function foldersOf(paths: readonly RepoPath[]): string[] | undefined {
  const folders = new Set<string>();
  for (const file of paths) {
    if (file.startsWith('"') || file.includes('\n')) return undefined;
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** Those that are there. */
async function readTrees(reader: ObjectReader, names: readonly string[]): Promise<GitObject[]> {
  return [...(await reader.read(names)).values()].filter((tree) => tree !== undefined);
}

/** An id that happens to have these bytes in it only costs a question more. */
function mayHaveFile({ bytes }: GitObject): boolean {
  return bytes.includes(' .gitattributes\0');
}

/** PATH NUL NAME NUL VALUE NUL */
export function parseAttributes(out: Buffer): Map<RepoPath, string> {
  const told = new Map<RepoPath, string>();
  const fields: Buffer[] = [];
  for (let at = 0, end = out.indexOf(0); end >= 0; at = end + 1, end = out.indexOf(0, at)) {
    fields.push(out.subarray(at, end));
    const [name, , value] = fields;
    if (!name || !value) continue;
    if (value.toString('latin1') !== 'unspecified') told.set(decodePath(name), value.toString('utf8'));
    fields.length = 0;
  }
  return told;
}
