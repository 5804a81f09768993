import { isOwnTelling } from '../activity/own-telling.ts';
import { withoutContradictions } from '../agentlog/contradiction.ts';
import type { AgentLogDocument } from '../agentlog/document.ts';
import { linkDocument } from '../agentlog/link.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { printDocument } from '../agentlog/print.ts';
import { relationsOf } from '../agentlog/relations.ts';
import { rememberStated } from '../agentlog/stated.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import type { Surroundings } from '../pending/world.ts';
import { redactDocument } from '../redact/redact.ts';
import { findDocument, keepDocument } from '../sessions/documents.ts';
import type { Store } from '../sessions/store.ts';
import { objectIn } from './import-parts.ts';

export interface KeptSessions {
  /** Sessions that were not here, or of which more is known now. */
  readonly fresh: readonly AgentLogDocument[];
  readonly known: number;
  /** Events that say something else than what is recorded here under their ids: that stands. */
  readonly contradicting: number;
}

/** What is new about sessions, redacted. Nothing is written. What the agent's own files tell (`trusted`) is the same session from another side. */
export async function freshSessions(
  store: Store,
  {
    documents,
    trusted,
  }: { readonly documents: readonly AgentLogDocument[]; readonly trusted: readonly AgentLogDocument[] },
): Promise<KeptSessions> {
  const fresh = new Map<string, AgentLogDocument>();
  let [known, contradicting] = [0, 0];
  for (const document of [...documents, ...trusted]) {
    const clean = await redactDocument(document);
    const key = `${clean.agent.name}\0${clean.id}`;
    const had = fresh.get(key) ?? findDocument(store, clean.id, clean.agent.name);
    if (had && isOwnTelling(had, clean)) {
      known++;
      continue;
    }
    const added = had && !trusted.includes(document) ? withoutContradictions(had, clean) : undefined;
    contradicting += added?.contradicting ?? 0;
    const both = had && mergeStated(had, added?.document ?? clean);
    if (both && printDocument(both) === printDocument(mergeStated(had, had))) known++;
    else fresh.set(key, both ?? clean);
  }
  return { fresh: [...fresh.values()], known, contradicting };
}

/** A session that comes again, with what both say of it in numbers. */
function mergeStated(had: AgentLogDocument, clean: AgentLogDocument): AgentLogDocument {
  return mergeDocuments(rememberStated(had), rememberStated(clean));
}

export function keepSessions(store: Store, documents: readonly AgentLogDocument[]): void {
  for (const document of documents) keepDocument(store, document);
}

/** Links from the commits that sessions say they went into, of those that are here; none that is there already. */
export async function linksOf(
  { repository: { place, objectFormat } }: Surroundings,
  documents: readonly AgentLogDocument[],
): Promise<Map<string, string[]>> {
  const length = objectFormat === 'sha256' ? 64 : 40;
  const named = documents.flatMap((document) =>
    (document.relationships?.commits ?? []).flatMap(({ sha }) =>
      sha.length === length && /^[0-9a-f]+$/.test(sha) ? [{ document, sha }] : [],
    ),
  );
  const ids = [...new Set(named.map(({ sha }) => sha))];
  const { log } = await readNoteRefs(place);
  const [commits, { notes }] = await Promise.all([readCommits(place, ids), readNotes(place, log, ids)]);
  const links = new Map<string, string[]>();
  for (const { document, sha } of named) {
    const there = (notes.get(sha) ?? []).some((line) => objectIn(line)?.id === document.id);
    const commit = commits.get(sha);
    if (commit && !there) links.set(sha, [...(links.get(sha) ?? []), await linkOf(document, commit)]);
  }
  return links;
}

async function linkOf(document: AgentLogDocument, { id: sha, message }: Commit): Promise<string> {
  const { id, agent, startTime, endTime, status, relationships } = document;
  const { name, version, model } = agent;
  const link = linkDocument({
    session: id,
    agent: { name, ...(version && { version }), ...(model && { model }) },
    startTime,
    ...(endTime && { endTime }),
    status,
    commits: [{ sha }],
    ...relationsOf(message, relationships),
  });
  return printDocument(await redactDocument(link));
}
