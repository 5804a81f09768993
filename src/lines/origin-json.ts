import type { Origin, Via } from './origin.ts';

/** An origin with all that is known of how it was found. */
export interface Sourced {
  readonly origin: Origin;
  readonly via?: Via | undefined;
  /** Id of the record. */
  readonly trace?: string | undefined;
  readonly conversation?: string | undefined;
}

/** The members that every JSON document of ours has for a line or a run of lines; null where nothing is known. */
export function originJson({ origin, via, trace, conversation }: Sourced) {
  const { agent } = origin;
  return {
    type: origin.type,
    evidence: origin.evidence ?? null,
    via: via ?? null,
    reason: origin.reason ?? null,
    model: agent?.model ?? null,
    tool: agent ? { name: agent.tool.name, version: agent.tool.version ?? null } : null,
    session: agent?.session || null,
    event: agent?.event || null,
    conversation: conversation ?? null,
    trace: trace ?? null,
  };
}
