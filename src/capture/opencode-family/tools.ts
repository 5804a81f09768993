import type { JsonObject } from '../../json.ts';
import { countOf, defined, textOf } from '../fields.ts';
import { serverCommand } from '../server-tool.ts';
import type { CapturedText } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import { isEditor, toldEdits } from './edits.ts';

/** What became of a call, as a part of the transcript or our plug-in has it. */
export interface Result {
  readonly at: number;
  readonly text: string;
  readonly error: boolean;
  readonly metadata: JsonObject;
  /** Files before and after, as our plug-in read them; absent: it could not. */
  readonly files?: readonly FileTexts[];
}

export interface FileTexts {
  readonly path: string;
  readonly before: CapturedText;
  readonly after: CapturedText;
}

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(name, result),
    edits: isEditor(name) ? editsOf(name, input, result) : undefined,
    command: commandOf(name, input),
    server: isForeign(name) ? serverCommand(`mcp__${name}`, input) : undefined,
    does: LOOKS[name],
  });
}

const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  read: 'read',
  grep: 'search',
  glob: 'search',
  webfetch: 'fetch',
};

/** `SERVER_TOOL`: no other name has that sign in it, but for some of the agent's own. */
function isForeign(name: string): boolean {
  return name.includes('_') && !OWN.has(name);
}

const OWN = new Set(['apply_patch', 'background_process', 'plan_enter', 'plan_exit']);

/** Kilo has a second tool, for what is to go on. */
function commandOf(name: string, input: JsonObject): Call['command'] {
  const text = textOf(input.command);
  if (text === undefined) return undefined;
  if (name === 'bash') return { text };
  if (name !== 'background_process') return undefined;
  return input.action === 'start' || input.action === 'monitor' ? { text, background: true } : undefined;
}

const REFUSED = /^The user (?:rejected permission|has specified a rule)/;
const INVALID = /^The \S+ tool was called with invalid arguments/;

function endOf(name: string, { at, text, error, metadata }: Result): CallEnd {
  const failed = REFUSED.test(text) ? 'refused' : INVALID.test(text) ? 'invalid' : 'failed';
  // what a call becomes that no tool can take
  const outcome = error ? failed : name === 'invalid' ? 'invalid' : 'done';
  return defined({ at, outcome, text, exitCode: name === 'bash' ? countOf(metadata.exit) : undefined });
}

/** Undefined: nothing was changed. */
function editsOf(name: string, input: JsonObject, result: Result | undefined): ToldEdit[] | undefined {
  if (!result?.files) return result ? toldEdits(name, input, result.metadata) : [];
  const changed = result.files.filter(({ before, after }) => before !== after);
  const edits = changed.map(({ path, before, after }) => ({
    path,
    change: { kind: 'full' as const, before, after },
  }));
  return edits.length > 0 ? edits : undefined;
}
