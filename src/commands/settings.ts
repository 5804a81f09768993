import { askGit } from '../git/run.ts';
import type { PagerOptions } from '../terminal/pager.ts';
import type { World } from './command.ts';

/** Git settings by lower-case name; the last one said wins. */
export type Settings = ReadonlyMap<string, string>;

/** The settings whose names match, in one process; none is no error. */
export async function readSettings(cwd: string, pattern: string): Promise<Settings> {
  const { out } = await askGit({ cwd }, ['config', '-z', '--get-regexp', pattern]);
  const settings = new Map<string, string>();
  for (const entry of out.toString('utf8').split('\0')) {
    const at = entry.indexOf('\n');
    // a name alone means true
    if (entry !== '') settings.set(at === -1 ? entry : entry.slice(0, at), at === -1 ? 'true' : entry.slice(at + 1));
  }
  return settings;
}

export function isOn(settings: Settings, name: string): boolean {
  return /^(true|yes|on|[1-9]\d*)$/i.test(settings.get(name) ?? '');
}

/** The pager git itself would start (GIT_PAGER, core.pager, PAGER, its own default): only for a person at a terminal. */
export async function findPager(world: World): Promise<PagerOptions | undefined> {
  if (!world.out.isTTY) return undefined;
  // askGit pins GIT_PAGER: here the person's own is asked for
  const { out } = await askGit({ cwd: world.cwd, env: { GIT_PAGER: world.env.GIT_PAGER } }, ['var', 'GIT_PAGER']);
  return { command: out.toString('utf8').trim(), cwd: world.cwd, env: world.env };
}
