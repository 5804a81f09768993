import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decodePath, encodePath, type RepoPath } from './paths.ts';
import { askGit, type GitAnswer, type GitPlace, offline } from './run.ts';

export interface AttributeQuestion {
  readonly name: string;
  /** The attributes files of this commit are asked, not those of a work tree. */
  readonly revision: string;
  /** Git is started before they are known. */
  readonly paths: Promise<readonly RepoPath[]>;
}

/** What git's attributes say of paths that they speak of: `set`, `unset`, or a word. */
export async function readAttribute(
  place: GitPlace,
  question: AttributeQuestion,
): Promise<ReadonlyMap<RepoPath, string>> {
  const { name, revision, paths } = question;
  const input = paths.then((all) => Buffer.concat(all.flatMap((one) => [encodePath(one), Buffer.from([0])])));
  const args = ['check-attr', '-z', '--stdin'];
  const answer = await askGit(offline(place), [...args, `--source=${revision}`, name], input);
  // git learned --source in 2.40
  return parseAttributes((answer.code === 0 ? answer : await askIndex(place, question, input)).out);
}

/** The same from an index of our own, which holds nothing but that commit. */
async function askIndex(
  place: GitPlace,
  { name, revision }: AttributeQuestion,
  input: Promise<Buffer>,
): Promise<Pick<GitAnswer, 'out'>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'git-agent-'));
  const own = { cwd: place.cwd, env: { ...offline(place).env, GIT_INDEX_FILE: path.join(folder, 'index') } };
  try {
    await askGit(own, ['read-tree', '--end-of-options', revision]);
    return await askGit(own, ['check-attr', '-z', '--stdin', '--cached', name], input);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
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
