import fs from 'node:fs';
import path from 'node:path';
import type { AgentAdapter, HookFile } from '../capture/adapter.ts';
import { AGENTS } from '../capture/index.ts';
import { Fault } from '../fault.ts';
import { parseConfig } from '../git/config.ts';
import { atLeast, gitVersion, type Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { textOf } from './bytes.ts';
import { parseLink } from './chain.ts';
import { lstat, readFound, readText, realFile } from './files.ts';
import { type FoundFile, SHIMS } from './hook-file.ts';
import { type Installed, NOTHING_INSTALLED, parseInstalled } from './installed.ts';
import { ownFiles, ownPaths, type Places, placesOf, type Surroundings } from './places.ts';
import { linesOf, readRepositories } from './repositories.ts';
import { type FoundHooks, surveyHooks } from './survey-hooks.ts';

export interface FoundAgent {
  readonly setup: AgentAdapter;
  readonly present: boolean;
  readonly files: readonly FoundHookFile[];
}

/** A file of an agent that hooks go into, and what stands there. */
export interface FoundHookFile {
  readonly hooks: HookFile;
  readonly path: string;
  /** As the agent calls it: links are not followed. */
  readonly named: string;
  readonly file: FoundFile;
}

/** Config values by key, in order. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** Everything that `init` looks at before it decides. */
export interface Found {
  readonly places: Places;
  readonly gitVersion: string;
  readonly configHooks: boolean;
  readonly worktree: string | null;
  readonly jj: boolean;
  readonly hooks: FoundHooks;
  readonly local: ConfigValues;
  readonly global: ConfigValues;
  readonly agents: readonly FoundAgent[];
  readonly shims: ReadonlyMap<string, string>;
  /** What stands where our own files and folders go. */
  readonly own: ReadonlyMap<string, FoundFile>;
  readonly installed: Installed;
  readonly userInstalled: Installed;
  readonly repositories: readonly string[];
  /** What is to stand among them for this one. */
  readonly listed: readonly string[];
}

export const CONFIG_HOOKS_SINCE = '2.54';

export async function survey(repository: Repository, world: Surroundings, project: boolean): Promise<Found> {
  const places = placesOf(repository.commonDir, world);
  const version = await gitVersion(repository.place);
  const { worktree } = repository;
  const shims = readShims(places.shims);
  const installed = readInstalled(places.agentDir);
  return {
    places,
    gitVersion: version,
    configHooks: atLeast(version, CONFIG_HOOKS_SINCE),
    worktree,
    jj: hasJj(repository),
    hooks: await surveyHooks(repository, { project, record: installed.chain }),
    local: await readValues(repository.place, '--local'),
    global: await readValues(repository.place, '--global'),
    agents: AGENTS.map((setup) => surveyAgent(setup, world, project ? worktree : null)),
    shims,
    own: surveyOwn(places, shims),
    installed,
    userInstalled: readInstalled(places.userDir),
    repositories: readRepositories(places.userDir),
    listed: linesOf(repository),
  };
}

export function hasJj({ worktree, commonDir }: Pick<Repository, 'worktree' | 'commonDir'>): boolean {
  return [worktree, path.dirname(commonDir)].some((at) => at !== null && fs.existsSync(path.join(at, '.jj')));
}

export function installedIn(folder: string): string {
  return path.join(folder, 'installed.json');
}

export function readInstalled(folder: string): Installed {
  const file = installedIn(folder);
  const text = readText(file);
  return text === undefined ? byLinks(folder) : parseInstalled(textOf(text), file);
}

/** What is left to know where it is damaged: `whole` is false then, and where it is gone. What a newer program has written stops us. */
export function recall(folder: string): { readonly installed: Installed; readonly whole: boolean } {
  try {
    return { installed: readInstalled(folder), whole: lstat(installedIn(folder)) !== undefined };
  } catch (error) {
    if (!(error instanceof Fault) || error.data.damaged !== true) throw error;
    return { installed: byLinks(folder), whole: false };
  }
}

/** The links know what they stand for, without `installed.json`. */
function byLinks(folder: string): Installed {
  const value = path.join(folder, 'hooks', 'chain');
  const linked = parseLink(readText(path.join(value, 'pre-commit')) ?? '');
  return { ...NOTHING_INSTALLED, chain: linked ? { value, ...linked } : null };
}

export async function readValues(place: GitPlace, scope: '--local' | '--global'): Promise<ConfigValues> {
  const { out } = await askGit(place, ['config', scope, '-z', '--get-regexp', '^(hook|remote)\\.']);
  return parseConfig(out.toString('utf8'));
}

function surveyAgent(setup: AgentAdapter, world: Surroundings, worktree: string | null): FoundAgent {
  const files = setup.hookFiles.flatMap((hooks): FoundHookFile[] => {
    if (worktree !== null && hooks.project === undefined) return [];
    const named = worktree === null ? hooks.user(world) : path.join(worktree, hooks.project ?? '');
    const file = realFile(named);
    return [{ hooks, path: file, named, file: readFound(file) }];
  });
  return { setup, present: lstat(setup.home(world)) !== undefined, files };
}

function surveyOwn(places: Places, shims: ReadonlyMap<string, string>): ReadonlyMap<string, FoundFile> {
  const own = ownPaths(places, shims.keys());
  return new Map([...own.folders, ...ownFiles(own)].map((file) => [file, readFound(file)]));
}

function readShims(folder: string): ReadonlyMap<string, string> {
  return new Map(SHIMS.map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]));
}
