/** Agent Trace's four contributor types. */
export type ContributorType = 'ai' | 'human' | 'mixed' | 'unknown';

/** How we know, strongest first. */
export const EVIDENCE = ['observed', 'replayed', 'matched', 'declared', 'absent'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** How the record behind a line was found. */
export type Via = 'note' | 'rewrite' | 'change-id' | 'patch-id' | 'content' | 'worktree';

/** The tool call of an agent's session that wrote a line. */
export interface AgentRef {
  readonly session: string;
  /** Id of the event inside the session: the tool call. */
  readonly event: string;
  readonly tool: ToolInfo;
  /** models.dev id, or absent when it is not known for certain. */
  readonly model?: string;
}

export interface ToolInfo {
  readonly name: string;
  readonly version?: string;
}

/**
 * Who wrote a line, and how we know. `agent` is there for `ai` and `mixed`; `reason` is there for `unknown`; `evidence` is there for
 * all but `unknown`.
 */
export interface Origin {
  readonly type: ContributorType;
  readonly evidence?: Evidence;
  readonly agent?: AgentRef;
  readonly reason?: string;
}

export function unknown(reason: string): Origin {
  return { type: 'unknown', reason };
}

/** Negative when `a` is the stronger evidence; no evidence is the weakest. */
export function compareEvidence(a: Evidence | undefined, b: Evidence | undefined): number {
  const rank = (e: Evidence | undefined) => (e ? EVIDENCE.indexOf(e) : EVIDENCE.length);
  return rank(a) - rank(b);
}

/** A person's only because nobody was seen to write it. */
export function isUnseen({ type, evidence }: Origin): boolean {
  return type === 'human' && evidence === 'absent';
}

/** Whether two origins tell a reader the same: who, and in which conversation. */
export function sameVoice(a: Origin, b: Origin): boolean {
  return a.type === b.type && a.agent?.session === b.agent?.session;
}

/** Two origins are one when nothing tells them apart; ranges are cut where they are not. */
export function sameOrigin(a: Origin, b: Origin): boolean {
  if (a === b) return true;
  return (
    a.type === b.type &&
    a.evidence === b.evidence &&
    a.reason === b.reason &&
    a.agent?.session === b.agent?.session &&
    a.agent?.event === b.agent?.event &&
    a.agent?.model === b.agent?.model &&
    a.agent?.tool.name === b.agent?.tool.name &&
    a.agent?.tool.version === b.agent?.tool.version
  );
}
