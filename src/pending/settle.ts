import type { AgentLogDocument } from '../agentlog/document.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { lineage } from '../anchor/lineage.ts';
import type { Captured } from '../capture/session.ts';
import { readTips } from '../git/history.ts';
import { repositoryName } from '../git/repository.ts';
import { readNotes } from '../notes/read.ts';
import { TRACE_REF } from '../notes/refs.ts';
import { documentOf, findDocument, findOutline } from '../sessions/documents.ts';
import { readForgotten } from '../sessions/forgotten.ts';
import { readRewrites } from '../sessions/rewrites.ts';
import { readState, type State } from '../sessions/state.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { standing } from '../trace/covers.ts';
import { isJoined } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import { type Ahead, findRead, readAhead } from './ahead.ts';
import { anchorWorld, type OpenNotes, openNotes } from './anchor-world.ts';
import { anchorCommits } from './anchors.ts';
import { type DueCommit, findDue, readMade } from './due.ts';
import { type Evolution, readEvolution } from './evolution.ts';
import { readFiltered } from './filtered.ts';
import { gather, type Harvest } from './harvest.ts';
import { readHeadLog } from './head-moves.ts';
import { joinCommits } from './join.ts';
import { completeNewTrees } from './new-trees.ts';
import { type NoteLines, notesOf } from './records.ts';
import { broughtLines } from './same.ts';
import { withoutSkipped } from './skipped.ts';
import { expandSnapshots } from './snapshots.ts';
import { type View, viewOf } from './view.ts';
import type { Surroundings } from './world.ts';

/** Everything that is pending, worked out and not yet written. */
export interface Prospect {
  readonly state: State;
  readonly harvest: Harvest;
  readonly view: View;
  readonly due: readonly DueCommit[];
  readonly tips: Readonly<Record<string, string>>;
  readonly squashed: readonly string[];
  readonly evolution: Evolution;
  /** Sessions that the harvest tells of: whole documents where the store has a part of them. */
  readonly documents: ReadonlyMap<string, AgentLogDocument>;
  /** What is being read already. */
  readonly ahead?: Ahead | undefined;
}

/** A commit whose joining fails so often is given up. */
export const MAX_TRIES = 3;

export async function lookAhead(world: Surroundings, ahead?: Ahead): Promise<Prospect> {
  // before the journal: a commit that is made in between is then one that its hook tells of, not one that none did. What work trees stand
  // at was looked up before that: what one has left behind since is found by the next
  const tips = await readTips(world.repository.place, world.worktrees);
  const state = readState(world.store);
  const made = readMade(world, state, tips);
  const evolution = await readEvolution(world, state);
  const harvest = await gather(world, state);
  if (harvest.rewrites.length > 0) {
    const logs = world.worktrees.map(({ name }) => readHeadLog(world, name));
    harvest.rewrites.splice(0, Infinity, ...withoutSkipped(harvest.rewrites, logs));
  }
  await completeNewTrees(world, harvest);
  await expandSnapshots(world, harvest);
  const { commits, squashed } = await findDue(world, state, { tips, made, harvest, evolution, ahead });
  harvest.rewrites.push(...evolution.rewrites, ...(await readFiltered(world, commits)));
  const due = commits.filter(({ id }) => (state.failures[id] ?? 0) < MAX_TRIES);
  let documents: ReadonlyMap<string, AgentLogDocument> | undefined;
  return {
    state,
    harvest,
    view: viewOf(world.store, harvest),
    due,
    tips: Object.fromEntries(tips),
    squashed,
    evolution,
    ahead,
    // readers do without
    get documents() {
      documents ??= documentsOf(world, harvest);
      return documents;
    },
  };
}

/** Whether there is anything that a writer would write. */
export function isIdle({ harvest, due, state, tips, evolution }: Prospect): boolean {
  return (
    harvest.facts.length === 0 &&
    harvest.sessions.length === 0 &&
    harvest.payloads.length === 0 &&
    due.length === 0 &&
    evolution.operation === state.operation &&
    sameTips(state.tips, tips)
  );
}

function sameTips(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(b);
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}

export interface SettleOptions {
  /** Join also commits that have a record of ours. */
  readonly again?: boolean;
  /** Without the links to sessions. */
  readonly recordsOnly?: boolean;
  onFailure?(commit: string, cause: unknown): void;
  /** Told of a commit that is left alone, and of the lines in its note. */
  onRecorded?(commit: string, lines: readonly string[]): void;
}

/** The note lines that commits should get. Commits that have a record of ours are left alone, unless asked for again. */
export async function settle(
  world: Surroundings,
  prospect: Pick<Prospect, 'view' | 'documents' | 'harvest' | 'ahead'>,
  due: readonly DueCommit[],
  options: SettleOptions = {},
): Promise<Map<string, NoteLines>> {
  const ids = due.map(({ id }) => id);
  // while it is still looked up whether they have notes: mostly they have none
  const ahead = findRead(prospect.ahead, ids) ?? readAhead(world, ids);
  const { notes: had } = ahead ? await ahead.known : await readNotes(world.repository.place, [TRACE_REF], ids);
  const open = due.filter(({ id, session }) => {
    const note = had.get(id) ?? [];
    const left = !options.again && hasRecord(note, id) && !(session && leavesOpen(note));
    if (left) options.onRecorded?.(id, note);
    return !left;
  });
  const lines = new Map<string, NoteLines>();
  const session = (id: string) => prospect.documents.get(id) ?? findOutline(world.store, id);
  const links = options.recordsOnly ? {} : { session };
  const rewrites = [...readRewrites(world.store), ...prospect.harvest.rewrites];
  const forebears = lineage(rewrites);
  // the notes are opened while git still shows what the commits change
  let opened: Promise<OpenNotes> | undefined;
  const notes = () => {
    opened ??= openNotes(world.repository);
    return opened;
  };
  if (open.some(({ id }) => forebears(id).length > 0)) notes().catch(() => {}); // told to whoever waits for it
  await joinCommits(world, prospect.view, open, {
    read: ahead?.read,
    unwritten: async (commits) => new Map(commits.map((commit) => [commit, lines.get(commit)?.trace ?? []])),
    forebears,
    anchor: async (commits, known) =>
      anchorCommits(await anchorWorld(world.repository, rewrites, lines, await notes()), commits, known),
    async same(id, { commits, diffs }) {
      const [commit, diff] = [commits.get(id), diffs.get(id)];
      if (!commit || !diff) return undefined;
      return broughtLines(await anchorWorld(world.repository, rewrites, lines, await notes()), commit, diff);
    },
    onJoined: (joined) =>
      lines.set(joined.commit.id, notesOf(world, joined, { trace: had.get(joined.commit.id) ?? [], ...links })),
    ...(options.onFailure && { onFailure: options.onFailure }),
  });
  return lines;
}

/** A commit may be found before its hook has told whose shell made it: what was unknown then is asked again. */
function leavesOpen(lines: readonly string[]): boolean {
  const records = standing(parseNote(lines).records);
  return records.some((record) => attributionsOf(record).some(({ origin }) => origin.type === 'unknown'));
}

export function hasRecord(lines: readonly string[], commit: string): boolean {
  return parseNote(lines).records.some((record) => isJoined(record, commit));
}

export function documentsOf(world: Surroundings, harvest: Harvest): Map<string, AgentLogDocument> {
  const project = { name: repositoryName(world.repository) };
  const bySession = new Map<string, Captured[]>();
  const forgotten = new Set(readForgotten(world.store).map(({ agent, id }) => `${agent} ${id}`));
  for (const captured of harvest.sessions) {
    const key = `${captured.tool.name} ${captured.session}`;
    // its transcript may still be there: a conversation that a person had removed is not kept again
    if (forgotten.has(key)) continue;
    const some = bySession.get(key);
    if (some) some.push(captured);
    else bySession.set(key, [captured]);
  }
  const documents = [...bySession.values()].map((some) => {
    const document = documentOf(some, project);
    const had = findDocument(world.store, document.id, document.agent.name);
    // also with itself: hook and transcript tell of the same events
    return mergeDocuments(had ?? document, document);
  });
  return new Map(documents.map((document) => [document.id, document]));
}
