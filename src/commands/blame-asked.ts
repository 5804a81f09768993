import fs from 'node:fs';
import { placeAt } from '../git/apart.ts';
import { blameArguments } from '../git/blame.ts';
import { pathOf } from '../git/paths.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit, type GitAnswer, type GitPlace } from '../git/run.ts';
import { type AskedHuge, askHuge, blameOptions } from './blame-huge.ts';
import { type Foreseen, foresee } from './foresight.ts';
import { quietly } from './quietly.ts';
import { type Turns, turns } from './turns.ts';

export interface LinesQuestion {
  /** As the person names them, from the current folder. */
  readonly files: readonly string[];
  readonly revisions: readonly string[];
  readonly gitArgs: readonly string[];
  /** A file whose contents stand in for the work tree's; `-` for standard input. */
  readonly contents?: string | undefined;
  /** Git's headers on every line. */
  readonly everyHeader?: boolean;
  /** From so many bytes on a file is told as it comes; undefined: never. */
  readonly hugeFrom?: number | undefined;
  /** What git prints is printed. */
  readonly passesOn?: boolean;
}

/** What git is at work on. */
export interface AskedBlames {
  readonly place: GitPlace;
  readonly repository: Promise<Repository>;
  /** What came on standard input. */
  readonly input: Buffer | undefined;
  /** In the order in which they were named. */
  readonly files: readonly AskedFile[];
  /** The commit that was asked for; null for the work tree. */
  readonly revision: Promise<string | null>;
  readonly foreseen: AsyncIterable<readonly Foreseen[]>;
}

export interface AskedFile {
  /** As the person names it. */
  readonly name: string;
  /** All that git says of it. Of a huge one git is asked for it only now, if at all. */
  answer(): Promise<GitAnswer>;
  readonly huge: AskedHuge | undefined;
}

/** Starts what takes longest, one git blame per file, and looks for the commits that it will name. */
export async function askBlames(cwd: string, question: LinesQuestion): Promise<AskedBlames> {
  const place = await placeAt(cwd);
  const input = question.contents === '-' ? fs.readFileSync(0) : undefined;
  const inTurn = turns(AT_ONCE);
  const begun = question.files.map((name) => askFile(name, { place, question, input, inTurn }));
  const revision = quietly(revisionOf(place, question.revisions));
  const foreseen = foresee(place, question, Promise.all([...begun.map(({ first }) => first), revision]));
  const files = begun.map(({ asked }) => asked);
  return { place, input, files, revision, foreseen, repository: quietly(findRepository(cwd)) };
}

/** At once, so that many files do not start as many processes. */
const AT_ONCE = 4;

export interface Asking {
  readonly place: GitPlace;
  readonly question: LinesQuestion;
  readonly input: Buffer | undefined;
  readonly inTurn: Turns;
}

function askFile(name: string, asking: Asking): { readonly asked: AskedFile; readonly first: Promise<GitAnswer> } {
  const { place, question, input, inTurn } = asking;
  const words = blameArguments({ options: blameOptions(question), file: pathOf(name) });
  const ask = () => quietly(inTurn(() => askGit(place, words, input)));
  const huge = askHuge(name, asking);
  if (huge) return { asked: { name, huge, answer: ask }, first: huge.spans };
  const first = ask();
  return { asked: { name, huge, answer: () => first }, first };
}

/** The youngest commit that was asked for: `a..b` asks for b. */
export async function revisionOf(place: GitPlace, revisions: readonly string[]): Promise<string | null> {
  if (revisions.length === 0) return null;
  const { out } = await askGit(place, ['rev-parse', '--revs-only', ...revisions.map((name) => peel(name)), '--']);
  return (
    out
      .toString('latin1')
      .split('\n')
      .find((line) => /^[0-9a-f]{40,}$/.test(line)) ?? null
  );
}

/** A tag is asked for its commit; ranges are commits already. */
function peel(name: string): string {
  return name.includes('..') ? name : `${name}^{commit}`;
}
