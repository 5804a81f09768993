import { findRepository, type Repository } from '../git/repository.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { readAllowedSigners } from '../seal/key-files.ts';
import { type NoteVerdict, parseNoteSeal, verifyNote } from '../seal/note.ts';
import type { World } from './command.ts';
import { recordLines } from './seal.ts';
import { readSettings } from './settings.ts';

export interface Verified {
  /** By commit, of those that have records. */
  readonly notes: ReadonlyMap<string, NoteVerdict>;
  /** What is wrong with the file of allowed signers, a line each. */
  readonly problems: readonly string[];
  /** Whether there is such a file at all. */
  readonly trusted: boolean;
}

/** What the seals of commits prove, by git's own list of allowed signers. */
export async function verifySeals(
  world: World,
  commits: readonly string[],
  notes: readonly string[] = [],
): Promise<Verified> {
  const repository = await findRepository(world.cwd);
  const { place } = repository;
  const refs = await readNoteRefs(place);
  const [traces, seals, { signers, problems, trusted }] = await Promise.all([
    readNotes(place, [...refs.trace, ...notes], commits),
    readNotes(place, refs.seal, commits),
    signersOf(world, repository),
  ]);
  const verdicts = new Map<string, NoteVerdict>();
  for (const [commit, lines] of traces.notes) {
    const own = (seals.notes.get(commit) ?? []).flatMap((line) => parseNoteSeal(line) ?? []);
    verdicts.set(commit, verifyNote({ records: recordLines(lines), seals: own, signers, now: world.now() }));
  }
  return { notes: verdicts, problems, trusted };
}

export async function signersOf(world: World, { worktree, gitDir }: Repository) {
  const setting = (await readSettings(world.cwd, '^gpg\\.ssh\\.')).get('gpg.ssh.allowedsignersfile');
  const { signers, problems } = readAllowedSigners(setting, { home: world.home, folder: worktree ?? gitDir });
  return {
    signers,
    problems: problems.map(({ line, message }) => `${setting}:${line}: ${message}`),
    trusted: setting !== undefined,
  };
}
