/**
 * AgentLog 0.2.0. Fields that only the JSON Schema has and the prose has not (team, model, tokenUsage of an event ...) are typed too:
 * the prose forbids nobody to write them. Fields we do not know stay on the objects and are printed after the known ones.
 */
export const SPEC_VERSION = '0.2.0';

/** Free for everyone; keys of ours start with `git-agent-blame:` (section 6.2). */
export type Properties = Readonly<Record<string, unknown>>;

/** The prose's four. */
export const STATUSES = ['active', 'completed', 'failed', 'cancelled'] as const;
/** In the JSON Schema only: read, never written. */
export const TOLERATED_STATUSES = ['paused', 'timeout', 'interrupted', 'queued'] as const;
export type SessionStatus = (typeof STATUSES)[number] | (typeof TOLERATED_STATUSES)[number];

export interface AgentLogDocument {
  readonly specVersion: string;
  readonly id: string;
  readonly startTime: string;
  readonly endTime?: string | null;
  readonly status: SessionStatus;
  readonly agent: AgentInfo;
  readonly project?: ProjectContext | null;
  readonly developer?: DeveloperInfo | null;
  /** This, `classification` and `profile` are the JSON Schema's, and nothing here reads them: they may be anything. */
  readonly team?: unknown;
  readonly events: readonly AgentLogEvent[];
  readonly metrics?: Metrics | null;
  readonly relationships?: Relationships | null;
  readonly classification?: unknown;
  readonly redactions?: readonly Redaction[] | null;
  readonly profile?: unknown;
  readonly properties?: Properties;
}

export interface AgentInfo {
  readonly name: string;
  readonly version?: string | null;
  readonly model?: string | null;
  readonly provider?: string | null;
  readonly properties?: Properties;
}

export interface ProjectContext {
  readonly name: string;
  readonly repository?: string | null;
  readonly workingDirectory?: string | null;
  readonly branch?: string | null;
  readonly commitSha?: string | null;
  readonly properties?: Properties;
}

export interface DeveloperInfo {
  readonly id: string;
  readonly name?: string | null;
  readonly properties?: Properties;
}

export interface Redaction {
  readonly category: string;
  readonly count: number;
  readonly redactedBy?: string | null;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | null;
  readonly cacheWriteTokens?: number | null;
  readonly reasoningTokens?: number | null;
}

export interface EventBase {
  readonly id: string;
  readonly timestamp: string;
  readonly parentId?: string | null;
  readonly durationMs?: number | null;
  readonly tokenUsage?: TokenUsage | null;
  readonly estimatedCostUsd?: number | null;
  readonly model?: string | null;
  readonly traceId?: string | null;
  readonly spanId?: string | null;
  readonly groupId?: string | null;
  readonly properties?: Properties;
}

export interface MessageEvent extends EventBase {
  readonly type: 'message';
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
}

export interface ToolCallEvent extends EventBase {
  readonly type: 'toolCall';
  readonly name: string;
  readonly input: Properties;
  readonly output?: string | null;
  readonly status: 'success' | 'error' | 'cancelled';
  readonly summary?: string | null;
}

export interface FileOperationEvent extends EventBase {
  readonly type: 'fileOperation';
  readonly operation: 'read' | 'create' | 'edit' | 'delete';
  readonly path: string;
  readonly diff?: string | null;
  readonly diffFormat?: string | null;
  readonly beforeHash?: string | null;
  readonly afterHash?: string | null;
  readonly linesAdded?: number | null;
  readonly linesRemoved?: number | null;
  readonly truncated?: boolean | null;
}

export interface TerminalCommandEvent extends EventBase {
  readonly type: 'terminalCommand';
  readonly command: string;
  readonly cwd?: string | null;
  readonly stdout?: string | null;
  readonly stderr?: string | null;
  readonly exitCode?: number | null;
  readonly shell?: string | null;
  readonly truncated?: boolean | null;
}

export interface SearchEvent extends EventBase {
  readonly type: 'search';
  readonly tool: string;
  readonly query: string;
  readonly resultCount?: number | null;
  readonly topResults?: readonly string[];
}

export interface ReasoningEvent extends EventBase {
  readonly type: 'reasoning';
  readonly intent: string;
  readonly reasoningType?: string | null;
  readonly content?: string | null;
  readonly alternatives?: readonly string[];
  readonly rationale: string;
  readonly conclusion?: string | null;
  readonly visible?: boolean | null;
  readonly reasoningTokens?: number | null;
}

export interface ErrorEvent extends EventBase {
  readonly type: 'error';
  readonly message: string;
  readonly code?: string | null;
  readonly category?: string | null;
  readonly recovery?: string | null;
  readonly resolved: boolean;
}

export interface HandoffEvent extends EventBase {
  readonly type: 'handoff';
  readonly fromAgent: string;
  readonly toAgent: string;
  readonly reason?: string | null;
  readonly contextTransferred?: string | null;
  readonly result?: string | null;
  readonly status: 'initiated' | 'accepted' | 'completed' | 'rejected' | 'failed';
}

export interface ApprovalEvent extends EventBase {
  readonly type: 'approval';
  readonly action: string;
  readonly approver: 'user' | 'policy' | 'system';
  readonly decision: 'approved' | 'denied' | 'modified';
  readonly constraints?: string | null;
  readonly toolName?: string | null;
}

export interface PlanEvent extends EventBase {
  readonly type: 'plan';
  readonly title: string;
  readonly steps?: readonly PlanStep[];
  readonly status: 'draft' | 'active' | 'completed' | 'abandoned';
}

export interface PlanStep {
  readonly id: string;
  readonly description: string;
  /** One of five in the JSON Schema; any in the text. */
  readonly status: string;
  readonly dependsOn?: readonly string[];
  readonly confidence?: number | null;
}

export interface CheckpointEvent extends EventBase {
  readonly type: 'checkpoint';
  readonly checkpointType: 'git_commit' | 'snapshot' | 'memory_flush' | 'auto_save' | 'custom';
  readonly label?: string | null;
  readonly reference?: string | null;
  readonly restorable: boolean;
}

export interface ContextLoadEvent extends EventBase {
  readonly type: 'contextLoad';
  readonly source: 'file' | 'memory' | 'rag' | 'web' | 'database' | 'api' | 'codebase' | 'custom';
  readonly query?: string | null;
  readonly itemCount?: number | null;
  readonly tokenCount?: number | null;
  readonly reason?: string | null;
}

/** An event that 0.2.0 does not know (section 6.3), or that lacks what its type requires: kept as it came, and printed as `raw` alone. */
export interface OpaqueEvent {
  readonly type: 'opaque';
  readonly id: string;
  readonly timestamp: string;
  readonly raw: Properties;
}

export type KnownEvent =
  | MessageEvent
  | ToolCallEvent
  | FileOperationEvent
  | TerminalCommandEvent
  | SearchEvent
  | ReasoningEvent
  | ErrorEvent
  | HandoffEvent
  | ApprovalEvent
  | PlanEvent
  | CheckpointEvent
  | ContextLoadEvent;

export type AgentLogEvent = KnownEvent | OpaqueEvent;
export type EventType = KnownEvent['type'];

export interface Metrics {
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly filesTouchedCount: number;
  readonly durationMinutes?: number | null;
  readonly tokenUsage?: TokenUsage | null;
  readonly estimatedCostUsd?: number | null;
  readonly filesTouched?: readonly string[];
  readonly toolsUsed?: readonly string[];
  readonly modelsUsed?: readonly string[];
  readonly properties?: Properties;
}

export interface Relationships {
  readonly commits?: readonly CommitRef[];
  readonly pullRequests?: readonly PullRequestRef[];
  readonly issues?: readonly IssueRef[];
  readonly errors?: readonly Properties[];
  readonly deployments?: readonly Properties[];
  readonly reviews?: readonly unknown[];
  readonly testRuns?: readonly unknown[];
  readonly branches?: readonly unknown[];
  readonly parentSession?: string | null;
  readonly childSessions?: readonly string[];
  readonly groupId?: string | null;
  readonly properties?: Properties;
}

export interface CommitRef {
  readonly sha: string;
  readonly message?: string | null;
  readonly repository?: string | null;
  readonly timestamp?: string | null;
}

export interface PullRequestRef {
  readonly number: number;
  readonly title?: string | null;
  readonly url?: string | null;
  readonly repository?: string | null;
  readonly status?: string | null;
}

export interface IssueRef {
  readonly id: string;
  readonly title?: string | null;
  readonly url?: string | null;
  readonly tracker?: string | null;
  readonly status?: string | null;
}
