import path from 'node:path';
import { Fault } from '../fault.ts';
import { placeAt } from '../git/apart.ts';
import { lookAt } from '../git/disk-path.ts';
import { findRepository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { advised, saidFault } from '../git/said.ts';

/** The commits of a range as git log takes it, oldest first; a single revision means that commit alone. */
export async function listCommits(cwd: string, range: string): Promise<string[]> {
  const several = SEVERAL.test(range);
  const found = await list(cwd, [...(several ? [] : ['--no-walk']), '--end-of-options', range], 'usage');
  // git passes over a file or a tree in silence
  if (!several && found.length === 0) throw new Fault('usage', advised(`${range} names no commit`));
  return found;
}

/** `A..B`, `^A`, `A^!`, `A^@`, `A^-2`; but `A^` and `A^{/fix}` are one commit each. */
const SEVERAL = /\.\.|^\^|\^[!@-]/;

/** Every commit that a revision reaches, oldest first. */
export async function listHistory(cwd: string, revision: string): Promise<string[]> {
  return listWith(cwd, ['--end-of-options', revision]);
}

/** The same with words of `git rev-list`: nobody named them, so that it is no wrong call if git does not take them. */
export async function listWith(cwd: string, args: readonly string[]): Promise<string[]> {
  return list(cwd, args, 'surroundings');
}

async function list(cwd: string, args: readonly string[], otherwise: 'usage' | 'surroundings'): Promise<string[]> {
  const { code, out, err } = await askGit(await placeAt(cwd), ['rev-list', '--reverse', ...args, '--']);
  if (code !== 0) {
    // says it where there is none
    await findRepository(cwd);
    const { message, data } = saidFault({ code, err }, 'git rev-list');
    throw new Fault(otherwise, message, data);
  }
  return out.toString('latin1').split('\n').filter(Boolean);
}

/** Whether a word that may be a range or a file is a file. What git knows as a revision is that (`HEAD` of a bare repository is a file too): `./NAME` is the file. */
export async function isNamedFile(cwd: string, name: string): Promise<boolean> {
  if (!lookAt(path.resolve(cwd, name))?.isFile()) return false;
  const revision = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return (await askGit(await placeAt(cwd), revision)).code !== 0;
}
