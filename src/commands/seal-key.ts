import { Fault } from '../fault.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import type { Signer } from '../seal/seal.ts';
import type { World } from './command.ts';
import { readSettings } from './settings.ts';

/** Whoever seals: git's SSH key, and git's name for its owner. */
export interface Sealer {
  readonly signer: Signer;
  readonly principal: string;
}

export async function openKey(world: World, repository: Repository): Promise<Sealer> {
  const settings = await readSettings(world.cwd, '^(gpg|user)\\.');
  const ssh = settings.get('gpg.format') === 'ssh';
  const signingKey = ssh ? settings.get('user.signingkey') : undefined;
  const socket = world.env.SSH_AUTH_SOCK;
  const folder = repository.worktree ?? repository.gitDir;
  const { openSigner } = await import('../seal/key-files.ts');
  const signer = await openSigner({
    ...(signingKey !== undefined && { signingKey }),
    ...(socket && { socket }),
    home: world.home,
    folder,
  });
  const { out } = await askGit(repository.place, ['var', 'GIT_COMMITTER_IDENT']);
  const [, principal] = /<([^>]+)>/.exec(out.toString('utf8')) ?? [];
  if (principal === undefined)
    throw new Fault('surroundings', 'Git does not know who you are: set user.name and user.email.');
  return { signer, principal };
}
