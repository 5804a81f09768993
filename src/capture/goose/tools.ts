import type { JsonObject } from '../../json.ts';
import { countOf, defined, listOf, objectOf, textOf } from '../fields.ts';
import type { Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';

/** The answer to a call: `{status, value: {content, isError, structuredContent}}`, older: `value` is the content. */
export interface Result {
  readonly at: number;
  readonly stored: number;
  readonly result: JsonObject;
}

const UNTOLD: Change = { kind: 'replace', pairs: [] };

/** Tools of the extension `developer`, which versions before 1.25 name with it. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd'>, result?: Result): Call {
  const { input } = call;
  const name = call.name.replace(/^developer__/, '');
  const command = name === 'shell' ? textOf(input.command) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(result, command !== undefined),
    edits: editsOf(name, input, result ? textIn(result) : ''),
    command: command === undefined ? undefined : { text: command },
  });
}

function endOf(result: Result, isCommand: boolean): CallEnd {
  const value = objectOf(result.result.value);
  // what does not say that it went well did not
  const good = Array.isArray(result.result.value) || (value && (value.isError ?? false) === false);
  const bad = result.result.status !== 'success' || !good;
  const text = textIn(result);
  if (!isCommand) return { at: result.at, outcome: bad ? 'failed' : 'done', text };
  const exitCode = countOf(objectOf(value?.structuredContent)?.exit_code);
  return defined({
    at: result.stored,
    outcome: bad && exitCode === undefined ? ('failed' as const) : ('done' as const),
    text,
    exitCode,
  });
}

/** What the model was shown stands first, before what the person was. */
function textIn({ result }: Result): string {
  const content = Array.isArray(result.value) ? result.value : listOf(objectOf(result.value)?.content);
  return content.flatMap((block) => textOf(objectOf(block)?.text) ?? [])[0] ?? textOf(result.error) ?? '';
}

function editsOf(name: string, input: JsonObject, told: string): ToldEdit[] | undefined {
  if (name !== 'write' && name !== 'edit' && !(name === 'text_editor' && input.command !== 'view')) return undefined;
  const path = textOf(input.path);
  return path
    ? [{ path, change: (name === 'text_editor' ? editorChange(input, told) : changeOf(name, input, told)) ?? UNTOLD }]
    : [];
}

function changeOf(name: string, input: JsonObject, told: string): Change | undefined {
  const [content, before, after] = [textOf(input.content), textOf(input.before), textOf(input.after)];
  if (name === 'write') return content === undefined ? undefined : wrote(content, told.startsWith('Created '));
  return before && after !== undefined
    ? { kind: 'replace', pairs: [{ old: before, new: after, all: false }] }
    : undefined;
}

function wrote(after: string, created: boolean): Change {
  return created ? { kind: 'full', before: null, after } : { kind: 'write', after };
}

/** The editor of versions before 1.25. A model of its own that it may ask to edit does as it pleases; so does its reading of diffs. */
function editorChange(input: JsonObject, told: string): Change | undefined {
  const [text, old, fresh] = [textOf(input.file_text), textOf(input.old_str), textOf(input.new_str)];
  switch (input.command) {
    case 'write':
      return text === undefined ? undefined : wrote(text.endsWith('\n') ? text : `${text}\n`, false);
    case 'str_replace': {
      const plain =
        old && fresh !== undefined && textOf(input.diff) === undefined && !told.startsWith('Successfully edited');
      return plain ? { kind: 'replace', pairs: [{ old, new: fresh, all: false }] } : undefined;
    }
    case 'insert':
      return fresh === undefined ? undefined : inserted(countOf(input.insert_line), fresh);
    default:
      return undefined;
  }
}

/** Behind that line. From the end it is counted with numbers below zero: then where it is nobody tells. */
function inserted(line: number | undefined, text: string): Change | undefined {
  if (line === undefined) return undefined;
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const place = { oldStart: line, oldLines: 0, newStart: line + 1, newLines: lines.length };
  return { kind: 'hunks', hunks: [{ ...place, lines: lines.map((one) => `+${one}`) }] };
}
