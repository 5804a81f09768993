import type { JsonObject } from '../../json.ts';
import { defined, textOf } from '../fields.ts';
import { patchEdits } from '../patch-edits.ts';
import type { Change, Replacement } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';

export interface Result {
  readonly at: number;
  readonly text: string;
}

const EDITORS = new Set(['write_to_file', 'replace_in_file', 'new_rule', 'apply_patch']);
const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  read_file: 'read',
  search_files: 'search',
  web_fetch: 'fetch',
  web_search: 'fetch',
};

/** A call as it is told; what became of it stands in words. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const command = name === 'execute_command' ? textOf(input.command) : undefined;
  const goesOn = /still running in the user's terminal|running in the background/i.test(result?.text ?? '');
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(name, result),
    edits: EDITORS.has(name) ? editsOf(name, input, result?.text ?? '') : undefined,
    command: command === undefined ? undefined : { text: command, background: goesOn },
    does: LOOKS[name],
  });
}

function endOf(name: string, { at, text }: Result): CallEnd {
  if (/^(?:The user denied this operation|Tool \[\w+\] was not executed)/.test(text))
    return { at, outcome: 'refused', text };
  if (EDITORS.has(name)) return { at, outcome: SAVED.test(text) ? 'done' : 'failed', text };
  if (name !== 'execute_command')
    return { at, outcome: /^(?:The tool execution failed|Error)/.test(text) ? 'failed' : 'done', text };
  const code = /^Command (?:executed successfully \(exit code|failed with exit code|exited with code) ?(\d{1,9})/.exec(
    text,
  )?.[1];
  return defined({ at, outcome: 'done' as const, text, exitCode: code === undefined ? undefined : Number(code) });
}

const SAVED = /\bsuccessfully (?:saved to|applied)\b|^Successfully (?:created|applied|updated)/m;

function editsOf(name: string, input: JsonObject, told: string): ToldEdit[] {
  if (name === 'apply_patch') return patchEdits(textOf(input.input));
  const path = textOf(input.absolutePath) ?? textOf(input.path);
  if (!path) return [];
  const after = /<final_file_content path="[^"\n]*">\n([\s\S]*)\n<\/final_file_content>/.exec(told)?.[1];
  // a person changed the proposal before it was saved
  const userModified = told.startsWith('The user made the following updates');
  const change = changeOf(name, input, { after, touched: userModified || /auto-formatting/.test(told) });
  return change ? [defined({ path, change, userModified: userModified || undefined })] : [];
}

/** `touched`: what was saved is not all that was asked for. */
function changeOf(
  name: string,
  input: JsonObject,
  { after, touched }: { after: string | undefined; touched: boolean },
): Change | undefined {
  if (name !== 'replace_in_file') {
    const text = after ?? textOf(input.content);
    return text === undefined ? undefined : { kind: 'write', after: text };
  }
  const pairs = pairsOf(textOf(input.diff) ?? '');
  const before = after === undefined || touched ? undefined : undone(after, pairs);
  if (after !== undefined && before !== undefined) return { kind: 'full', before, after };
  return pairs.length > 0 ? { kind: 'replace', pairs } : undefined;
}

const BLOCK = /^[-<]{3,} ?SEARCH>?\r?\n([\s\S]*?)^={3,}\r?\n([\s\S]*?)^[+>]{3,} ?REPLACE>?[ \t]*$/gm;

function pairsOf(diff: string): Replacement[] {
  return [...diff.matchAll(BLOCK)].map(([, old = '', text = '']) => ({ old, new: text, all: false }));
}

/** The text before, where every new block stands exactly once in the text after. */
function undone(after: string, pairs: readonly Replacement[]): string | undefined {
  // the text that is shown has no last line end of its own
  let text = `${after}\n`;
  for (const { old, new: fresh } of [...pairs].reverse()) {
    const at = fresh.trim() === '' ? -1 : text.indexOf(fresh);
    if (at < 0 || old === '' || text.indexOf(fresh, at + 1) >= 0) return undefined;
    text = text.slice(0, at) + old + text.slice(at + fresh.length);
  }
  return pairs.length > 0 ? text.replace(/\n$/, '') : undefined;
}
