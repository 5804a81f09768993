import type { AgentLogDocument, AgentLogEvent, ApprovalEvent } from '../agentlog/document.ts';
import type { Divergence } from './divergence.ts';
import { placeOf, type Roots } from './place.ts';
import { momentOf, short } from './telling.ts';

/** Calls that were denied, and later steps of the same session that do what was denied, with nobody having approved it in between. */
export function findDenied(document: AgentLogDocument, roots: Roots): Divergence[] {
  const decisions = document.events.filter((event): event is ApprovalEvent => event.type === 'approval');
  if (!decisions.some(({ decision }) => decision === 'denied')) return [];
  return document.events.flatMap((event): Divergence[] => {
    const done = doneBy(event, document, roots);
    if (done.length === 0) return [];
    const last = decisions
      .filter(({ action, timestamp, parentId, id }) => {
        const other = parentId !== event.id && id !== event.id;
        return (
          other && momentOf(timestamp) <= momentOf(event.timestamp) && done.includes(actionOf(action, document, roots))
        );
      })
      .sort((a, b) => momentOf(a.timestamp) - momentOf(b.timestamp))
      .at(-1);
    // whoever approves it later lets it run
    if (last?.decision !== 'denied') return [];
    return [
      {
        kind: 'denied-and-done',
        session: document.id,
        agent: document.agent.name,
        event: event.id,
        path: event.type === 'fileOperation' ? placed(event.path, document, roots) : null,
        time: event.timestamp,
        what: `denied by ${last.approver} at ${last.timestamp} (${last.id}), and done: ${short(last.action)}`,
      },
    ];
  });
}

/** What a step did, in the forms in which it may have been denied. */
function doneBy(event: AgentLogEvent, document: AgentLogDocument, roots: Roots): string[] {
  if (event.type === 'fileOperation' && event.operation !== 'read')
    return [`path ${placed(event.path, document, roots)}`, `text ${plainly(event.path)}`];
  if (event.type !== 'terminalCommand') return [];
  // `cd src && make` does what `make` does
  const parts = event.command.slice(0, MAX_COMMAND).split(/&&|\|\||[;\n]/);
  return [event.command, ...parts].map((part) => `text ${plainly(part)}`).filter((part) => part !== 'text ');
}

const MAX_COMMAND = 32 * 1024;

function actionOf(action: string, document: AgentLogDocument, roots: Roots): string {
  return action.startsWith('/') && !/\s/.test(action)
    ? `path ${placed(action, document, roots)}`
    : `text ${plainly(action)}`;
}

function placed(path: string, { project }: AgentLogDocument, roots: Roots): string {
  return placeOf(roots, project?.workingDirectory, path).path;
}

function plainly(command: string): string {
  return command.replace(/\s+/g, ' ').trim();
}
