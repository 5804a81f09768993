import {
  type AgentInfo,
  type AgentLogDocument,
  type CommitRef,
  type IssueRef,
  type PullRequestRef,
  type Relationships,
  type SessionStatus,
  SPEC_VERSION,
} from './document.ts';

export interface SessionLink {
  readonly session: string;
  readonly agent: AgentInfo;
  readonly startTime: string;
  readonly endTime?: string;
  readonly status: SessionStatus;
  readonly commits: readonly CommitRef[];
  readonly pullRequests?: readonly PullRequestRef[];
  readonly issues?: readonly IssueRef[];
  readonly parentSession?: string;
  readonly childSessions?: readonly string[];
  /** Ids of the Agent Trace records that name the session. */
  readonly traceIds?: readonly string[];
}

/** AgentLog has no field for Agent Trace records; section 6.2 says how to name one of one's own. */
export const TRACES_PROPERTY = 'git-agent-blame:traces';

/** The document that ties a session to commits, pull requests, issues and other sessions, without a word of what was said in it. */
export function linkDocument(link: SessionLink): AgentLogDocument {
  const traces = distinct(link.traceIds ?? []);
  const relationships: Relationships = {
    commits: byKey(link.commits.map(firstLineOnly), (commit) => commit.sha),
    ...list(
      'pullRequests',
      byKey(link.pullRequests ?? [], (one) => `${one.repository ?? ''}#${one.number}`),
    ),
    ...list(
      'issues',
      byKey(link.issues ?? [], (one) => `${one.id} ${one.tracker ?? ''}`),
    ),
    ...(link.parentSession ? { parentSession: link.parentSession } : {}),
    ...list('childSessions', distinct(link.childSessions ?? [])),
    ...(traces.length > 0 ? { properties: { [TRACES_PROPERTY]: traces } } : {}),
  };
  return {
    specVersion: SPEC_VERSION,
    id: link.session,
    startTime: link.startTime,
    ...(link.endTime ? { endTime: link.endTime } : {}),
    status: link.status,
    agent: link.agent,
    events: [],
    relationships,
  };
}

function firstLineOnly(commit: CommitRef): CommitRef {
  return typeof commit.message === 'string' ? { ...commit, message: commit.message.split('\n', 1)[0] ?? '' } : commit;
}

function list<K extends string, T>(key: K, items: readonly T[]): { readonly [P in K]?: readonly T[] } {
  return (items.length > 0 ? { [key]: items } : {}) as { readonly [P in K]?: readonly T[] };
}

/** Sorted, and each once: of two that share a key the one that says more. */
function byKey<T>(items: readonly T[], key: (item: T) => string): T[] {
  const found = new Map<string, T>();
  for (const item of items) {
    const other = found.get(key(item));
    if (other === undefined || saysMore(item, other)) found.set(key(item), item);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function saysMore(a: unknown, b: unknown): boolean {
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  return textA.length === textB.length ? textA > textB : textA.length > textB.length;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
