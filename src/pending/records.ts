import type { AgentLogDocument } from '../agentlog/document.ts';
import { linkDocument } from '../agentlog/link.ts';
import { printDocument } from '../agentlog/print.ts';
import { relationsOf } from '../agentlog/relations.ts';
import { changeOf } from '../anchor/lineage.ts';
import { isObject } from '../json.ts';
import type { AgentRef } from '../lines/origin.ts';
import { countLines } from '../lines/range.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { buildLines, type TraceInput } from '../trace/build.ts';
import { standing } from '../trace/covers.ts';
import { isJoined, ownPart } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { TraceRecord, Vcs } from '../trace/record.ts';
import { findJjOf } from './evolution.ts';
import type { JoinedCommit } from './join.ts';
import type { Surroundings } from './world.ts';

/** The lines that a commit's two notes should have. */
export interface NoteLines {
  readonly trace: readonly string[];
  readonly log: readonly string[];
}

/** Our records and links for a joined commit; none that the note has already. Where no session can be asked for, nobody wants links. */
export function notesOf(
  world: Surroundings,
  joined: JoinedCommit,
  had: { readonly trace: readonly string[]; readonly session?: FindSession },
): NoteLines {
  const input = traceInput(world, joined);
  const before = standing(parseNote(had.trace).records).filter((record) => isJoined(record, joined.commit.id));
  const fresh = buildLines(input);
  const said = fresh.map(({ record }) => record);
  // sessions may have been removed since: what was known then is not given up for what is known now
  const kept = before.length > 0 && (sameContents(before, said) || knownLines(said) < knownLines(before));
  const links = (records: readonly TraceRecord[]) => (had.session ? linksOf(joined, records, had.session) : []);
  if (kept) return { trace: [], log: links(before) };
  const built = before.length > 0 ? buildLines({ ...input, supersedes: before.map(({ id }) => id) }) : fresh;
  return { trace: built.map((one) => one.line()), log: links(built.map(({ record }) => record)) };
}

type FindSession = (id: string) => AgentLogDocument | undefined;

export function traceInput(
  { repository, settings, version }: Surroundings,
  { commit, files }: Pick<JoinedCommit, 'commit' | 'files'>,
): TraceInput {
  const change = changeOf(commit);
  return {
    commit: commit.id,
    vcs: vcsOf(repository, commit),
    time: commit.committer.time * 1000,
    ...(change !== undefined && { changeId: change }),
    ownVersion: version,
    ...(settings.conversationUrl && { conversationUrl: settings.conversationUrl }),
    files,
  };
}

/** In a jj repository a commit is known by its change, which outlives it. */
function vcsOf(repository: Surroundings['repository'], { id, changeId }: JoinedCommit['commit']): Vcs {
  const jj = changeId !== undefined && findJjOf(repository) !== undefined;
  return jj ? { type: 'jj', revision: changeId } : { type: 'git', revision: id };
}

/** Ids, and whom a record replaces, follow from when it was written: what it says does not. */
function sameContents(a: readonly TraceRecord[], b: readonly TraceRecord[]): boolean {
  const said = (records: readonly TraceRecord[]) =>
    records
      .map((record) => JSON.stringify([record.tool, record.vcs, record.files, ownPart(record.metadata)?.files]))
      .sort()
      .join('\n');
  return said(a) === said(b);
}

function knownLines(records: readonly TraceRecord[]): number {
  const ranges = records.flatMap((record) => attributionsOf(record)).filter(({ origin }) => origin.type !== 'unknown');
  return countLines(ranges);
}

function linksOf({ commit, files }: JoinedCommit, records: readonly TraceRecord[], findSession: FindSession): string[] {
  const agents = new Map<string, AgentRef>();
  for (const { runs } of files) {
    for (const { origin } of runs) {
      if (origin.agent && !agents.has(origin.agent.session)) agents.set(origin.agent.session, origin.agent);
    }
  }
  const mentioned = records.map((record) => ({ id: record.id, sessions: sessionsIn(record) }));
  return [...agents.values()].map((agent) => {
    const session = findSession(agent.session);
    return printDocument(
      linkDocument({
        session: agent.session,
        agent: {
          name: agent.tool.name,
          ...(agent.tool.version && { version: agent.tool.version }),
          ...(agent.model && { model: agent.model }),
        },
        startTime: session?.startTime ?? new Date(commit.committer.time * 1000).toISOString(),
        status: 'active',
        commits: [{ sha: commit.id, timestamp: new Date(commit.committer.time * 1000).toISOString() }],
        ...relationsOf(commit.message, session?.relationships),
        traceIds: mentioned.filter(({ sessions }) => sessions.has(agent.session)).map(({ id }) => id),
      }),
    );
  });
}

function sessionsIn(record: TraceRecord): Set<string> {
  const files = ownPart(record.metadata)?.files;
  const ranges = Object.values(isObject(files) ? files : {}).flatMap((file) => (isObject(file) ? file.ranges : []));
  return new Set(
    ranges.flatMap((range) => (isObject(range) && typeof range.session === 'string' ? range.session : [])),
  );
}
