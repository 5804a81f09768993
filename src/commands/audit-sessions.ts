import type { AgentLogDocument } from '../agentlog/document.ts';
import { parseDocument } from '../agentlog/parse.ts';
import {
  type CommandSight,
  countEdits,
  type Divergence,
  type EditCounts,
  type EditSight,
  findDivergences,
} from '../audit/divergence.ts';
import { AGENTS } from '../capture/index.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, offline } from '../git/run.ts';
import { movesContents, names } from '../join/shell.ts';
import { redactDocument } from '../redact/redact.ts';
import { mergeCommands, readCommands } from '../sessions/commands.ts';
import { findDocument } from '../sessions/documents.ts';
import { readEdits } from '../sessions/edits-between.ts';
import { scanSessions } from '../sessions/scan.ts';
import { findSince, type Since, type Store, storeOf } from '../sessions/store.ts';
import type { StoredEdit } from '../sessions/timelines.ts';
import { attributionsOf } from '../trace/attribution.ts';
import type { TraceRecord } from '../trace/record.ts';
import { rootsOf } from './entries.ts';
import type { PendingView } from './pending-view.ts';

export interface SessionsQuestion {
  /** Sessions that the records refer to. */
  readonly referred: readonly string[];
  /** Only these; else all that are recorded. */
  readonly onlyReferred: boolean;
  readonly records: readonly TraceRecord[];
}

export interface AuditedSessions {
  readonly documents: readonly AgentLogDocument[];
  readonly divergence: readonly Divergence[];
  readonly edits: EditCounts;
  readonly since: Since | undefined;
  /** Stored sessions that cannot be read. */
  readonly unreadable: number;
}

/** The recorded sessions in scope, and where what they say and what was seen do not agree. */
export async function readAuditedSessions(
  repository: Repository,
  pending: PendingView,
  question: SessionsQuestion,
): Promise<AuditedSessions> {
  const store = storeOf(repository);
  const { documents, unreadable } = await readDocuments(store, pending, question);
  const scope = question.onlyReferred ? new Set(question.referred) : undefined;
  const inScope = ({ session }: { readonly session: string }) => scope === undefined || scope.has(session);
  const harvest = pending.prospect?.harvest;
  const stored = [...readEdits(store, { from: 0, to: Infinity }), ...(harvest?.edits ?? [])];
  const edits = stored.filter(inScope).map(sightOf);
  const commands = mergeCommands([...readCommands(store).commands, ...(harvest?.commands ?? [])]).filter(inScope);
  const ranRefused = commands.flatMap(({ session, tool, event, command, refused, after, lent, to }): CommandSight[] =>
    refused && after !== undefined && !lent ? [{ session, agent: tool.name, event, command, at: to ?? 0 }] : [],
  );
  const since = findSince(store);
  const isShown = await shownEdits(repository, edits, question.records);
  const divergence = findDivergences({
    documents,
    edits,
    ranRefused,
    roots: await rootsOf(repository),
    hooks: { agents: hookedAgents(since), since: since?.at ?? Infinity },
    isShown,
  });
  return { documents, divergence, edits: countEdits(edits, isShown), since, unreadable };
}

async function readDocuments(store: Store, pending: PendingView, { referred, onlyReferred }: SessionsQuestion) {
  const fresh = pending.prospect?.documents ?? new Map<string, AgentLogDocument>();
  const found = new Map<string, AgentLogDocument>();
  let unreadable = 0;
  if (onlyReferred) {
    for (const id of referred) {
      const document = fresh.has(id) ? undefined : findDocument(store, id);
      if (document) found.set(id, document);
    }
  } else {
    for (const { text } of scanSessions(store)) {
      const parsed = parseDocument(text);
      if (parsed.kind === 'document') found.set(parsed.document.id, parsed.document);
      else unreadable++;
    }
  }
  // what is stored was redacted; what is not yet reads the same
  for (const [id, document] of fresh)
    if (!onlyReferred || referred.includes(id)) found.set(id, await redactDocument(document));
  const documents = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { documents, unreadable };
}

function sightOf({
  session,
  tool,
  event,
  path,
  worktree,
  at,
  source,
  print,
  before,
  after,
  shell,
}: StoredEdit): EditSight {
  return {
    ...{ session, agent: tool.name, event, path, worktree, at, source },
    ...(print !== undefined && { print }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(shell && {
      shell: { command: shell.command, expected: names(shell.command, path) || movesContents(shell.command) },
    }),
  };
}

/** Agents without hooks tell by their transcripts alone: nobody else looks. */
function hookedAgents(since: Since | undefined): ReadonlySet<string> {
  const hooked = new Set(AGENTS.filter(({ hookFiles }) => hookFiles.length > 0).map(({ name }) => name));
  return new Set(since?.agents.filter((name) => hooked.has(name)));
}

/** Whether git holds what the edit says to have written, or a record found its lines in a commit. */
async function shownEdits(
  { place }: Repository,
  edits: readonly EditSight[],
  records: readonly TraceRecord[],
): Promise<(edit: EditSight) => boolean> {
  const contents = edits.flatMap(({ after }) => after ?? []);
  const held = new Set<string>();
  const asked = [...new Set(contents)].filter((id) => /^[0-9a-f]{40,64}$/.test(id));
  if (asked.length > 0) {
    const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    const { out } = await askGit(offline(place), args, `${asked.join('\n')}\n`);
    for (const [, id = ''] of out.toString('latin1').matchAll(/^([0-9a-f]+) blob$/gm)) held.add(id);
  }
  const named = new Set(
    records.flatMap((record) =>
      attributionsOf(record).flatMap(({ origin: { agent }, path }) => (agent ? [`${agent.event}\0${path}`] : [])),
    ),
  );
  return ({ after, event, path }) => (after ? held.has(after) : false) || named.has(`${event}\0${path}`);
}
