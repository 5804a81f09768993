import { defined } from '../fields.ts';
import { serverCommand } from '../server-tool.ts';
import type { Call, CallEnd } from '../tale.ts';
import type { CallDraft } from './events.ts';
import { commandOf, doesOf, editsOf, exitCodeIn } from './tools.ts';

/** A call with what it did. `model`: its models.dev id, where it is certain. */
export function callOf(draft: CallDraft, model: string | undefined): Call {
  const { id, at, name, input, cwd, shown } = draft;
  const base = defined({ kind: 'call' as const, id, at, name, input, cwd, model });
  const asked = commandOf(name, input);
  if (asked) return { ...base, ...shellOf(asked, draft.end) };
  const edits = editsOf(defined({ name, input, cwd, shown })) ?? (draft.changed ? [] : undefined);
  const end = draft.end && (edits ? editEnd(draft.end, edits.length > 0) : draft.end);
  const partly = end?.outcome === 'done' && judge(end.text) === 'partly';
  const server = isForeign(name) ? serverCommand(`mcp__${name}`, input) : undefined;
  return defined({ ...base, end, edits: edits && partly ? [] : edits, server, does: doesOf(name) });
}

/** `SERVER-TOOL`: no tool of its own has that sign in its name. VS Code's `mcp_SERVER_TOOL` is known everywhere. */
function isForeign(name: string): boolean {
  return name.includes('-');
}

/** Without an exit code the call has returned and the command goes on. */
function shellOf(asked: NonNullable<Call['command']>, end: CallEnd | undefined): Pick<Call, 'command' | 'end'> {
  if (!end) return { command: asked };
  const exitCode = end.exitCode ?? exitCodeIn(end.text);
  const runs = end.outcome === 'done' && exitCode === undefined && /\bbackground\b|still running/i.test(end.text ?? '');
  return {
    command: { ...asked, background: asked.background === true || runs },
    end: defined({ ...end, exitCode }),
  };
}

/** VS Code's edit tools do not fail: they answer that they did. */
function editEnd(end: CallEnd, told: boolean): CallEnd {
  return end.outcome === 'done' && told && judge(end.text) === 'failed' ? { ...end, outcome: 'failed' } : end;
}

const GOOD = /were successfully edited|was applied successfully|^File created at /m;
const BAD =
  /String replacement failed|patch failed|Failed to apply|error applying your original patch|conflicts with another replacement|^File does not exist/m;

/** What the answer of an edit tool of VS Code says; a corrected edit is not what was asked for. */
export function judge(text: string | undefined): 'done' | 'partly' | 'failed' | undefined {
  const [good, bad] = [GOOD.test(text ?? ''), BAD.test(text ?? '')];
  if (good) return bad ? 'partly' : 'done';
  return bad ? 'failed' : undefined;
}
