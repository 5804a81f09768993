import type { JsonObject } from '../../json.ts';
import { defined, listOf, objectOf, textOf } from '../fields.ts';
import { isServerTool, serverCommand } from '../server-tool.ts';
import type { Command } from '../session.ts';
import { editorExitCode, editorTool } from './editor-tools.ts';

/** One tool call, from a transcript's pair of lines or from a hook's payload. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly at: number;
  readonly cwd?: string;
  readonly model?: string;
  readonly properties: JsonObject;
  /** The editor did it: `editor-tools.ts`. */
  readonly byEditor?: boolean;
  readonly result?: ToolResult;
}

export interface ToolResult {
  readonly at: number;
  readonly outcome: Outcome;
  /** What the model was told. */
  readonly text: string;
  /** The structured result, where there is one. */
  readonly data: JsonObject;
}

/** `invalid`: the call never ran, its input or its moment was wrong. The others say who did not let it run. */
export type Outcome = 'done' | 'failed' | 'invalid' | 'user' | 'policy' | 'system';

const EDITS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const SHELLS = new Set(['Bash', 'PowerShell']);
/** Task was renamed Agent. */
const DELEGATES = new Set(['Agent', 'Task']);

export const isEditTool = (name: string) => EDITS.has(name);
export const isShellTool = (name: string) => SHELLS.has(name);
export const isDelegation = (name: string) => DELEGATES.has(name);

const DENIALS: readonly (readonly [RegExp, Outcome])[] = [
  [/^The user doesn't want to (?:proceed|take this action)/, 'user'],
  [/^\[Request interrupted by user for tool use\]/, 'user'],
  [/^Permission to use .{1,200} has been denied|^Claude requested permissions? to /s, 'policy'],
  [/^PreToolUse:\S* hook error|^Hook PreToolUse/, 'policy'],
  [/^<tool_use_error>/, 'invalid'],
];

/** What became of a call. `said` is the text of its result, `data` the structured result, which is a string where it failed. */
export function outcomeOf(
  name: string,
  said: { error: unknown; text: string; data: unknown; denial?: unknown },
): Outcome {
  if (said.denial === 'user-rejected') return 'user';
  if (said.denial === 'permission-rule') return 'policy';
  if (typeof said.denial === 'string') return 'system';
  const failed = said.error === true || (said.error !== false && isFailureText(name, said.data));
  if (!failed) return textOf(objectOf(said.data)?.error) ? 'failed' : 'done';
  return DENIALS.find(([pattern]) => pattern.test(said.text))?.[1] ?? 'failed';
}

function isFailureText(name: string, data: unknown): boolean {
  // other tools may answer with a plain text
  return typeof data === 'string' && (isEditTool(name) || isShellTool(name) || data.startsWith('Error'));
}

/** The text of a result's content: a string, or blocks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => textOf(objectOf(block)?.text))
    .filter((text) => text !== undefined)
    .join('\n');
}

export const ranAtAll = (outcome: Outcome | undefined) =>
  outcome === undefined || outcome === 'done' || outcome === 'failed';

export function isBackground(call: ToolCall): boolean {
  return call.input.run_in_background === true || typeof call.result?.data.backgroundTaskId === 'string';
}

/** What a failed shell call's text begins with; a call that went on in the background has no code yet. */
export function exitCodeOf(call: ToolCall): number | undefined {
  const { result } = call;
  if (!result || isBackground(call)) return undefined;
  if (call.byEditor) return editorExitCode(result.text);
  const code = /^(?:Error: )?Exit code (\d{1,9})\b/.exec(result.text)?.[1];
  if (result.outcome === 'failed') return code === undefined ? undefined : Number(code);
  // `returnCodeInterpretation`: not 0, and not a failure either (grep without a match)
  const plain = result.outcome === 'done' && !result.data.returnCodeInterpretation && result.data.interrupted !== true;
  return plain ? 0 : undefined;
}

/** What may have written files: a shell's command, or the call of a tool that is not Claude Code's own. */
function wordsOf({ name, input }: ToolCall): string | undefined {
  if (isServerTool(name) && editorTool(name) === undefined) return serverCommand(name, input);
  return isShellTool(name) ? textOf(input.command) : undefined;
}

export function commandOf(call: ToolCall): Command | undefined {
  const command = wordsOf(call);
  if (command === undefined) return undefined;
  const background = isBackground(call);
  const refused = !ranAtAll(call.result?.outcome);
  return defined({
    event: call.id,
    command,
    cwd: call.cwd,
    startedAt: call.at,
    // the call returned, the command may go on
    endedAt: background ? undefined : call.result?.at,
    background,
    model: call.model,
    refused: refused || undefined,
    exitCode: exitCodeOf(call),
  });
}
