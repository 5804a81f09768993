import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import type { Captured, Command } from '../session.ts';
import type { Said } from '../tale.ts';
import { encoded, projectIn } from './locate.ts';
import { promptId, stampOf, typedText } from './prompts.ts';

/** A question and what came of it. */
interface Turn {
  /** The minute that it began in; older versions do not say. */
  readonly at: number | undefined;
  readonly said: Said[];
  readonly tools: { readonly id: string; readonly text: string }[];
}

/**
 * What a transcript tells: words. It has neither ids nor results, so that nothing proves of an edit in it that it was made: edits are
 * told by hooks. Where ours were not in the settings, whatever changed in a turn that edited is nobody's.
 */
export function decodeTranscript(file: TranscriptFile): Captured[] {
  const skipped: Skipped = {};
  const hooked = isHooked(file);
  const turns = readTurns(file, { hooked, skipped });
  const cwd = worktreeOf(file, turns);
  const [, parent, name] = /(?<![^\\/])(?:([^\\/]+)[\\/]subagents[\\/])?([^\\/]+)\.jsonl$/.exec(file.path) ?? [];
  const session = plainId(name) ?? '';
  const steps = timed(turns, file.modified);
  const tale = { session, tool: { name: 'cursor' }, cwd, parentSession: plainId(parent), steps, skipped };
  return [{ ...assemble(defined(tale)), commands: hooked ? [] : unproven(turns, file.modified) }];
}

interface Reading {
  readonly hooked: boolean;
  readonly skipped: Skipped;
}

function readTurns(file: TranscriptFile, reading: Reading): Turn[] {
  const { skipped } = reading;
  const turns: Turn[] = [];
  let number = 0;
  for (const line of parseJsonLines(file.lines(), skipped)) {
    const blocks = listOf(objectOf(line.message)?.content).map((block) => objectOf(block) ?? {});
    const id = `line-${String(++number).padStart(6, '0')}`;
    if (line.role === 'user') readUser(turns, blocks, { id, ...reading });
    else if (line.role === 'assistant') readAssistant(turns, blocks, { id, skipped });
    else if (line.type !== 'turn_ended') skip(skipped, 'line of nobody');
  }
  return turns;
}

function readUser(
  turns: Turn[],
  blocks: readonly JsonObject[],
  { id, hooked, skipped }: Reading & { id: string },
): void {
  const text = blocks.flatMap((block) => (block.type === 'text' ? (textOf(block.text) ?? []) : [])).join('\n');
  const prompt = typedText(text);
  // results of tools stand in the same place
  if (prompt === undefined) return;
  const at = stampOf(text);
  // the hook has told it, under an id that is made of its time
  const isDouble = at === undefined && hooked;
  if (isDouble) skip(skipped, 'prompt without a time');
  const asked: Said = { kind: 'prompt', id: at === undefined ? id : promptId(prompt, at), at: at ?? 0, text: prompt };
  turns.push({ at, said: isDouble ? [] : [asked], tools: [] });
}

/** Words without a time stand in the order of the file, before the next ones that have one; none is younger than the file. */
function timed(turns: readonly Turn[], modified: number): Said[] {
  let next = modified;
  const backwards = [...turns].reverse().map(({ at, said }) => {
    const from = next - said.length;
    next = at ?? from;
    return at === undefined ? said.map((one, i) => ({ ...one, at: from + i })) : said;
  });
  return backwards.reverse().flat();
}

/** Within the minute nothing is known of the order: behind the prompt, wherever in it that was. */
const LATE = 59_000;

function readAssistant(
  turns: Turn[],
  blocks: readonly JsonObject[],
  { id, skipped }: { id: string; skipped: Skipped },
): void {
  const turn = turns.at(-1) ?? { at: undefined, said: [], tools: [] };
  if (turns.length === 0) turns.push(turn);
  for (const [i, block] of blocks.entries()) {
    if (block.type === 'tool_use') {
      const text = mayWrite(block);
      if (text !== undefined) turn.tools.push({ id: `${id}/${i}`, text });
    } else if (block.type === 'text') {
      const text = textOf(block.text)?.replace(/\s*\[REDACTED\]\s*$/, '') ?? '';
      const at = (turn.at ?? 0) + LATE + Math.min(turn.said.length, 999);
      if (text.trim() !== '') turn.said.push({ kind: 'message', id: `${id}/${i}`, at, text });
    } else if (block.type !== 'thinking') skip(skipped, `block ${textOf(block.type) ?? 'of no type'}`);
  }
}

const EDITORS = new Set(['Write', 'StrReplace', 'MultiEdit', 'Delete', 'ApplyPatch', 'EditNotebook']);

/** What a call was to do, where that may have changed files. */
function mayWrite({ name, input }: JsonObject): string | undefined {
  const tool = textOf(name) ?? '';
  const { command, path } = objectOf(input) ?? {};
  if (tool === 'Shell') return textOf(command);
  return EDITORS.has(tool) ? `${tool} ${textOf(path) ?? ''}`.trim() : undefined;
}

/** A line is written before the tool has run. */
const GRACE = 60_000;

/** Calls as commands of which no snapshot tells: they ran between their question and the next one. */
function unproven(turns: readonly Turn[], modified: number): Command[] {
  return turns.flatMap(({ at = 0, tools }, i) => {
    const next = turns.slice(i + 1).find((turn) => turn.at !== undefined)?.at ?? modified;
    const times = { startedAt: at, endedAt: Math.max(at, next) + GRACE };
    return tools.map(({ id, text }) => ({ event: id, command: text, ...times, background: false }));
  });
}

function isHooked({ path, worktrees, read }: TranscriptFile): boolean {
  const home = /^(.*[\\/]\.cursor)[\\/]projects[\\/]/.exec(path)?.[1];
  const folders = [...(home === undefined ? [] : [home]), ...worktrees.map((tree) => `${tree}/.cursor`)];
  return folders.some((folder) => read(`${folder}/hooks.json`)?.includes('agent-hook'));
}

/** The folder's name has lost its slashes: it is the work tree's own, or a tool names a file in the work tree. */
function worktreeOf({ path, worktrees }: TranscriptFile, turns: readonly Turn[]): string | undefined {
  const project = encoded(projectIn(path) ?? '');
  const named = (tree: string) => turns.some(({ tools }) => tools.some(({ text }) => text.includes(`${tree}/`)));
  return worktrees.find((tree) => encoded(tree) === project) ?? worktrees.find(named);
}
