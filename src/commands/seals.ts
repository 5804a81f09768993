import { readCommits } from '../git/commits.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { type Missed, readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import type { AllowedSigners } from '../seal/allowed-signers.ts';
import { fullPath, readAllowedSigners } from '../seal/key-files.ts';
import { readRevocation } from '../seal/key-programs.ts';
import { type NoteSeal, type NoteVerdict, parseNoteSeal, type RecordLine, verifyNote } from '../seal/note.ts';
import { timeOf } from '../shape.ts';
import { standing } from '../trace/covers.ts';
import { namedCommit, supersededBy } from '../trace/own.ts';
import { parseRecord } from '../trace/parse.ts';
import type { World } from './command.ts';
import { readSettings } from './settings.ts';

export interface Verified extends Missed {
  /** By commit, of those that have records or seals. */
  readonly notes: ReadonlyMap<string, NoteVerdict>;
  /** What is wrong with the file of allowed signers, a line each. */
  readonly problems: readonly string[];
  /** Whether there is such a file at all. */
  readonly trusted: boolean;
  /** Lines of the seals' notes that are no seals. */
  readonly foreign: number;
}

/** Notes that are on their way here, of records and of seals. */
export interface PushedNotes {
  readonly notes: readonly string[];
  readonly seals: readonly string[];
}

/** What the seals of commits prove, by git's own list of allowed signers. */
export async function verifySeals(
  world: World,
  commits: readonly string[],
  { notes, seals: moreSeals }: PushedNotes = { notes: [], seals: [] },
): Promise<Verified> {
  const repository = await findRepository(world.cwd);
  const { place } = repository;
  const refs = await readNoteRefs(place);
  const [traces, seals, { problems, trusted, allowed }] = await Promise.all([
    readNotes(place, [...refs.trace, ...notes], commits),
    readNotes(place, [...refs.seal, ...moreSeals], commits),
    signersOf(world, repository),
  ]);
  const times = await commitTimes(repository, [...seals.notes.keys()]);
  const verdicts = new Map<string, NoteVerdict>();
  let foreign = 0;
  for (const commit of commits) {
    const [lines, own] = [traces.notes.get(commit) ?? [], seals.notes.get(commit) ?? []];
    if (lines.length + own.length === 0) continue;
    const known = noteSeals(own);
    foreign += own.length - known.length;
    const question = {
      ...recordLines(lines, commit),
      ...allowed,
      ...{ commit, ...times.get(commit), seals: known, now: world.now() },
    };
    verdicts.set(commit, verifyNote(question));
  }
  return {
    notes: verdicts,
    problems,
    trusted,
    foreign,
    skipped: traces.skipped + seals.skipped,
    unread: [...traces.unread, ...seals.unread],
  };
}

/** When commits were made; those that are not here are left out. */
export async function commitTimes(
  { place }: Pick<Repository, 'place'>,
  commits: readonly string[],
): Promise<Map<string, { readonly committedAt: number }>> {
  if (commits.length === 0) return new Map();
  const known = await readCommits(place, commits);
  return new Map([...known].map(([id, { committer }]) => [id, { committedAt: committer.time * 1000 }]));
}

export interface NoteLines {
  readonly records: readonly RecordLine[];
  /** The bytes of the other lines. */
  readonly others: readonly Uint8Array[];
}

/** The lines of a note that are records: what is signed are their bytes as they stand there. */
export function recordLines(lines: readonly string[], commit: string): NoteLines {
  const parsed = lines.map((line) => ({ line: parseRecord(line), bytes: Buffer.from(line, 'utf8') }));
  const known = parsed.flatMap(({ line, bytes }) => {
    return line.kind === 'record' ? [{ record: line.record, bytes, named: namedCommit(line.record, commit) }] : [];
  });
  // a copy from another commit replaces nothing here
  const speaking = known.filter(({ named }) => named !== 'other').map(({ record }) => record);
  const stand = new Set(standing(speaking));
  return {
    records: known.map(({ record, bytes, named }) => {
      const madeAt = timeOf(record.timestamp);
      const made = madeAt !== undefined && { madeAt };
      const replaced = named !== 'other' && !stand.has(record);
      return { id: record.id, bytes, named, ...made, replaced, supersedes: supersededBy(record) };
    }),
    others: parsed.flatMap(({ line, bytes }) => (line.kind === 'foreign' ? [bytes] : [])),
  };
}

export function noteSeals(lines: readonly string[] = []): NoteSeal[] {
  return lines.flatMap((line) => parseNoteSeal(line) ?? []);
}

export async function signersOf(world: World, { worktree, gitDir }: Repository) {
  const settings = await readSettings(world.cwd, '^gpg\\.ssh\\.');
  const setting = settings.get('gpg.ssh.allowedsignersfile');
  const places = { home: world.home, folder: worktree ?? gitDir };
  const allowed: AllowedSigners = readAllowedSigners(setting, places);
  const { signers } = allowed;
  const list = settings.get('gpg.ssh.revocationfile');
  const question = list ? { setting: list, file: fullPath(list, places), signers, env: world.env } : undefined;
  return {
    allowed: question ? { ...allowed, revocation: await readRevocation(question) } : allowed,
    problems: allowed.problems.map(({ line, message }) => `${setting}:${line}: ${message}`),
    trusted: setting !== undefined,
  };
}
