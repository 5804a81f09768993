import { type Page, printFields } from '../conversation/print.ts';
import { type Counts, printCounts } from '../conversation/print-story.ts';
import { findRepository } from '../git/repository.ts';
import { openCommands } from '../pending/open-commands.ts';
import { listSessions } from '../sessions/documents.ts';
import { findSince, storeOf } from '../sessions/store.ts';
import { readUnfetched } from '../setup/notes-refspec.ts';
import type { Call, Command } from './command.ts';
import { type NotesDistances, notesDistances } from './notes-distance.ts';
import { showPage } from './page.ts';
import { pendingView } from './pending-view.ts';
import { readUncommitted } from './uncommitted.ts';

export const command: Command = {
  name: 'status',
  summary: 'what is captured, what is pending, who wrote what is not committed, and notes to exchange',
  configure(sub) {
    sub.option('--json', 'one JSON document');
  },
  run,
};

interface Status {
  readonly schema: 'git-agent-blame/status@1';
  readonly capture: { readonly since: string; readonly agents: readonly string[] } | null;
  readonly sessions: { readonly recorded: number; readonly pending: number };
  readonly pending: { readonly facts: number; readonly commits: number };
  /** Commands in this work tree that have begun and not ended: what is typed meanwhile is unknown. */
  readonly open: readonly { readonly session: string; readonly since: string }[];
  readonly remotes: NotesDistances['remotes'];
  readonly unread: NotesDistances['unread'];
  /** Remotes whose notes do not come with git fetch. */
  readonly unfetched: readonly string[];
  readonly uncommitted: { readonly files: readonly Counts[]; readonly leftOut: number };
}

async function run({ options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const store = storeOf(repository);
  const view = await pendingView(repository, world);
  const [uncommitted, notes, unfetched] = await Promise.all([
    readUncommitted(repository, view),
    notesDistances(repository.place),
    readUnfetched(repository),
  ]);
  const since = findSince(store);
  const open = view.prospect ? openCommands(view.prospect.view, repository.worktreeName, world.now()) : [];
  const status: Status = {
    schema: 'git-agent-blame/status@1',
    capture: since ? { since: new Date(since.at).toISOString(), agents: since.agents } : null,
    sessions: { recorded: listSessions(store).length, pending: view.prospect?.documents.size ?? 0 },
    pending: { facts: view.prospect?.harvest.facts.length ?? 0, commits: view.prospect?.due.length ?? 0 },
    open: open.map(({ session, from = 0 }) => ({ session, since: new Date(from).toISOString() })),
    ...notes,
    unfetched,
    uncommitted,
  };
  if (options.json === true) await world.out.write(`${JSON.stringify(status)}\n`);
  else await showPage(world, (page) => printStatus(status, page));
  view.wake();
  return 0;
}

function* printStatus(status: Status, page: Page): Generator<string> {
  const { capture, sessions, pending, open, remotes, unread, unfetched, uncommitted } = status;
  const agents = capture && (capture.agents.join(', ') || 'no agent');
  yield* printFields(
    [
      ['capture', capture ? `${agents}, since ${capture.since}` : 'not set up here: run git agent init'],
      ['sessions', `${sessions.recorded} recorded, ${sessions.pending} pending`],
      ['pending', `${count(pending.facts, 'fact')}, ${count(pending.commits, 'commit')} without a record`],
      ...open.map(
        ({ session, since }) =>
          [
            'open',
            `a command of ${session} began at ${since} and has not ended: what is typed meanwhile is unknown`,
          ] as const,
      ),
      ['notes', remotes.length + unread.length === 0 ? "no remote's notes are here" : null],
      [
        'notes',
        unread.length > 0 ? `${unread.join(', ')} cannot be read, or not all of it: run git agent doctor` : null,
      ],
      ...remotes.map(({ remote, ahead, behind }) => ['notes', `${remote}: ${ahead} ahead, ${behind} behind`] as const),
      ...unfetched.map(
        (remote) => ['notes', `${remote}'s do not come with git fetch: run git agent fetch ${remote}`] as const,
      ),
    ],
    page,
  );
  if (uncommitted.files.length === 0) yield '\nNothing is uncommitted.\n';
  else yield* printCounts(uncommitted.files, page);
  if (uncommitted.leftOut > 0) yield `    and ${count(uncommitted.leftOut, 'more file')}\n`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
