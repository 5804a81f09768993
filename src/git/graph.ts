import fs from 'node:fs';
import path from 'node:path';
import { askGit, beginGit, type GitPlace, offline } from './run.ts';
import { makeTemporary } from './temporary.ts';

/**
 * For many questions about one history: a commit-graph that tells of each commit which paths it changed, so that git need not compare
 * its trees. It takes as long as a few questions, which are asked meanwhile; `at` is where to ask the next one. Git looks first into a folder for
 * objects of our own, which has nothing else in it and is gone afterwards; where it can neither write nor use such a file, all is as ever.
 */
export async function withGraph<T>(
  place: GitPlace,
  revision: string,
  use: (at: () => GitPlace) => Promise<T>,
): Promise<T> {
  const folder = makeFolder();
  if (folder === undefined) return use(() => place);
  const own = await besideObjects(place, folder);
  const args = ['commit-graph', 'write', '--stdin-commits', '--changed-paths', '--no-progress'];
  const { child, end } = beginGit(offline(own), args, `${revision}\n`);
  let at = place;
  const written = end.then(
    ({ code }) => {
      if (code === 0) at = own;
    },
    () => {},
  );
  try {
    return await use(() => at);
  } finally {
    child.kill();
    await written;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(): string | undefined {
  try {
    return makeTemporary('graph');
  } catch {
    return undefined;
  }
}

/** The same repository, with a folder for objects before its own. */
async function besideObjects(place: GitPlace, folder: string): Promise<GitPlace> {
  const { out } = await askGit(place, ['rev-parse', '--git-path', 'objects']);
  const objects = path.resolve(place.cwd, out.toString('utf8').replace(/\n$/, ''));
  const others = place.env?.GIT_ALTERNATE_OBJECT_DIRECTORIES ?? process.env.GIT_ALTERNATE_OBJECT_DIRECTORIES;
  const all = [quoted(objects), ...(others ? [others] : [])].join(path.delimiter);
  return { ...place, env: { ...place.env, GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: all } };
}

/** As git reads such lists: a name may have the mark in it that is between them. */
function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
