import type { AgentLogDocument } from '../agentlog/document.ts';
import { isObject } from '../json.ts';
import { ownPart } from '../trace/own.ts';
import type { TraceRecord } from '../trace/record.ts';

/** Who let something happen, or stood up for it. */
export type Approval = {
  readonly time: string;
  readonly by: string;
} & (
  | {
      readonly kind: 'decision';
      readonly session: string;
      readonly event: string;
      readonly decision: string;
      readonly action: string;
      readonly tool: string | null;
    }
  | { readonly kind: 'commit'; readonly commit: string; readonly agentLines: number }
  | { readonly kind: 'trailer'; readonly commit: string; readonly trailer: string }
  | { readonly kind: 'declaration'; readonly commit: string; readonly record: string }
);

/** Of a commit: whoever made it has taken the agents' lines over. */
export interface ApprovedCommit {
  readonly id: string;
  readonly committer: string;
  readonly time: string;
  readonly message: string;
  readonly agentLines: number;
}

/** What a user, a policy or the agent's own rules let pass or stopped. */
export function decisionsIn({ id, events }: AgentLogDocument): Approval[] {
  return events.flatMap((event): Approval[] =>
    event.type === 'approval'
      ? [
          {
            kind: 'decision',
            time: event.timestamp,
            by: event.approver,
            session: id,
            event: event.id,
            decision: event.decision,
            action: event.action,
            tool: event.toolName ?? null,
          },
        ]
      : [],
  );
}

const TRAILER = /^((?:reviewed|acked|approved|tested|signed-off)-by):[ \t]+(\S.{0,500})$/i;
/** Longer messages are looked at so far. */
const MAX_MESSAGE = 100_000;

export function approvalsOf({ id, committer, time, message, agentLines }: ApprovedCommit): Approval[] {
  const trailers = message
    .slice(0, MAX_MESSAGE)
    .split('\n')
    .flatMap((line): Approval[] => {
      const [, trailer, by] = TRAILER.exec(line.trimEnd()) ?? [];
      return trailer && by ? [{ kind: 'trailer', time, by, commit: id, trailer }] : [];
    });
  return agentLines === 0 ? trailers : [{ kind: 'commit', time, by: committer, commit: id, agentLines }, ...trailers];
}

/** A person's word in the place of something seen. */
export function declarationOf(record: TraceRecord): Approval | undefined {
  const own = ownPart(record.metadata);
  const declared = isObject(own?.declared) ? own.declared : undefined;
  if (typeof declared?.by !== 'string' || typeof own?.commit !== 'string') return undefined;
  return { kind: 'declaration', time: record.timestamp, by: declared.by, commit: own.commit, record: record.id };
}
