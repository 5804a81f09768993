import { withLock } from '../git/lock.ts';
import { runGit } from '../git/run.ts';
import type { AgentRef } from '../lines/origin.ts';
import { countLines } from '../lines/range.ts';
import { redactDocument } from '../redact/redact.ts';
import { keepDocument } from '../sessions/documents.ts';
import { readState } from '../sessions/state.ts';
import { isInitialised } from '../sessions/store.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { parseNote } from '../trace/parse.ts';
import { gather, type Harvest } from './harvest.ts';
import type { NoteLines } from './records.ts';
import { documentsOf, settle } from './settle.ts';
import { viewOf } from './view.ts';
import { announcedAs, work, writeNotes } from './work.ts';
import type { Surroundings } from './world.ts';

/** A commit that transcripts have something to say of. */
export interface Backfilled {
  readonly commit: string;
  /** Lines that it adds, and how many of them agents wrote. */
  readonly lines: number;
  readonly byAgents: number;
  readonly agents: readonly AgentRef[];
}

export interface BackfillOptions {
  /** As git rev-list takes it; absent: what all branches and HEAD reach. */
  readonly range?: string;
  readonly dryRun: boolean;
  onProgress?(done: number, of: number): void;
}

/** So many commits are joined at once. */
const CHUNK = 100;

/**
 * Joins the agents' own transcripts to commits that have no record, however old. Only commits that touch a file which some session
 * edited before are looked at, and only those in which an agent's lines are found again get a note.
 */
export async function backfill(world: Surroundings, options: BackfillOptions): Promise<Backfilled[]> {
  if (!options.dryRun && isInitialised(world.store)) await work(world);
  const harvest = await gather(world, readState(world.store), { all: true });
  const commits = await candidates(world, harvest, options.range);
  const run = () => backfillAll(world, harvest, { ...options, commits });
  return options.dryRun ? run() : withLock(world.repository.commonDir, run);
}

/** Commits that touch an edited file, made after it was first edited; oldest first. */
async function candidates(world: Surroundings, harvest: Harvest, range: string | undefined): Promise<string[]> {
  const { edits } = harvest;
  if (edits.length === 0) return [];
  const since = edits.reduce((first, { at }) => Math.min(first, at), Infinity);
  const paths = [...new Set(edits.map(({ path }) => path))].filter((path) => !/[\n\r]/.test(path));
  const args = ['--reverse', '--full-history', `--since=${Math.floor(since / 1000)}`, '--stdin'];
  const revisions = range === undefined ? ['--branches', 'HEAD'] : ['--end-of-options', range];
  const input = `--\n${paths.join('\n')}\n`;
  const out = await runGit(world.repository.place, ['--literal-pathspecs', 'rev-list', ...args, ...revisions], input);
  return out.toString('latin1').split('\n').filter(Boolean);
}

async function backfillAll(
  world: Surroundings,
  harvest: Harvest,
  { commits, dryRun, onProgress }: BackfillOptions & { readonly commits: readonly string[] },
): Promise<Backfilled[]> {
  const documents = documentsOf(world, harvest);
  const prospect = { view: viewOf(world.store, harvest), documents, harvest };
  const found: Backfilled[] = [];
  for (let from = 0; from < commits.length; from += CHUNK) {
    onProgress?.(from, commits.length);
    const lines = await settle(world, prospect, announcedAs(world, commits.slice(from, from + CHUNK)));
    const told = [...lines].map(([commit, note]) => ({ note, told: tell(commit, note) }));
    const known = told.filter(({ told: { byAgents } }) => byAgents > 0);
    found.push(...known.map((one) => one.told));
    if (dryRun) continue;
    for (const session of new Set(known.flatMap(({ told: { agents } }) => agents.map((agent) => agent.session)))) {
      const document = documents.get(session);
      if (document) keepDocument(world.store, await redactDocument(document));
    }
    await writeNotes(world, new Map(known.map(({ note, told: { commit } }) => [commit, note])));
  }
  onProgress?.(commits.length, commits.length);
  return found;
}

function tell(commit: string, { trace }: NoteLines): Backfilled {
  const ranges = parseNote(trace).records.flatMap((record) => attributionsOf(record));
  const byAgents = ranges.filter(({ origin }) => origin.type === 'ai' || origin.type === 'mixed');
  const agents = new Map(byAgents.flatMap(({ origin: { agent } }) => (agent ? [[agent.session, agent] as const] : [])));
  return { commit, lines: countLines(ranges), byAgents: countLines(byAgents), agents: [...agents.values()] };
}
