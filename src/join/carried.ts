import { type AgentRef, type Origin, unknown } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { carriesContents, givenLines, linesSaid, linesWritten } from './carrying.ts';
import type { Answer } from './file.ts';
import { movesContents, names } from './shell.ts';
import type { Trail } from './state.ts';
import type { TimelineEdit } from './timeline.ts';

/** What stands in a command's text in no other way than as what it copied. */
const UNTRACED = 'a shell command moved contents about';

/**
 * Copying is not writing: the lines of the text after a command that it brought from elsewhere, with the trails that they had there. Of a
 * command that else only brings, or calls git to, those that it says itself are the agent's. What an edit took from where it stood is the
 * agent's unless it is known to be another's.
 */
export function carriedTrails(edit: TimelineEdit, next: Lines, path: string): Map<number, Trail> {
  const trails = new Map<number, Trail>();
  const moved = new Set<number>();
  const { shell, agent } = edit;
  for (const copy of edit.copies ?? []) {
    const isMoved = copy.at !== undefined;
    for (let i = copy.line - 1; i < copy.line - 1 + copy.count; i++) {
      const answer = edit.copied?.get(i) ?? (isMoved ? undefined : unknown(UNTRACED));
      if (!answer || (isMoved && !isAnothers(answer, agent))) continue;
      trails.set(i, trailOf(answer));
      if (isMoved) moved.add(i);
    }
  }
  if (!shell) return trails;
  const origin: Origin = { type: 'ai', evidence: edit.elsewhere ? 'matched' : 'observed', agent };
  for (const i of saidLines(shell.command, next, edit.elsewhere ?? path)) {
    if (!moved.has(i)) trails.set(i, { origin });
  }
  return trails;
}

/** Of a command that else only brings, the lines of the text after it (from 0) that it says itself. */
export function saidLines(command: string, next: Lines, path: string): Set<number> {
  const isOwn = ownLine(command, path);
  const own = new Set(isOwn ? [...next.keys()].filter((i) => isOwn(next[i] ?? '')) : []);
  return new Set([...own, ...beside(own, next, command)]);
}

/** What everybody writes is the agent's too where it stands beside the agent's own long line just as in the text that the command was given. */
function beside(own: ReadonlySet<number>, next: Lines, command: string): Set<number> {
  const found = new Set<number>();
  const texts = movesContents(command) ? [] : givenLines(command);
  for (const i of own) {
    const line = next[i] ?? '';
    // a stretch is as long as can be: whoever is in it need not look again
    if (!isDistinct(line) || found.has(i)) continue;
    for (const text of texts) {
      const at = text.indexOf(line);
      for (const step of at < 0 ? [] : [-1, 1]) {
        for (let k = step; at + k in text && i + k in next && text[at + k] === next[i + k]; k += step) found.add(i + k);
      }
    }
  }
  return found;
}

/** Whether a line is in a command's own words, of one that else only brings. What git puts there may have any line that many write. */
function ownLine(command: string, path: string): ((line: string) => boolean) | undefined {
  if (movesContents(command)) {
    const written = linesWritten(command);
    return names(command, path) ? (line) => isDistinct(line) && written(line) : undefined;
  }
  const said = linesSaid(command);
  return carriesContents(command, path) ? (line) => isInformative(line) && said(line) : undefined;
}

function isAnothers(answer: Answer, { session }: AgentRef): boolean {
  return 'movedFrom' in answer || answer.type !== 'ai' || answer.agent?.session !== session;
}

function trailOf(answer: Answer): Trail {
  if ('movedFrom' in answer) {
    const { movedFrom, or } = answer;
    return { base: movedFrom.line - 1, path: movedFrom.path, ...(or && { or }) };
  }
  // that it was copied from there, and not from elsewhere, its content tells
  return { origin: answer.evidence ? { ...answer, evidence: 'matched' } : answer };
}
