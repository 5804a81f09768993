import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { Fault } from '../fault.ts';
import type { GitWord } from './paths.ts';

/** Where git runs: its folder, and the environment it sees. The rest of the world stays as the user has it. */
export interface GitPlace {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The git dir, once it is known. */
  readonly gitDir?: string;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
  /** What ended it, where it did not end by itself. */
  readonly signal?: string;
}

/** A thing to feed to git's standard input; what is promised is waited for while git starts. */
export type GitInput = string | Uint8Array | Iterable<string | Uint8Array> | Promise<Uint8Array>;

/** What every git we start sees: machine output, no prompts, no optional locks on the user's index. */
const PINNED = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };

/** A partial clone fetches what it lacks while it reads. 2.44 can be told not to; before that, no protocol is allowed. */
const OFFLINE = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' };

/** The same place for readers: git starts no network connection there. */
export function offline(place: GitPlace): GitPlace {
  return { cwd: place.cwd, env: { ...place.env, ...OFFLINE } };
}

/** The same for questions about objects alone: with no files and no index, git finds no attributes but the person's own. Anybody may commit `* -diff`. */
export function amongObjects(place: GitPlace): GitPlace {
  const { gitDir } = place;
  if (gitDir === undefined) return offline(place);
  const nothing = { GIT_WORK_TREE: undefined, GIT_INDEX_FILE: path.join(gitDir, 'agent', 'no-index') };
  return { cwd: gitDir, env: { ...offline(place).env, GIT_DIR: gitDir, ...nothing } };
}

/** Variables by which a git hook's own repository would leak into our questions about another one are kept: git set them for us. */
export function gitEnvironment(place: GitPlace): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries({ ...process.env, ...place.env, ...PINNED })) {
    if (value !== undefined) env[key] = value;
  }
  // behind what the environment already sets: names are read as UTF-8, whatever the person's terminal takes
  const count = /^\d+$/.test(env.GIT_CONFIG_COUNT ?? '') ? Number(env.GIT_CONFIG_COUNT) : 0;
  const words = { [`GIT_CONFIG_KEY_${count}`]: 'i18n.logOutputEncoding', [`GIT_CONFIG_VALUE_${count}`]: 'UTF-8' };
  return { ...env, ...words, GIT_CONFIG_COUNT: String(count + 1) };
}

/** Starts git with pipes on all sides, for those who talk with it while it runs. */
export function startGit(place: GitPlace, args: readonly GitWord[], stdin: 'ignore' | 'pipe' = 'pipe'): ChildProcess {
  const plain = args.filter((word) => typeof word === 'string');
  const [program, words] =
    plain.length === args.length ? ['git', plain] : ['sh', ['-c', UNESCAPE, 'git', ...args.map(escaped)]];
  const child = spawn(program, words, {
    cwd: place.cwd,
    env: gitEnvironment(place),
    stdio: [stdin, 'pipe', 'pipe'],
    windowsHide: true,
  });
  atWork.add(child);
  child.once('exit', () => atWork.delete(child));
  return child;
}

const atWork = new Set<ChildProcess>();

/** For a program that is to end: a git that computes for long would only notice once it writes. */
export function endGits(): void {
  for (const child of atWork) child.kill();
}

/** Node passes on text only: a shell makes bytes of what comes as data, octal digits alone, and becomes git. The dot saves line ends. */
const UNESCAPE = `for word do shift; word=$(printf '%b.' "$word"); set -- "$@" "\${word%.}"; done; exec git "$@"`;

function escaped(word: GitWord): string {
  return Array.from(Buffer.from(word), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Resolves with the exit code once everything has been read. */
export function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new Fault('surroundings', `git cannot be started: ${cause.message}`)));
    child.on('close', (code) => resolve(code ?? 128));
  });
}

/** Starts git and gives its exit code, output bytes and messages, whatever they are. */
export async function askGit(place: GitPlace, args: readonly GitWord[], input?: GitInput): Promise<GitAnswer> {
  const { child, end } = beginGit(place, args, input);
  const out: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  return { ...(await end), out: Buffer.concat(out) };
}

/** The same for the few who cannot wait: its output bytes, whatever its exit code. */
export function askGitAtOnce(place: GitPlace, args: readonly string[]): Buffer {
  const options = { cwd: place.cwd, env: gitEnvironment(place), maxBuffer: 1 << 26, windowsHide: true };
  return spawnSync('git', args, options).stdout ?? Buffer.alloc(0);
}

/** So much is handed over at once: git writes in pieces of 4 kB, and waking somebody for each costs more than looking at it. */
const HANDFUL = 1 << 18;

/** The same with the output as it comes, in large pieces. Git does not wait for whoever looks at it. */
export async function* streamGit(
  place: GitPlace,
  args: readonly GitWord[],
  input?: GitInput,
): AsyncGenerator<Buffer, Omit<GitAnswer, 'out'>> {
  const { child, end } = beginGit(place, args, input);
  let [pieces, held, open, wake] = [[] as Buffer[], 0, true, () => {}];
  child.stdout?.on('data', (chunk: Buffer) => {
    held += chunk.length;
    pieces.push(chunk);
    if (held >= HANDFUL) wake();
  });
  const close = () => {
    open = false;
    wake();
  };
  end.then(close, close);
  try {
    while (open || held > 0) {
      if (open && held < HANDFUL) await new Promise<void>((resolve) => (wake = resolve));
      const some = Buffer.concat(pieces);
      [pieces, held] = [[], 0];
      yield some;
    }
    return await end;
  } finally {
    child.kill();
  }
}

/** Starts git with its input; its output is the asker's to read. */
export function beginGit(place: GitPlace, args: readonly GitWord[], input: GitInput | undefined) {
  const child = startGit(place, args, input === undefined ? 'ignore' : 'pipe');
  const err: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const end = ended(child).then((code) => ({
    ...{ code, err: Buffer.concat(err).toString('utf8').trim() },
    ...signalOf(child),
  }));
  if (input !== undefined && child.stdin) feed(child.stdin, input);
  return { child, end };
}

/** Starts git and gives its output bytes; a failure is a `git` fault that quotes git's own words. */
export async function runGit(place: GitPlace, args: readonly GitWord[], input?: GitInput): Promise<Buffer> {
  const answer = await askGit(place, args, input);
  if (answer.code !== 0) throw gitFault(args, answer);
  return answer.out;
}

/** For an answer. */
export function signalOf({ signalCode }: ChildProcess): Pick<GitAnswer, 'signal'> {
  return signalCode ? { signal: signalCode } : {};
}

/** Half an answer is none, and git is not to blame. */
export function endedFault(what: string, signal: string): Fault {
  const next = 'try once more, and if it happens again, see whether memory runs out';
  return new Fault('surroundings', `${what} was ended by ${signal}: ${next}.`, { signal });
}

export function gitFault(args: readonly GitWord[], { code, err, signal }: Omit<GitAnswer, 'out'>): Fault {
  if (signal !== undefined) return endedFault(`git ${args[0] ?? ''}`, signal);
  const said = err.split('\n')[0] ?? '';
  return new Fault('git', `git ${args[0] ?? ''} failed: ${said || `exit code ${code}`}`, { args, code, err });
}

function feed(stdin: NodeJS.WritableStream, input: GitInput): void {
  // git may end before it has read everything; its exit code tells, the broken pipe does not
  stdin.on('error', () => {});
  if (input instanceof Promise) {
    // whoever promised it tells why it did not come
    input.then(
      (bytes) => stdin.end(bytes),
      () => stdin.end(),
    );
    return;
  }
  if (typeof input === 'string' || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  for (const piece of input) stdin.write(piece);
  stdin.end();
}

/** Git's words where an object is promised but not here: before 2.44, after, and with a damaged store. */
export const LACKS_CONTENTS = /promisor remote|unable to read|cannot read/i;

/** Only a fetch helps. */
export function lackingFault(): Fault {
  const mend = 'git fetch --refetch --no-filter';
  return new Fault(
    'surroundings',
    `Contents of commits are not here: if this clone is a partial one, ${mend} fetches them.`,
    {
      lacking: true,
    },
  );
}
