import path from 'node:path';
import { AGENTS } from '../capture/index.ts';
import type { Repository } from '../git/repository.ts';
import { withoutHooks } from './agents.ts';
import { textOf } from './bytes.ts';
import { readFound, realFile } from './files.ts';
import { HOOKS, isMarked } from './hook-file.ts';
import { type ConfigValue, type Installed, NOTHING_INSTALLED, type RememberedFile } from './installed.ts';
import { notesRefspec } from './notes-refspec.ts';
import type { Surroundings } from './places.ts';
import { configHookName } from './plan.ts';
import { readValues } from './survey.ts';
import { surveyHooks } from './survey-hooks.ts';

/** What is ours by its marks, and nothing remembers: `installed.json` was lost, and what it told of is still there. */
export interface Unremembered {
  /** In the form that is taken back: of files and values that are ours to change. */
  readonly installed: Installed;
  /** `core.hooksPath`, where it is ours: what it was before, nobody knows. */
  readonly hooksPath: string | undefined;
  /** Files that have our lines and others a say in: the team, or who shares the folder. */
  readonly others: readonly string[];
}

export async function findUnremembered(repository: Repository): Promise<Unremembered> {
  const { commonDir, place, worktree } = repository;
  const hooks = await surveyHooks(repository, { project: false, record: null });
  const isOwn = hooks.home === 'repository' || hooks.home === 'ignored';
  const folders = new Set([path.join(commonDir, 'hooks'), ...(isOwn ? [hooks.folder] : [])]);
  const files = [...folders].flatMap(markedIn).map((file) => marked(file, 'block'));
  const values = await readValues(place, '--local');
  const ours = [...values].flatMap(([key, said]) => (isHookKey(key) ? said.map((value) => local(key, value)) : []));
  const found = files.length > 0 || ours.length > 0 || hooks.chain.value !== undefined;
  // alone it may be the user's own: it gets the notes without us, too
  const refspecs = found
    ? [...values].flatMap(([key, said]) => said.filter(isRefspecOf(key)).map((value) => local(key, value)))
    : [];
  return {
    installed: { ...NOTHING_INSTALLED, files, values: [...ours, ...refspecs] },
    hooksPath: hooks.chain.value,
    others: [...(isOwn ? [] : markedIn(hooks.folder)), ...projectFiles(worktree)],
  };
}

/** The same in the user's own files and configuration. */
export async function findUsersUnremembered({ place }: Repository, world: Surroundings): Promise<Installed> {
  const files = AGENTS.flatMap((setup) =>
    setup.hookFiles.flatMap((hooks): RememberedFile[] => {
      const file = realFile(hooks.user(world));
      const ours = { agent: setup.name, file: hooks.name };
      return callsOurs(file, ours) ? [marked(file, ours)] : [];
    }),
  );
  const values = [...(await readValues(place, '--global'))].flatMap(([key, said]) =>
    isHookKey(key) ? said.map((value) => ({ scope: 'global' as const, key, value })) : [],
  );
  return { ...NOTHING_INSTALLED, files, values };
}

/** Hooks, and where hook managers put what they displace. */
function markedIn(folder: string): string[] {
  const names = HOOKS.flatMap((name) => [name, `${name}.old`, `${name}.legacy`]);
  return names
    .map((name) => path.join(folder, name))
    .filter((file) => {
      const found = readFound(file);
      return found.kind === 'file' && isMarked(found.text);
    });
}

/** Of a file of which nothing is remembered only what is ours goes. */
function marked(file: string, ours: RememberedFile['ours']): RememberedFile {
  return { path: file, ours, before: { kind: 'none' }, after: '', kept: false };
}

function projectFiles(worktree: string | null): string[] {
  if (worktree === null) return [];
  return AGENTS.flatMap((setup) =>
    setup.hookFiles.flatMap(({ name, project }) => {
      const file = project === undefined ? undefined : path.join(worktree, project);
      return file !== undefined && callsOurs(file, { agent: setup.name, file: name }) ? [file] : [];
    }),
  );
}

/** Also where the file is not valid, and nothing can be taken out of it. */
function callsOurs(file: string, ours: Exclude<RememberedFile['ours'], 'block'>): boolean {
  const found = readFound(file);
  if (found.kind === 'none') return false;
  const text = textOf(found.text);
  const without = withoutHooks(ours, text);
  return 'refused' in without ? /agent-hook/.test(text) : without.text !== text;
}

function isHookKey(key: string): boolean {
  return HOOKS.some((name) => ['command', 'event'].some((what) => key === `hook.${configHookName(name)}.${what}`));
}

function isRefspecOf(key: string): (value: string) => boolean {
  const remote = /^remote\.([\s\S]+)\.fetch$/.exec(key)?.[1];
  return (value) => remote !== undefined && value === notesRefspec(remote);
}

function local(key: string, value: string): ConfigValue {
  return { scope: 'local', key, value };
}
