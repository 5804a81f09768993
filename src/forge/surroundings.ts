import { Fault } from '../fault.ts';

export type Forge = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure';
export const FORGES: readonly Forge[] = ['github', 'gitlab', 'gitea', 'bitbucket', 'azure'];

export type Environment = Readonly<Record<string, string | undefined>>;

/** A proposed change: what the head adds to the merge base of base and head. */
export interface Change {
  /** Of the pull or merge request; a merge queue has none. */
  readonly number?: number;
  /** A commit, or a branch where the forge tells no commit; the report begins at its merge base with the head. */
  readonly base: string;
  readonly head: string;
  /** Where the base's and the head's commits can be fetched from in the repository that the change is meant for. */
  readonly baseRef?: string;
  readonly headRef?: string;
  /** It comes from another repository: the token is then mostly read-only. */
  readonly fork: boolean;
}

/** Commits that a branch has just got: by a merge on the server, or by a push. */
export interface Merged {
  /** Unknown for a new branch, and where the forge does not tell: then only `after` is known to be new. */
  readonly before?: string;
  /** The branch is new: so are its commits that no other one has. */
  readonly created?: true;
  readonly after: string;
  /** Full name: `refs/heads/main`. */
  readonly ref: string;
  readonly number?: number;
}

/** How the token is shown, and the variable that holds it: the token itself stays where it is. */
export interface Token {
  readonly kind: 'bearer' | 'private' | 'job' | 'basic' | 'none';
  readonly variable: string;
}

/** Where a job runs and what it is about: one of `change` and `merged`, or neither where a push moved no branch. */
export interface Surroundings {
  /** `none`: nobody to talk to, a report only. */
  readonly forge: Forge | 'none';
  /** The API's address without a slash at its end; empty without a forge. */
  readonly api: string;
  /** As the API's paths want it: `owner/name`, a project's number, `project/repository`. */
  readonly repository: string;
  readonly change?: Change;
  readonly merged?: Merged;
  /** The commit that carries a status: on some forges that of the pipeline, not the head. Empty: the head, once it is resolved. */
  readonly commit: string;
  readonly token: Token;
  readonly run?: { readonly id?: string; readonly url?: string };
  /** Files that the runner shows as the job's summary, and reads the step's outputs from. */
  readonly summaryFile?: string;
  readonly outputsFile?: string;
  /** Summary and outputs are told by lines on standard output (`outputs.ts`). */
  readonly loggingCommands?: boolean;
}

/** What one forge's reader makes of the environment; it is told the parsed event file where there is one. */
export type FindSurroundings = (env: Environment, event: unknown) => Surroundings;

/** An empty variable is an absent one: CI systems set those that do not apply to nothing. */
export function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value || undefined;
}

export function needed(env: Environment, name: string, what: string): string {
  const value = given(env, name);
  if (value !== undefined) return value;
  throw new Fault('surroundings', `${name} is not set: ${what}`, { variable: name });
}

/** The first variable that is set, as a token of its kind. */
export function firstToken(env: Environment, tokens: readonly Token[]): Token {
  const found = tokens.find(({ variable }) => given(env, variable) !== undefined);
  return found ?? { kind: 'none', variable: tokens[0]?.variable ?? 'AGENT_PR_TOKEN' };
}

const HEX = /^[0-9a-f]{7,64}$/i;
const ZEROS = /^0+$/;

/** A commit's id, whole or shortened; zeros mean that there is none. */
export function commitOf(value: unknown): string | undefined {
  return typeof value === 'string' && HEX.test(value) && !ZEROS.test(value) ? value.toLowerCase() : undefined;
}

/** Zeros in the place of an id. */
export function isNone(value: unknown): boolean {
  return typeof value === 'string' && ZEROS.test(value);
}

export function commitFrom(env: Environment, name: string, what: string): string {
  const found = commitOf(needed(env, name, what));
  if (found !== undefined) return found;
  throw new Fault('surroundings', `${name} is not a commit id: ${what}`, { variable: name });
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** What git takes for a branch's name, and nothing that could be read as an option or a pattern. */
const REF_NAME = /^(?!-)[^\x00-\x20\x7f~^:?*[\\]{1,1000}$/;

export function branchRef(value: unknown): string | undefined {
  if (typeof value !== 'string' || !REF_NAME.test(value) || value.includes('..')) return undefined;
  return value.startsWith('refs/') ? value : `refs/heads/${value}`;
}

/** Address without slashes at its end; only http and https. */
export function addressOf(value: string, name: string): string {
  if (URL.canParse(value)) {
    const url = new URL(value);
    const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (plain && (url.protocol === 'https:' || url.protocol === 'http:')) return withoutSlash(url.href);
  }
  throw new Fault('surroundings', `${name} is not the address of an API: it has to begin with https://`);
}

function withoutSlash(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** Leaves out what is undefined: absent and undefined are not the same to the compiler. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}
