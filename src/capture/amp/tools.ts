import type { JsonObject } from '../../json.ts';
import { countOf, defined, listOf, objectOf, textOf } from '../fields.ts';
import { patchEdits } from '../patch-edits.ts';
import type { Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import { parseUnified } from '../unified.ts';
import { filePath } from './uri.ts';

/** What became of a call: `{status, result, trackFiles}`. */
export interface Result {
  readonly at: number;
  readonly run: JsonObject;
}

const UNTOLD: Change = { kind: 'replace', pairs: [] };
const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  Read: 'read',
  Grep: 'search',
  glob: 'search',
  finder: 'search',
  read_web_page: 'fetch',
  web_search: 'fetch',
};

export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const shell = name === 'Bash' || name === 'shell_command';
  const command = shell ? (textOf(input.cmd) ?? textOf(input.command)) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    cwd: (shell ? (textOf(input.cwd) ?? textOf(input.workdir)) : undefined) ?? call.cwd,
    end: result && endOf(result, command !== undefined),
    edits: editsOf(name, input, result?.run ?? {}),
    command: command === undefined ? undefined : { text: command },
    does: LOOKS[name],
  });
}

/** Only `done` has done what was asked; a command that was stopped may have done something. */
function endOf({ at, run }: Result, isCommand: boolean): CallEnd | undefined {
  const result = objectOf(run.result);
  const text = textOf(result?.output) ?? textOf(result?.diff) ?? textOf(run.result);
  switch (run.status) {
    case 'done':
      return defined({
        at,
        outcome: 'done' as const,
        text,
        exitCode: isCommand ? countOf(result?.exitCode) : undefined,
      });
    case 'error':
    case 'cancelled':
      return defined({ at, outcome: 'failed' as const, text });
    case 'rejected-by-user':
      return { at, outcome: 'refused' };
    default:
      return undefined;
  }
}

function editsOf(name: string, input: JsonObject, run: JsonObject): ToldEdit[] | undefined {
  const path = textOf(input.path) ?? textOf(input.file_path);
  switch (name) {
    case 'create_file':
    case 'edit_file':
    case 'Write':
    case 'Edit':
    case 'undo_edit':
      return path ? [{ path, change: changeOf(input, run) ?? UNTOLD }] : [];
    case 'apply_patch':
      return patchEdits(textOf(input.patchText) ?? textOf(input.input));
    case 'Task':
      // what a sub-agent did is not in the thread; perhaps where it did it
      return listOf(run.trackFiles)
        .flatMap((uri) => filePath(uri) ?? [])
        .map((file) => ({ path: file, change: UNTOLD }));
    default:
      return undefined;
  }
}

/** An edit that went well shows its diff. */
function changeOf(input: JsonObject, run: JsonObject): Change | undefined {
  const hunks = parseUnified(textOf(objectOf(run.result)?.diff) ?? '');
  const [content, old, fresh] = [textOf(input.content), textOf(input.old_str), textOf(input.new_str)];
  if (content !== undefined && !hunks?.[0]?.oldLines) return { kind: 'write', after: content };
  if (hunks) return { kind: 'hunks', hunks };
  if (!old || fresh === undefined) return undefined;
  return { kind: 'replace', pairs: [{ old, new: fresh, all: input.replace_all === true }] };
}
