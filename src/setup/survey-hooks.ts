import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { type Behind, LINKS, lookBehind, WHERE_USED } from './chain.ts';
import { isInside, lstat, readFound, realFile } from './files.ts';
import { type FoundFile, findManager, HOOKS, type HookManager, type HookName, KEPT } from './hook-file.ts';
import { type ChainRecord, readHooksPath } from './hooks-path.ts';
import { chainFolder } from './places.ts';

/** Where the folder lies from which git takes hook files. */
export type HooksHome = 'repository' | 'ignored' | 'tracked' | 'shared';

export interface FoundHook {
  readonly name: HookName;
  readonly path: string;
  readonly file: FoundFile;
  /** What stands at `NAME.before-agent`. */
  readonly kept: FoundFile;
  /** Where hook managers put what they displace. */
  readonly displaced: readonly FoundFile[];
}

/** The folder that git takes hooks from, or would without our links. */
export interface FoundHooks {
  readonly folder: string;
  readonly home: HooksHome;
  readonly manager: HookManager | undefined;
  readonly files: readonly FoundHook[];
  readonly chain: FoundChain;
}

/** Our folder of links to that folder. */
export interface FoundChain extends Behind {
  readonly folder: string;
  readonly record: ChainRecord | null;
  readonly links: ReadonlyMap<string, FoundFile>;
  /** The hooks that are linked only where they are used, and are. */
  readonly used: readonly string[];
}

export interface HooksWishes {
  readonly project: boolean;
  readonly record: ChainRecord | null;
}

export async function surveyHooks(repository: Repository, { project, record }: HooksWishes): Promise<FoundHooks> {
  const { place, commonDir } = repository;
  const behind = lookBehind(await readHooksPath(place), chainFolder(commonDir), record);
  const top = findTop(repository);
  // an empty value is git's way of saying /
  const said = behind.behind === undefined ? path.join(commonDir, 'hooks') : behind.behind || '/';
  const used = realFile(path.resolve(top ?? commonDir, said));
  const known = top !== undefined || path.isAbsolute(said);
  const home = known ? await homeOf(used, top, repository) : 'shared';
  const manager = HOOKS.map((name) => readFound(path.join(used, name)))
    .map((file) => (file.kind === 'none' ? undefined : findManager(file.text)))
    .find((found) => found !== undefined);
  // husky runs what the team commits beside the folder that it generates
  const folder = project && manager === 'husky' && home !== 'repository' ? path.dirname(used) : used;
  const files = HOOKS.map((name) => surveyHook(folder, name));
  const chain = surveyChain(chainFolder(commonDir), known ? used : undefined);
  return { folder, home, manager, files, chain: { ...behind, ...chain, record } };
}

/** Where git runs hooks, and a relative folder begins; the work looks from within the git dir. Undefined: there are several, or none that we know of. */
function findTop({ commonDir, worktree, bare }: Repository): string | undefined {
  if (worktree !== null) return worktree;
  if (bare) return lstat(path.join(commonDir, 'worktrees')) === undefined ? commonDir : undefined;
  return path.basename(commonDir) === '.git' ? path.dirname(commonDir) : undefined;
}

/** `behind` undefined: what is linked stays linked. */
function surveyChain(folder: string, behind: string | undefined): Pick<FoundChain, 'folder' | 'links' | 'used'> {
  const links = new Map(LINKS.map((name) => [name, readFound(path.join(folder, name))]));
  const used = WHERE_USED.filter((name) => isRun(readFound(path.join(behind ?? folder, name))));
  return { folder, links, used };
}

/** Whether git runs it. */
function isRun(file: FoundFile): boolean {
  return file.kind !== 'none' && (file.mode & 0o111) !== 0;
}

function surveyHook(folder: string, name: HookName): FoundHook {
  const file = path.join(folder, name);
  const displaced = [`${file}.old`, `${file}.legacy`].map(readFound);
  return { name, path: file, file: readFound(file), kept: readFound(file + KEPT), displaced };
}

async function homeOf(
  folder: string,
  top: string | undefined,
  { commonDir, bare, place }: Repository,
): Promise<HooksHome> {
  if (isInside(folder, commonDir)) return 'repository';
  if (bare || top === undefined || !isInside(folder, top)) return 'shared';
  const asked = HOOKS.map((name) => path.join(folder, name));
  const { out } = await askGit({ ...place, cwd: top }, ['check-ignore', '-z', '--stdin'], `${asked.join('\0')}\0`);
  return out.toString('utf8').split('\0').filter(Boolean).length === asked.length ? 'ignored' : 'tracked';
}
