import fs from 'node:fs';
import path from 'node:path';
import type { Anchors } from '../anchor/target.ts';
import { Fault } from '../fault.ts';
import { readDiffs } from '../git/diff.ts';
import { withLock } from '../git/lock.ts';
import { type AppendTools, appendToRefs, startTools } from '../notes/append.ts';
import { LOG_REF, TRACE_REF } from '../notes/refs.ts';
import { redactDocument, redactEach } from '../redact/redact.ts';
import { appendCommands } from '../sessions/commands.ts';
import { flushFiles } from '../sessions/disk.ts';
import { keepDocument } from '../sessions/documents.ts';
import { hasGrown, JOURNAL_START, readJournal } from '../sessions/journal.ts';
import { clearMissed } from '../sessions/missed.ts';
import { appendRewrites, readRewrites } from '../sessions/rewrites.ts';
import { type State, writeState } from '../sessions/state.ts';
import { isInitialised, logMishap } from '../sessions/store.ts';
import { writeTexts } from '../sessions/texts.ts';
import { appendEdits } from '../sessions/timelines.ts';
import { type Ahead, readAhead, readAnnounced } from './ahead.ts';
import { anchorWorld } from './anchor-world.ts';
import { anchorCommits } from './anchors.ts';
import { type DueCommit, dueOf } from './due.ts';
import type { Harvest } from './harvest.ts';
import type { NoteLines } from './records.ts';
import { isIdle, lookAhead, MAX_TRIES, type Prospect, settle } from './settle.ts';
import { lookAgain, type Surroundings } from './world.ts';

export interface Worked {
  /** Notes that were changed. */
  readonly notes: number;
  readonly failures: number;
}

export interface Reanchored extends Worked {
  /** Commits of which too little is known for a note. */
  readonly left: number;
}

/**
 * Works everything in that is pending: first what was harvested goes into the store, then notes are written, then the state says so,
 * then the payloads go. Killed at any point, the next one does it again, and the same facts give the same bytes.
 */
export async function work(world: Surroundings): Promise<Worked> {
  if (!isInitialised(world.store)) return { notes: 0, failures: 0 };
  let total: Worked = { notes: 0, failures: 0 };
  // a fact that comes while we work finds the lock taken and starts nobody: so we look again until nothing is left
  for (let round = 0; round < 20; round++) {
    const now = round === 0 ? world : await lookAgain(world);
    const worked = await withLock(world.repository.commonDir, () => workOnce(now));
    if (!worked) break;
    total = { notes: total.notes + worked.notes, failures: total.failures + worked.failures };
    if (!worked.more) break;
  }
  return total;
}

/** `more`: there may be something left, as far as a look at the journal tells: what fails is tried again. */
async function workOnce(world: Surroundings): Promise<(Worked & { readonly more: boolean }) | undefined> {
  const prospect = await lookAhead(world, readAnnounced(world));
  if (isIdle(prospect)) return undefined;
  await keepHarvest(world, prospect);
  const before = prospect.state.failures;
  const given = Object.entries(before).filter(([, count]) => count >= MAX_TRIES); // given up: kept so that `doctor` can tell
  const failures: Record<string, number> = Object.fromEntries(given);
  const notes = await settleNotes(world, prospect, (commit, cause) => {
    // what cannot be read or written now may be another time: that is no fault of the commit's
    if (cause instanceof Fault && cause.code === 'surroundings') throw cause;
    failures[commit] = (before[commit] ?? 0) + 1;
    const why = cause instanceof Error ? cause.message : String(cause);
    logMishap(world.store, world.now(), `joining ${commit} failed: ${why}`);
  });
  finish(world, prospect, failures);
  const failed = Object.keys(failures).length - given.length;
  const more = failed > 0 || hasGrown(world.store, prospect.harvest.state);
  return { notes, failures: failed, more };
}

async function settleNotes(
  world: Surroundings,
  prospect: Prospect,
  onFailure: (commit: string, cause: unknown) => void,
): Promise<number> {
  // what a hook has just told of gets its notes, nearly always
  const tools =
    prospect.ahead && prospect.due.length > 0 ? startTools(world.repository, [TRACE_REF, LOG_REF]) : undefined;
  try {
    return await writeNotes(world, await settle(world, prospect, prospect.due, { onFailure }), tools);
  } finally {
    tools?.close();
  }
}

/** What there is when nothing is pending any more; mostly nothing was. */
async function workedIn(world: Surroundings, ahead?: Ahead): Promise<Prospect> {
  const prospect = await lookAhead(world, ahead);
  if (isIdle(prospect)) return prospect;
  await work(world); // and there may be notes that were not there
  return lookAhead(world);
}

/** Joins the given commits, also those that have a record: a better record supersedes the one that is there. */
export async function joinAgain(world: Surroundings, commits: readonly string[]): Promise<Worked> {
  return withLock(world.repository.commonDir, async () => {
    const prospect = await workedIn(world, readAhead(world, commits));
    let failures = 0;
    const lines = await settle(world, prospect, announcedAs(world, commits), {
      again: true,
      onFailure: () => failures++,
    });
    return { notes: await writeNotes(world, lines), failures };
  });
}

/** Writes notes for commits that have no record and whose lines other records know. */
export async function reanchor(world: Surroundings, commits: readonly string[]): Promise<Reanchored> {
  return withLock(world.repository.commonDir, async () => {
    const prospect = await workedIn(world);
    const anchors = await anchorCommits(
      await anchorWorld(world.repository, readRewrites(world.store), new Map()),
      commits,
    );
    const found = commits.filter((id) => [...(anchors.get(id)?.values() ?? [])].some((lines) => lines.size > 0));
    const enough = await wellKnown(world, found, anchors);
    let failures = 0;
    const due = enough.map((id) => ({ id, brought: true }));
    const lines = await settle(world, prospect, due, { onFailure: () => failures++ });
    return { notes: await writeNotes(world, lines), failures, left: found.length - enough.length };
  });
}

/**
 * Those of which more is known than a few lines that are alike: a record says of the rest that nobody knows, and a gate takes that for a word.
 * Where content is all that speaks for a commit, it has to be half of it.
 */
async function wellKnown(
  world: Surroundings,
  commits: readonly string[],
  anchors: ReadonlyMap<string, Anchors>,
): Promise<readonly string[]> {
  const known = (id: string) => [...(anchors.get(id)?.values() ?? [])].flatMap((lines) => [...lines.values()]);
  const alike = commits.filter((id) => known(id).every(({ via }) => via === 'content'));
  if (alike.length === 0) return commits;
  const diffs = await readDiffs(world.repository.place, alike);
  const few = alike.filter((id) => {
    const blocks = diffs.get(id)?.files.flatMap(({ added }) => added) ?? [];
    return known(id).length * 2 < blocks.reduce((sum, { lines }) => sum + lines.length, 0);
  });
  const left = new Set(few);
  return commits.filter((id) => !left.has(id));
}

/** What hooks have said of these commits, however long ago. */
export function announcedAs(world: Surroundings, commits: readonly string[]): DueCommit[] {
  const { facts } = readJournal(world.store, JOURNAL_START, world.now());
  const known = new Map(facts.flatMap((fact) => (fact.fact === 'commit' ? [[fact.commit, fact] as const] : [])));
  return commits.map((id) => {
    const fact = known.get(id);
    return fact ? dueOf(fact) : { id };
  });
}

export async function writeNotes(
  world: Surroundings,
  lines: ReadonlyMap<string, NoteLines>,
  tools?: AppendTools,
): Promise<number> {
  const of = (kind: keyof NoteLines) =>
    new Map([...lines].filter(([, one]) => one[kind].length > 0).map(([id, one]) => [id, one[kind]]));
  const written = await appendToRefs(
    world.repository,
    new Map([
      [TRACE_REF, of('trace')],
      [LOG_REF, of('log')],
    ]),
    tools,
  );
  return written.get(TRACE_REF) ?? 0;
}

/** Texts before the edits that name them, edits before the state that says they are there, and all of it on the disk before that. */
async function keepHarvest(world: Surroundings, { harvest, documents }: Prospect): Promise<void> {
  const texts = writeTexts(world.store, harvest.texts);
  const shells = harvest.edits.flatMap(({ shell }) => shell ?? []);
  const redacted = await redactEach([...harvest.commands, ...shells].map(({ command }) => command));
  const clean = <T extends { readonly command: string }>(one: T): T => ({ ...one, command: redacted(one.command) });
  const edits = harvest.edits.map((edit) => (edit.shell ? { ...edit, shell: clean(edit.shell) } : edit));
  const changed = [
    ...texts,
    ...appendEdits(world.store, edits),
    ...appendCommands(world.store, harvest.commands.map(clean)),
    ...appendRewrites(world.store, harvest.rewrites),
  ];
  for (const document of documents.values()) changed.push(keepDocument(world.store, await redactDocument(document)));
  await flushFiles(changed);
  for (const mishap of harvest.mishaps) logMishap(world.store, world.now(), mishap);
}

function finish(
  world: Surroundings,
  { state, harvest, tips, squashed, evolution }: Prospect,
  failures: State['failures'],
): void {
  const { operation } = evolution;
  writeState(world.store, { ...state, ...harvest.state, tips, squashed, failures, ...(operation && { operation }) });
  clearMissed(world.store, harvest.missed);
  removePayloads(world, harvest);
}

function removePayloads(world: Surroundings, harvest: Harvest): void {
  const folder = path.join(world.store.dir, 'payloads');
  try {
    for (const file of harvest.payloads) fs.rmSync(path.resolve(folder, file), { force: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault('surroundings', `What hooks noted down is worked in, but cannot be removed from ${folder}: ${why}`);
  }
}
