import type { AgentLogDocument } from '../agentlog/document.ts';
import type { Origin } from '../lines/origin.ts';
import { type Behind, findBehind } from './behind.ts';

/** What can be told about the making of a line: the piece of conversation, or why there is none. */
export type LineStory = { readonly behind: Behind } | { readonly why: string };

/** `find` gives the recorded session by its id. */
export function tellLine(origin: Origin, find: (session: string) => AgentLogDocument | undefined): LineStory {
  const { agent } = origin;
  if (origin.type === 'unknown') return { why: `Nobody knows who wrote this line: ${origin.reason ?? 'no record'}.` };
  if (!agent) return { why: 'A person wrote this line: there is no conversation behind it.' };
  if (!agent.session) return { why: `The record of this line names ${agent.tool.name}, but no session.` };
  const document = find(agent.session);
  if (!document)
    return {
      why: `The session ${agent.session} is not recorded in this repository; it may be on the machine where it took place.`,
    };
  const behind = findBehind(document, agent.event);
  if (!behind) return { why: `The session ${agent.session} is recorded, but not the step that wrote this line.` };
  return { behind };
}
