import path from 'node:path';

/** Where `init` puts things, for one repository and for one user. */
export interface Places {
  readonly commonDir: string;
  /** `agent/` in the common git dir. */
  readonly agentDir: string;
  /** Our folder among the user's data: the shim that agents call, who uses it, what was changed at user level. */
  readonly userDir: string;
  readonly home: string;
  /** The shims of the running program. */
  readonly shims: string;
}

export interface Surroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly program: { readonly node: string; readonly script: string };
}

export function userFolder({ home, env }: Pick<Surroundings, 'home' | 'env'>): string {
  // the specification tells to ignore a relative path here
  const data = env.XDG_DATA_HOME;
  return path.join(data && path.isAbsolute(data) ? data : path.join(home, '.local', 'share'), 'git-agent-blame');
}

export function placesOf(commonDir: string, world: Surroundings): Places {
  return {
    commonDir,
    agentDir: path.join(commonDir, 'agent'),
    userDir: userFolder(world),
    home: world.home,
    shims: path.join(path.dirname(world.program.script), '..', 'git-hooks'),
  };
}

/** Stands in the place of a `core.hooksPath` whose folder is not ours to write in. */
export function chainFolder(commonDir: string): string {
  return path.join(commonDir, 'agent', 'hooks', 'chain');
}

/** Everything in `agent/` that `init` itself puts there. */
export function ownPaths({ commonDir, agentDir, userDir }: Places, shims: Iterable<string>) {
  const hooks = path.join(agentDir, 'hooks');
  return {
    folders: [agentDir, path.join(agentDir, 'payloads'), hooks],
    journal: path.join(agentDir, 'journal'),
    since: path.join(agentDir, 'since.json'),
    missed: path.join(commonDir, 'agent-missed'),
    program: path.join(hooks, 'program'),
    shims: new Map([...shims].map((name) => [name, path.join(hooks, name)])),
    userShim: path.join(userDir, 'agent-hook'),
    repositories: path.join(userDir, 'repositories'),
  };
}

/** Those of them that are files. */
export function ownFiles({ journal, since, missed, program, shims, userShim }: ReturnType<typeof ownPaths>): string[] {
  return [journal, missed, since, program, ...shims.values(), userShim];
}
