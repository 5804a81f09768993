import { addConfig, setConfig, unsetConfig } from '../git/config.ts';
import { askGit, type GitPlace, gitFault, runGit } from '../git/run.ts';

/** `core.hooksPath` in the repository's own configuration: our value, and what to give back for it. */
export interface ChainRecord {
  readonly value: string;
  /** The values that stood there, as written; none where only the user's or the system's configuration had one. */
  readonly before: readonly string[];
  /** The folder that the last of them named, its `~` expanded. */
  readonly behind: string;
}

/** What git's configuration says of `core.hooksPath`. */
export interface HooksPath {
  /** In git's order: the last one counts. */
  readonly values: readonly HooksPathValue[];
  /** Those of the repository's own file, without what it includes. */
  readonly own: readonly string[];
  /** Other users work in the repository too. */
  readonly shared: boolean;
}

export interface HooksPathValue {
  readonly scope: string;
  /** For example `file:/etc/gitconfig`. */
  readonly origin: string;
  readonly value: string;
  /** With `~` expanded. */
  readonly folder: string;
}

const KEY = 'core.hooksPath';

export async function readHooksPath(place: GitPlace): Promise<HooksPath> {
  const told = await askAll(place, KEY, ['--show-scope', '--show-origin']);
  if (told.length === 0) return { values: [], own: [], shared: false };
  const [folders, own, shared] = await Promise.all([
    askAll(place, KEY, ['--type=path']),
    askAll(place, KEY, ['--local']),
    askAll(place, 'core.sharedRepository', []),
  ]);
  const alone = /^(umask|false|no|off|0|)$/i.test(shared.at(-1) ?? '');
  return { values: parseHooksPath(told, folders), own, shared: !alone };
}

/** `told` has scope, origin and value of each, `folders` the same values with `~` expanded. */
export function parseHooksPath(told: readonly string[], folders: readonly string[]): HooksPathValue[] {
  return Array.from({ length: Math.floor(told.length / 3) }, (_, i) => {
    const [scope = '', origin = '', value = ''] = told.slice(3 * i, 3 * i + 3);
    return { scope, origin, value, folder: folders[i] ?? value };
  });
}

async function askAll(place: GitPlace, key: string, how: readonly string[]): Promise<string[]> {
  const args = ['config', '-z', ...how, '--get-all', key];
  const answer = await askGit(place, args);
  // 1 says that there is none
  if (answer.code > 1) throw gitFault(args, answer);
  return answer.out.toString('utf8').split('\0').slice(0, -1);
}

/** Puts our folder in the place of whatever the repository's own configuration says. */
export async function chainHooksPath(place: GitPlace, { value }: ChainRecord): Promise<void> {
  await setConfig(place, { scope: 'local', key: KEY, value });
}

/** Gives back what was there; false: ours is there no longer, and what somebody put in its place stays. */
export async function unchainHooksPath(place: GitPlace, { value, before }: ChainRecord): Promise<boolean> {
  const now = await askAll(place, KEY, ['--local']);
  if (!now.includes(value)) return false;
  const [first, ...rest] = before;
  if (first === undefined) return unsetConfig(place, { scope: 'local', key: KEY, value });
  await runGit(place, ['config', '--local', '--fixed-value', '--replace-all', KEY, first, value]);
  for (const other of rest) await addConfig(place, { scope: 'local', key: KEY, value: other });
  return true;
}
