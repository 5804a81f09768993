import type { AgentLogDocument, CommitRef } from '../agentlog/document.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { withLinks } from './export-links.ts';
import {
  type Archive,
  type NotedRecord,
  readSessionRecords,
  readStanding,
  type Subject,
  sessionsIn,
} from './export-subject.ts';

/** A session with the records of its commits. */
export interface ToldSession {
  readonly document: AgentLogDocument;
  readonly records: readonly NotedRecord[];
}

export interface ToldSessions {
  readonly sessions: readonly ToldSession[];
  /** Sessions that lines name and that are not recorded here. */
  readonly missing: readonly string[];
}

/** The sessions of a subject: the one that is named, or those that contributed to the commits of a range. */
export async function tellSessions(archive: Archive, subject: Subject): Promise<ToldSessions> {
  if (subject.kind === 'session') {
    const records = await readSessionRecords(archive, subject.document);
    return { sessions: await linked(archive, [withCommits({ document: subject.document, records })]), missing: [] };
  }
  const records = await readStanding(archive, subject.commits);
  const sessions: ToldSession[] = [];
  const missing: string[] = [];
  for (const id of [...sessionsIn(records)].sort()) {
    const document = await archive.recorded.find(id);
    if (document) sessions.push(withCommits({ document, records: records.filter((one) => names(one, id)) }));
    else missing.push(id);
  }
  return { sessions: await linked(archive, sessions), missing };
}

async function linked({ repository }: Archive, sessions: readonly ToldSession[]): Promise<ToldSession[]> {
  const documents = await withLinks(
    repository,
    sessions.map(({ document }) => document),
  );
  return sessions.map((one, i) => ({ ...one, document: documents[i] ?? one.document }));
}

function names({ record }: NotedRecord, session: string): boolean {
  return attributionsOf(record).some(({ origin }) => origin.agent?.session === session);
}

/** The document says which commits the session went into, so that whoever gets it can tie it to them. */
function withCommits({ document, records }: ToldSession): ToldSession {
  const { relationships } = document;
  const told = relationships?.commits ?? [];
  const known = new Set(told.map(({ sha }) => sha));
  const fresh = [...new Set(records.map(({ commit }) => commit))].filter((sha) => !known.has(sha)).sort();
  if (fresh.length === 0) return { document, records };
  const commits: CommitRef[] = [...told, ...fresh.map((sha) => ({ sha }))];
  return { document: { ...document, relationships: { ...relationships, commits } }, records };
}
