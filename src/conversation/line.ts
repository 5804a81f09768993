import type { AgentLogDocument } from '../agentlog/document.ts';
import type { Origin } from '../lines/origin.ts';
import { type Behind, findBehind } from './behind.ts';

/** What can be told about the making of a line: the piece of conversation, or why there is none. */
export interface LineStory {
  readonly behind: Behind | null;
  readonly why: string | null;
}

/** `document` is the session that the origin names, where it is recorded. */
export function tellLine(origin: Origin, document: AgentLogDocument | undefined): LineStory {
  const { agent } = origin;
  if (origin.type === 'unknown') return without(`Nobody knows who wrote this line: ${origin.reason ?? 'no record'}.`);
  // whoever declared it stands for it
  const as = origin.evidence === 'declared' && origin.reason ? `, as ${origin.reason}` : '';
  if (!agent) return without(`A person wrote this line${as}: there is no conversation behind it.`);
  if (!agent.session) return without(`The record of this line names ${agent.tool.name}${as}, but no session.`);
  if (!document) return without(notHere(agent.session));
  const behind = findBehind(document, agent.event);
  return behind
    ? { behind, why: null }
    : without(`The session ${agent.session} is recorded, but not the step that wrote this line.`);
}

/** What is said of a session that no document tells of. */
export function notHere(session: string): string {
  return `The session ${session} is not recorded in this repository: it may be on the machine where it took place, or forgotten. A colleague may have shared it: git agent fetch looks.`;
}

function without(why: string): LineStory {
  return { behind: null, why };
}
