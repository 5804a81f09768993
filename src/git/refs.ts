import { askGit, type GitAnswer, type GitPlace, gitFault } from './run.ts';

/** Ids by full name of the ref; patterns as `git for-each-ref` has them. */
export async function listRefs(place: GitPlace, patterns: readonly string[]): Promise<Map<string, string>> {
  return (await listAllRefs(place, patterns)).refs;
}

export interface AllRefs {
  readonly refs: Map<string, string>;
  /** Those that are there and that git cannot read: a power cut leaves them empty. Some may match none of the patterns. */
  readonly broken: readonly string[];
}

/** The same with those that git passes over with a word. */
export async function listAllRefs(place: GitPlace, patterns: readonly string[]): Promise<AllRefs> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...patterns];
  const { out, err, ...end } = await askGit(place, args);
  if (end.code !== 0) throw gitFault(args, { ...end, err });
  const refs = new Map<string, string>();
  for (const line of out.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  const passed = err.matchAll(/^warning: ignoring (?:broken ref|dangling symref) (refs\/\S+)$/gm);
  return { refs, broken: [...passed].flatMap(([, ref = '']) => ref) };
}

/** What these refs lead to, by their full names: `commit`, `tag`, `tree`, `blob`; `missing` where git cannot read it, which tells nothing of what it was. */
export async function typesOfRefs(place: GitPlace, patterns: readonly string[]): Promise<Map<string, string>> {
  const refs = await listRefs(place, patterns);
  const ids = [...refs.values()].map((id) => `${id}\n`).join('');
  const { out } = await askGit(place, ['cat-file', '--batch-check=%(objecttype)'], ids);
  const types = out.toString('latin1').split('\n');
  return new Map([...refs.keys()].map((ref, i) => [ref, types[i]?.split(' ').at(-1) || 'missing']));
}

export interface RefChange {
  readonly ref: string;
  readonly to: string;
  /** What it must be now; undefined: it must not exist. */
  readonly from: string | undefined;
  /** For the reflog. */
  readonly message: string;
}

/** Compare and swap: false when somebody else has moved the ref meanwhile. */
export function moveRef(place: GitPlace, { message, ...change }: RefChange): Promise<boolean> {
  return moveRefs(place, message, [change]);
}

/** The same for several, of which all are moved or none. */
export async function moveRefs(
  place: GitPlace,
  message: string,
  changes: readonly Omit<RefChange, 'message'>[],
): Promise<boolean> {
  const moves = openMoves(place, message);
  return moves.move(changes);
}

/** The same by a process that is started before it is known where they go. */
export interface OpenMoves {
  move(changes: readonly Omit<RefChange, 'message'>[]): Promise<boolean>;
  /** Nothing is to be moved, or it has been. */
  close(): void;
}

export function openMoves(place: GitPlace, message: string): OpenMoves {
  const args = ['update-ref', '-m', message, '--stdin'];
  let give: (orders: string) => void = () => {};
  const orders = new Promise<string>((resolve) => (give = resolve)).then((text) => Buffer.from(text));
  const answer = askGit(place, args, orders);
  answer.catch(() => {}); // told to whoever moves
  return {
    async move(changes) {
      give(changes.map(({ ref, to, from }) => `update ${ref} ${to} ${from ?? '0'.repeat(to.length)}\n`).join(''));
      return wereMoved(place, changes, { args, ...(await answer) });
    },
    close: () => give(''),
  };
}

async function wereMoved(
  place: GitPlace,
  changes: readonly Omit<RefChange, 'message'>[],
  { args, ...answer }: GitAnswer & { readonly args: readonly string[] },
): Promise<boolean> {
  if (answer.code === 0) return true;
  const refs = changes.map(({ ref }) => ref);
  const now = await listRefs(place, refs);
  const moved = changes.some(({ ref, from }) => now.get(ref) !== from);
  // git waits a little for a lock file of its own, then says that it exists
  if (!moved && !/File exists/.test(answer.err)) throw gitFault(args, answer);
  return false;
}

/** Name, mail, time and zone for a commit of our own; a person who never told git their name is not bothered for it. */
export async function readCommitter(place: GitPlace): Promise<string> {
  const { code, out } = await askGit(place, ['var', 'GIT_COMMITTER_IDENT']);
  const said = out.toString('utf8').trim();
  return code === 0 && said !== '' ? said : `unknown <unknown@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
}
