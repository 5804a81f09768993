import fs from 'node:fs';
import path from 'node:path';
import type { AgentLogDocument } from '../agentlog/document.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import type { AgentAdapter } from '../capture/adapter.ts';
import { AGENTS } from '../capture/index.ts';
import type { Captured } from '../capture/session.ts';
import { repositoryName } from '../git/repository.ts';
import type { Worktree } from '../git/worktrees.ts';
import { type Backfilled, backfill } from '../pending/backfill.ts';
import { allTranscripts, type GrownTranscript, openTranscript } from '../pending/transcripts.ts';
import type { Surroundings } from '../pending/world.ts';
import { documentOf } from '../sessions/documents.ts';

/** An agent's own file, and what it tells. */
export interface Transcript {
  readonly agent: AgentAdapter;
  readonly file: string;
  readonly sessions: readonly Captured[];
}

/** SQLite's first bytes: several agents keep their sessions in such a file. */
export function isDatabase(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1') === 'SQLite format 3\0';
}

/** Whose transcript a file is: that of the agent who keeps it there, else of the one who understands most of it. Undefined: nobody's. */
export function findTranscript(world: Surroundings, file: string): Transcript | undefined {
  const real = fs.realpathSync(file);
  const kept = allTranscripts(world).filter((one) => fs.realpathSync(one.file) === real);
  const { size, mtimeMs: mtime } = fs.statSync(file);
  const asked = kept.length > 0 ? kept : AGENTS.map((agent) => ({ agent, file, size, mtime }));
  // a file that is named is wanted, also where its session was in another folder; of a database that would be all there is
  const everywhere = { path: path.parse(file).root, name: '', head: null, bare: false };
  return best(world.worktrees, asked) ?? best([...world.worktrees, everywhere], asked.filter(isText));
}

function isText({ file }: GrownTranscript): boolean {
  return !/\.(?:db|sqlite|vscdb)$/.test(file);
}

function best(worktrees: readonly Worktree[], asked: readonly GrownTranscript[]): Transcript | undefined {
  const told = asked.flatMap((one) => {
    const sessions = decode(worktrees, one);
    const weight = sessions.reduce((sum, one) => sum + weightOf(one), 0);
    const { agent, file } = one;
    return weight > 0 ? [{ agent, file, sessions, weight: weight / (1 + skippedIn(sessions)) }] : [];
  });
  return told.sort((a, b) => b.weight - a.weight)[0];
}

/** A session in which nothing was said is one all the same, where it tells who, where and when; everything else is more likely. */
function weightOf({ events, edits, tool, cwd, startedAt }: Captured): number {
  const isNamed = tool.version !== undefined && cwd !== undefined && startedAt !== undefined;
  return events.length + edits.length || (isNamed ? 0.1 : 0);
}

/** What no adapter understands of a transcript, by kind. */
export function skippedIn(sessions: readonly Captured[]): number {
  return sessions.reduce((sum, { skipped }) => sum + Object.values(skipped).reduce((a, b) => a + b, 0), 0);
}

/** Other agents' files are anything to a decoder: what it chokes on is not its own. */
function decode(worktrees: readonly Worktree[], grown: GrownTranscript): Captured[] {
  const file = openTranscript({ worktrees }, grown);
  try {
    return grown.agent.decodeTranscript(file).filter(({ session }) => session !== '');
  } catch {
    return [];
  } finally {
    file.close();
  }
}

export function documentsIn({ repository }: Surroundings, { sessions }: Transcript): AgentLogDocument[] {
  const project = { name: repositoryName(repository) };
  return sessions.map((captured) => {
    const document = documentOf([captured], project);
    return mergeDocuments(document, document);
  });
}

/** Joins the transcript to commits that have no record of ours, as `backfill` does with those that it finds by itself. */
export function joinTranscript(
  world: Surroundings,
  { agent, file }: Transcript,
  dryRun: boolean,
): Promise<Backfilled[]> {
  const agents = world.agents.map((one) => ({ ...one, locate: () => (one.name === agent.name ? [file] : []) }));
  return backfill({ ...world, agents }, { dryRun });
}
