import type { JsonObject } from '../../json.ts';
import { defined, listOf, objectOf, textOf } from '../fields.ts';
import type { Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import { parseUnified } from '../unified.ts';

/** What became of a call, as a transcript's line or an event of Pi has it. */
export interface Result {
  readonly at: number;
  readonly error: boolean;
  readonly content: unknown;
  readonly details: JsonObject;
  /** The file before and after, as our extension read it; absent: it could not. */
  readonly full?: Change;
}

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const command = name === 'bash' || name === 'powershell' ? textOf(input.command) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(command !== undefined, result),
    edits: editsOf(name, input, result),
    command: command === undefined ? undefined : { text: command },
    does: LOOKS[name],
  });
}

const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = { read: 'read', grep: 'search', find: 'search' };

function endOf(isCommand: boolean, { at, error, content }: Result): CallEnd {
  const text = contentText(content);
  if (!isCommand) return { at, outcome: error ? 'failed' : 'done', text };
  // Pi has the code only in words
  const code = error ? /Command exited with code (\d{1,9})\s*$/.exec(text)?.[1] : '0';
  return defined({
    at,
    outcome: error && code === undefined ? ('failed' as const) : ('done' as const),
    text,
    exitCode: code === undefined ? undefined : Number(code),
  });
}

function editsOf(name: string, input: JsonObject, result: Result | undefined): ToldEdit[] | undefined {
  if (name !== 'edit' && name !== 'write') return undefined;
  // models write @path, as people do; Pi takes the sign off
  const path = textOf(input.path)?.replace(/^@/, '');
  const change = result && (result.full ?? (name === 'write' ? writeOf(input) : replaceOf(input, result.details)));
  return path && change ? [{ path, change }] : [];
}

function writeOf(input: JsonObject): Change | undefined {
  const after = textOf(input.content);
  return after === undefined ? undefined : { kind: 'write', after };
}

/** Newer versions have a unified diff beside the one they show. */
function replaceOf(input: JsonObject, details: JsonObject): Change | undefined {
  const hunks = parseUnified(textOf(details.patch) ?? '');
  if (hunks) return { kind: 'hunks', hunks };
  const edits = input.edits === undefined ? [input] : listOf(input.edits);
  const pairs = edits.flatMap((value) => {
    const edit = objectOf(value);
    const [old, text] = [textOf(edit?.oldText), textOf(edit?.newText)];
    return old === undefined || text === undefined ? [] : [{ old, new: text, all: false }];
  });
  return pairs.length > 0 && pairs.length === edits.length ? { kind: 'replace', pairs } : undefined;
}

/** Texts of a message, or of a result; pictures have none. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((block) => textOf(objectOf(block)?.text) ?? [])
    .join('\n');
}
