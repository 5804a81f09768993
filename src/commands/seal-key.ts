import { Fault } from '../fault.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import type { Signer } from '../seal/seal.ts';
import type { World } from './command.ts';
import { readSettings, type Settings } from './settings.ts';

/** Whoever seals: git's SSH key, and git's name for its owner. */
export interface Sealer {
  readonly signer: Signer;
  readonly principal: string;
}

export async function openKey(world: World, repository: Repository): Promise<Sealer> {
  const settings = await readSettings(world.cwd, '^(gpg|user)\\.');
  const socket = world.env.SSH_AUTH_SOCK;
  const folder = repository.worktree ?? repository.gitDir;
  const { openSigner } = await import('../seal/key-files.ts');
  const signer = await openSigner({
    ...(settings.get('gpg.format') === 'ssh' && (await findSigningKey(world, settings, folder))),
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

/** As git chooses it. Its command runs with the trust that git gives it, which runs it for every signed commit. */
async function findSigningKey({ env }: World, settings: Settings, folder: string) {
  const signingKey = settings.get('user.signingkey');
  if (signingKey) return { signingKey };
  const command = settings.get('gpg.ssh.defaultkeycommand');
  if (!command) return {};
  const { askDefaultKey, DEFAULT_KEY_COMMAND } = await import('../seal/key-programs.ts');
  return { signingKey: await askDefaultKey(command, { cwd: folder, env }), setting: DEFAULT_KEY_COMMAND };
}
