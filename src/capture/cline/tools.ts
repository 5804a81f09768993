import type { JsonObject } from '../../json.ts';
import { countOf, defined, listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { patchEdits } from '../patch-edits.ts';
import { serverCommand } from '../server-tool.ts';
import type { Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';

export interface Result {
  readonly at: number;
  /** What the tool answered; in transcripts some answers are JSON in a string. */
  readonly output: unknown;
  readonly error?: boolean;
}

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const answers = result ? answersOf(result.output) : [];
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(name, result, answers),
    edits: EDITORS.has(name) ? editsOf(name, input, answers) : undefined,
    command: name === 'run_commands' ? { text: commandsOf(input).join('\n') } : undefined,
    server: isForeign(name) ? serverCommand(`mcp__${name}`, input) : undefined,
    does: LOOKS[name],
  });
}

/** `SERVER__TOOL`: of an MCP server. */
export function isForeign(name: string): boolean {
  return name.includes('__');
}

const EDITORS = new Set(['editor', 'apply_patch']);
const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  search_codebase: 'search',
  fetch_web_content: 'fetch',
};

/** One to a command, a file or an edit: `{query, result, error?, success}`. */
function answersOf(output: unknown): JsonObject[] {
  const value = typeof output === 'string' ? parseJsonFile(output) : output;
  return (Array.isArray(value) ? value : [value]).map(objectOf).filter((one) => one !== undefined);
}

function endOf(name: string, { at, output, error }: Result, answers: readonly JsonObject[]): CallEnd {
  const texts = answers.flatMap(({ error: why, result }) => [textOf(why), textOf(result)].find(Boolean) ?? []);
  const text = answers.length > 0 ? texts.join('\n') : (textOf(output) ?? '');
  // the hook's own word for success is true whatever happened
  const good = answers.length > 0 && answers.every(({ success }) => success === true);
  if (name !== 'run_commands') {
    const failed = error === true || (EDITORS.has(name) ? !good : answers.some(({ success }) => success === false));
    return { at, outcome: failed ? 'failed' : 'done', text };
  }
  const ran = answers.length > 0 && error !== true;
  return defined({ at, outcome: ran ? ('done' as const) : ('failed' as const), text, exitCode: exitCode(answers) });
}

/** Of several commands, that of the first that failed. */
function exitCode(answers: readonly JsonObject[]): number | undefined {
  const failed = answers.find(({ success }) => success !== true);
  if (!failed) return answers.length > 0 ? 0 : undefined;
  const code = /\bexited with code (\d{1,9})\b/.exec(textOf(failed.error) ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Several run one after the other, between the same two snapshots. */
function commandsOf(input: JsonObject): string[] {
  const list = Array.isArray(input.commands) ? input.commands : [input.commands ?? input.command];
  return list.flatMap((value) => {
    const program = objectOf(value);
    if (!program) return textOf(value) ?? [];
    return [program.command, ...listOf(program.args)].flatMap((word) => textOf(word) ?? []).join(' ');
  });
}

function editsOf(name: string, input: JsonObject, answers: readonly JsonObject[]): ToldEdit[] {
  if (name === 'apply_patch') return patchEdits(textOf(input.input));
  const path = textOf(input.path);
  const change = changeOf(input, answers[0] ?? {});
  return path && change ? [{ path, change }] : [];
}

/** Without an old text it makes a file, and refuses where there is one; an old text must be there exactly once. */
function changeOf(input: JsonObject, answer: JsonObject): Change | undefined {
  const [old, text, line] = [textOf(input.old_text), textOf(input.new_text), countOf(Number(input.insert_line ?? NaN))];
  if (text === undefined) return undefined;
  if (line) return inserted(line, text.split(/\r?\n/));
  if (old) return { kind: 'replace', pairs: [{ old, new: text, all: false }] };
  const isNew = textOf(answer.result)?.startsWith('File created');
  return isNew ? { kind: 'full', before: null, after: text } : { kind: 'write', after: text };
}

/** Whole lines in front of that line. */
function inserted(line: number, lines: readonly string[]): Change {
  const place = { oldStart: line - 1, oldLines: 0, newStart: line, newLines: lines.length };
  return { kind: 'hunks', hunks: [{ ...place, lines: lines.map((one) => `+${one}`) }] };
}
