import { figures } from '../report/json.ts';
import { type Category, categoriesOf } from './categories.ts';
import { DIVERGENCES, type DivergenceKind } from './divergence.ts';
import { referredWith } from './figures.ts';
import type { Material } from './material.ts';

/** The answers, and what they were made of. */
export interface Audit {
  readonly schema: 'git-agent-blame/audit@1';
  /** As the person named it, and the commits in it. */
  readonly range: string;
  readonly commits: number;
  /** When the last of the commits was made: the data's own time, not that of the audit. */
  readonly until: string | null;
  readonly categories: readonly Category[];
  readonly coverage: ReturnType<typeof figures>;
  readonly records: Readonly<Record<string, number>>;
  readonly sessions: { readonly inScope: number; readonly referredTo: number; readonly keptOfThese: number };
  readonly retention: string;
  readonly divergence: Readonly<Record<DivergenceKind, number>>;
  readonly approvals: number;
}

export interface AuditScope {
  readonly range: string;
  readonly commits: number;
  readonly until: string | null;
}

export function auditOf(material: Material, scope: AuditScope): Audit {
  const { report, seals, documents, referred, retention, divergence, approvals, records } = material;
  const counted = Object.keys(DIVERGENCES).map((kind) => [kind, divergence.filter((one) => one.kind === kind).length]);
  return {
    schema: 'git-agent-blame/audit@1',
    ...scope,
    categories: categoriesOf(material),
    coverage: figures(report.counts),
    records: { standing: records.length, ...seals },
    sessions: {
      inScope: documents.length,
      referredTo: referred.length,
      keptOfThese: referredWith(material, () => true).part,
    },
    retention: retention.period,
    divergence: Object.fromEntries(counted) as Record<DivergenceKind, number>,
    approvals: approvals.length,
  };
}
