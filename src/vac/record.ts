import type { JsonObject } from '../json.ts';
import type { ContributorType } from '../lines/origin.ts';

/**
 * draft-birkholz-verifiable-agent-conversations, version 3.0.0-draft: one session of an agent, and the lines it wrote. Names are the
 * draft's. Maps that the draft leaves open (`* tstr => any`) may carry more than is named here; those of the file attribution may not.
 */
export interface VacRecord extends JsonObject {
  readonly version: string;
  readonly id: string;
  readonly session: SessionTrace;
  readonly created?: Timestamp;
  readonly 'file-attribution'?: FileAttribution;
  readonly vcs?: VcsContext;
  readonly 'recording-agent'?: RecordingAgent;
}

/** RFC 3339, or milliseconds since 1970. We write the first. */
export type Timestamp = string | number;

export interface SessionTrace extends JsonObject {
  readonly format?: string;
  readonly 'session-id': string;
  readonly 'session-start'?: Timestamp;
  readonly 'session-end'?: Timestamp;
  readonly 'agent-meta': AgentMeta;
  readonly environment?: Environment;
  readonly entries: readonly VacEntry[];
}

export interface AgentMeta extends JsonObject {
  readonly 'model-id': string;
  readonly 'model-provider': string;
  readonly models?: readonly string[];
  readonly 'cli-name'?: string;
  readonly 'cli-version'?: string;
}

export interface RecordingAgent extends JsonObject {
  readonly name: string;
  readonly version?: string;
}

export interface Environment extends JsonObject {
  readonly 'working-dir': string;
  readonly vcs?: VcsContext;
  readonly sandboxes?: readonly string[];
}

export interface VcsContext extends JsonObject {
  readonly type: string;
  readonly revision?: string;
  readonly branch?: string;
  readonly repository?: string;
}

/** A message, a tool's call or result, reasoning, or a system event: `type` says which. Read field by field, since others write them. */
export interface VacEntry extends JsonObject {
  readonly type: 'user' | 'assistant' | 'tool-call' | 'tool-result' | 'reasoning' | 'system-event';
  readonly id?: string;
  readonly timestamp?: Timestamp;
  readonly children?: readonly VacEntry[];
}

export interface FileAttribution {
  readonly files: readonly VacFile[];
}

export interface VacFile {
  readonly path: string;
  readonly conversations: readonly VacConversation[];
}

export interface VacConversation {
  readonly url?: string;
  readonly contributor?: VacContributor;
  readonly ranges: readonly VacRange[];
  readonly related?: readonly { readonly type: string; readonly url: string }[];
}

export interface VacRange {
  readonly 'start-line': number;
  readonly 'end-line': number;
  readonly 'content-hash'?: string;
  /** `sha-256` where it is not told. */
  readonly 'content-hash-alg'?: string;
  readonly contributor?: VacContributor;
}

export interface VacContributor {
  readonly type: ContributorType;
  readonly 'model-id'?: string;
}

export const VAC_VERSION = '3.0.0-draft';
/** The draft's name for our records in the header of a seal. */
export const VAC_TRACE_FORMAT = 'ietf-vac-v3.0';
