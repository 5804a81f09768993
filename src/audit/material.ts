import type { AgentLogDocument } from '../agentlog/document.ts';
import type { Report } from '../report/report.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { Approval } from './approvals.ts';
import type { Divergence, EditCounts } from './divergence.ts';

/** What became of the records' seals. `gone`: sealed once, and not there any more; `elsewhere`: copied from another commit; `overruled`: replaced by one without. */
export const SEAL_STATES = ['sealed', 'refused', 'altered', 'gone', 'elsewhere', 'overruled', 'unsealed'] as const;
export type SealState = (typeof SEAL_STATES)[number];

/** Everything that the answers are made of. */
export interface Material {
  readonly report: Report;
  /** Those that stand: what another record replaces is not counted. */
  readonly records: readonly TraceRecord[];
  readonly seals: Readonly<Record<SealState, number>>;
  /** Sessions in scope that are recorded here. */
  readonly documents: readonly AgentLogDocument[];
  /** Ids of the sessions that records refer to. */
  readonly referred: readonly string[];
  /** Null: nothing was ever captured here. */
  readonly capture: { readonly since: string; readonly agents: readonly string[] } | null;
  readonly retention: { readonly period: string; readonly isYear: boolean };
  readonly approvals: readonly Approval[];
  readonly divergence: readonly Divergence[];
  readonly edits: EditCounts;
}
