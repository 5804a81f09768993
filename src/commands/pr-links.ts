import type { PullRequestRef } from '../agentlog/document.ts';
import { linkDocument } from '../agentlog/link.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { printDocument } from '../agentlog/print.ts';
import { pullRequestsOf } from '../agentlog/pull-requests.ts';
import type { Merged } from '../forge/index.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { appendNotes } from '../notes/append.ts';
import { readNotes } from '../notes/read.ts';
import { LOG_REF, readNoteRefs } from '../notes/refs.ts';
import { listCommits } from './range.ts';

/** So many merges in one push are looked at. */
const MAX_MERGES = 200;

/**
 * Ties the sessions of merged commits to the pull request that they came by: the message of the merge names it, or the job does. Only
 * what a merge brought is tied to its request; what else the branch got meanwhile is not. Gives the number of notes that changed.
 */
export async function linkMerged(repository: Repository, merged: Merged, commits: readonly string[]): Promise<number> {
  const { place } = repository;
  const known = await readCommits(place, commits);
  const pulls = new Map<string, PullRequestRef[]>();
  for (const { commit, told } of mergesIn(known, merged).slice(0, MAX_MERGES)) {
    const brought = commit.parents.length > 1 ? await listCommits(place.cwd, `${commit.id}^1..${commit.id}`) : [];
    for (const id of new Set([commit.id, ...brought])) pulls.set(id, [...(pulls.get(id) ?? []), ...told]);
  }
  const { log } = await readNoteRefs(place);
  const { notes } = await readNotes(place, log, [...pulls.keys()]);
  const lines = [...pulls].map(([id, told]) => [id, linesFor(id, notes.get(id) ?? [], told)] as const);
  return appendNotes(repository, LOG_REF, new Map(lines.filter(([, added]) => added.length > 0)));
}

interface Merge {
  readonly commit: Commit;
  readonly told: readonly PullRequestRef[];
}

/** The branch's own commits, newest first, that are known to have come by a request. */
function mergesIn(known: ReadonlyMap<string, Commit>, { after, number }: Merged): Merge[] {
  const merges: Merge[] = [];
  for (let commit = known.get(after); commit; commit = known.get(commit.parents[0] ?? '')) {
    const told = pullRequestsOf(commit.message);
    const job = commit.id === after && number !== undefined && !told.some((one) => one.number === number);
    const all = job ? [...told, { number }] : told;
    if (all.length > 0) merges.push({ commit, told: all });
  }
  return merges;
}

/** One more link for each session that is not tied to these requests yet. */
function linesFor(sha: string, lines: readonly string[], pulls: readonly PullRequestRef[]): string[] {
  const links = lines.map(parseDocument).flatMap((one) => (one.kind === 'document' ? [one.document] : []));
  const sessions = new Map(links.map((document) => [`${document.agent.name}\0${document.id}`, document]));
  return [...sessions].flatMap(([key, { id, agent, startTime, status }]) => {
    const same = links.filter((one) => `${one.agent.name}\0${one.id}` === key);
    const tied = new Set(same.flatMap((one) => one.relationships?.pullRequests ?? []).map(({ number }) => number));
    const fresh = pulls.filter(({ number }) => !tied.has(number));
    if (fresh.length === 0) return [];
    const link = linkDocument({ session: id, agent, startTime, status, commits: [{ sha }], pullRequests: fresh });
    return [printDocument(link)];
  });
}
