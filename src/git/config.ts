import { askGit, type GitPlace, gitFault, runGit } from './run.ts';

export type Scope = 'local' | 'global';

/** All values of the keys below a section, in git's order: the last one wins where there can be only one. */
export function readConfig(place: GitPlace, section: string): Promise<Map<string, string[]>> {
  return readKeys(place, `^${section.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.`);
}

/** The same of the keys that a regular expression finds. */
export async function readKeys(place: GitPlace, pattern: string): Promise<Map<string, string[]>> {
  const args = ['config', '-z', '--get-regexp', pattern];
  const answer = await askGit(place, args);
  // 1 says that there is no such key
  if (answer.code > 1) throw gitFault(args, answer);
  return parseConfig(answer.out.toString('utf8'));
}

export function parseConfig(out: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const item of out.split('\0')) {
    if (item === '') continue;
    const end = item.indexOf('\n');
    // a key without `=` means true
    const [key, value] = end < 0 ? [item, 'true'] : [item.slice(0, end), item.slice(end + 1)];
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/** Whether contents may be elsewhere. */
export async function isPartial(place: GitPlace): Promise<boolean> {
  const keys = '^(extensions\\.partialclone|remote\\..*\\.promisor)$';
  return (await askGit(place, ['config', '--get-regexp', keys])).out.length > 0;
}

export interface Setting {
  readonly scope: Scope;
  readonly key: string;
  readonly value: string;
}

/** Puts one value in the place of whatever the key has there. */
export async function setConfig(place: GitPlace, { scope, key, value }: Setting): Promise<void> {
  await runGit(place, ['config', `--${scope}`, '--replace-all', key, value]);
}

export async function addConfig(place: GitPlace, { scope, key, value }: Setting): Promise<void> {
  await runGit(place, ['config', `--${scope}`, '--add', key, value]);
}

/** Takes the key away, or only this value of it; false when it was not there. */
export async function unsetConfig(
  place: GitPlace,
  { scope, key, value }: Omit<Setting, 'value'> & { readonly value?: string },
): Promise<boolean> {
  const exact = value === undefined ? [] : ['--fixed-value'];
  const args = ['config', `--${scope}`, ...exact, '--unset-all', key, ...(value === undefined ? [] : [value])];
  const answer = await askGit(place, args);
  if (answer.code === 5) return false;
  if (answer.code !== 0) throw gitFault(args, answer);
  return true;
}
