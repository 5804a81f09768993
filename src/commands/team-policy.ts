import fs from 'node:fs';
import path from 'node:path';
import { NO_POLICY, POLICY_FILE, type Policy, parsePolicy } from '../check/policy.ts';
import { type PolicyProblem, printProblem } from '../check/problem.ts';
import { Fault } from '../fault.ts';
import { readAttribute } from '../git/attributes.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, offline } from '../git/run.ts';
import { parseGenerated, whyExcluded } from '../report/exclude.ts';
import type { ExcludedWhy } from '../report/run.ts';
import type { World } from './command.ts';
import type { RangeQuestion } from './survey.ts';

/** More than any team writes. */
const MAX_BYTES = 1 << 20;

export interface TeamPolicy {
  /** Whether there is such a file at all. */
  readonly found: boolean;
  readonly policy: Policy;
  readonly problems: readonly PolicyProblem[];
}

/** The team's policy in the work tree; where there is none, or a revision is named, the one that was committed. */
export async function readPolicy(
  repository: Pick<Repository, 'place' | 'worktree'>,
  revision?: string,
): Promise<TeamPolicy> {
  const { worktree } = repository;
  const text =
    revision === undefined && worktree !== null
      ? readFile(path.join(worktree, POLICY_FILE))
      : await readCommitted(repository, revision ?? 'HEAD');
  if (text === undefined) return { found: false, policy: NO_POLICY, problems: [] };
  const parsed = text === NO_FILE ? { problems: [{ line: 1, column: 1, message: NO_FILE }] } : parsePolicy(text);
  return 'policy' in parsed
    ? { found: true, policy: parsed.policy, problems: [] }
    : { found: true, policy: NO_POLICY, problems: parsed.problems };
}

const NO_FILE = 'no plain file of at most a megabyte: no policy can be read from it';

/** Not through a link: a repository from elsewhere names no file of ours. */
function readFile(file: string): string | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile() || stat.size > MAX_BYTES) return NO_FILE;
  return fs.readFileSync(file, 'utf8');
}

/** What is no file there can be mended by a push, like what is no JSON. What a partial clone lacks is not nothing. */
async function readCommitted({ place }: Pick<Repository, 'place'>, revision: string): Promise<string | undefined> {
  const ask = (...args: string[]) => askGit(offline(place), args);
  const { code, out } = await ask('ls-tree', '-l', '--full-tree', '--end-of-options', revision, '--', POLICY_FILE);
  if (code !== 0) {
    const known = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
    if (known.code !== 0) return undefined;
    throw notHere(revision);
  }
  const entry = out.toString('latin1');
  if (entry === '') return undefined;
  const [, id, size] = /^\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(entry) ?? [];
  if (id === undefined || Number(size) > MAX_BYTES) return NO_FILE;
  const blob = await ask('cat-file', 'blob', id);
  if (blob.code !== 0) throw notHere(revision);
  return blob.out.toString('utf8');
}

function notHere(revision: string): Fault {
  const name = /^[0-9a-f]{40,}$/.test(revision) ? revision.slice(0, 10) : revision;
  const fetch = `git show ${name}:${POLICY_FILE}`;
  return new Fault(
    'refused',
    `The policy of ${name} is not in this clone, and nothing passes without it: ${fetch} fetches it.`,
  );
}

/** What is wrong with it, a line each; gives whether anything is. */
export async function tellProblems(world: World, { problems }: TeamPolicy): Promise<boolean> {
  for (const problem of problems) await world.err.write(`${world.name}: ${printProblem(POLICY_FILE, problem)}\n`);
  return problems.length > 0;
}

/** Files that do not count: by the policy, by git's attributes at a revision, or because a package manager wrote them. */
export function excluderOf({ exclude }: Policy, revision: string): RangeQuestion['excluder'] {
  return async ({ place }, paths, reader) => {
    const said = await readAttribute(place, { name: 'linguist-generated', revision, paths, reader });
    const generated = new Map<string, boolean>();
    for (const [file, value] of said) {
      const yes = parseGenerated(value);
      if (yes !== undefined) generated.set(file, yes);
    }
    // the same few files, commit after commit
    const known = new Map<string, ExcludedWhy | ''>();
    return (file) => {
      const why = known.get(file) ?? whyExcluded(file, { generated, patterns: exclude }) ?? '';
      known.set(file, why);
      return why === '' ? undefined : why;
    };
  };
}
