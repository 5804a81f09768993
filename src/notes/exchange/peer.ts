import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../../fault.ts';
import { askGit, type GitPlace, runGit } from '../../git/run.ts';

/** The other side of an exchange. */
export interface Peer {
  /** As it was called: a remote's name, a path or an address. */
  readonly name: string;
  /** Where its notes are kept here, up to `trace` and `log`. */
  readonly refs: string;
  /** A path or an address has no refs of its own here: they are gone after the exchange. */
  readonly passing: boolean;
}

export async function findPeer(place: GitPlace, asked: string | undefined, way: 'fetch' | 'push'): Promise<Peer> {
  const remotes = (await runGit(place, ['remote'])).toString('utf8').split('\n').filter(Boolean);
  const name = asked ?? (await findDefault(place, remotes, way));
  if (name === undefined || name === '') {
    const names = remotes.length > 0 ? ` (there are: ${remotes.join(', ')})` : ', or add one with git remote add';
    throw new Fault('surroundings', `It is not clear which remote is meant: name one${names}.`);
  }
  if (remotes.includes(name)) return { name, refs: `refs/notes/${name}/agent/`, passing: false };
  if (asked !== undefined && !isAddress(place, asked)) {
    throw new Fault(
      'usage',
      `${asked} is no remote of this repository, no folder and no address: git remote -v lists.`,
    );
  }
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return { name, refs: `refs/agent/passing/${hash}/`, passing: true };
}

function isAddress({ cwd }: GitPlace, name: string): boolean {
  return /[/\\:]/.test(name) || fs.existsSync(path.resolve(cwd, name));
}

/** As git chooses: what the branch says, else the only one there is, else origin. */
async function findDefault(place: GitPlace, remotes: readonly string[], way: 'fetch' | 'push') {
  const branch = await findLine(place, ['symbolic-ref', '-q', 'HEAD']);
  const said = await findLine(place, whatIsSaid(branch, way));
  // a branch that follows another one of this repository
  if (said && said !== '.') return said;
  return remotes.length === 1 ? remotes[0] : remotes.find((remote) => remote === 'origin');
}

function whatIsSaid(branch: string | undefined, way: 'fetch' | 'push'): readonly string[] {
  if (way === 'fetch') return ['config', `branch.${branch?.replace('refs/heads/', '') ?? ''}.remote`];
  // git knows what of all that can be said about pushing goes first
  return branch ? ['for-each-ref', '--format=%(push:remotename)', branch] : ['config', 'remote.pushDefault'];
}

async function findLine(place: GitPlace, args: readonly string[]): Promise<string | undefined> {
  const { code, out } = await askGit(place, args);
  return code === 0 ? out.toString('utf8').split('\n')[0] || undefined : undefined;
}
