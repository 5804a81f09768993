import { type PatchedFile, parsePatch } from '../apply-patch.ts';
import { countOf, defined, objectOf, textOf } from '../fields.ts';
import { modelsDevId } from '../models-dev.ts';
import type { Call, CallEnd } from '../tale.ts';
import { type Answer, isApplied, parseAnswer } from './answers.ts';
import { patchChanges, toldChanges } from './changes.ts';
import type { Draft, ToldCall } from './draft.ts';
import { pathFrom, pathOf } from './paths.ts';
import { commandOf, commandText, hidesCommands, patchOf } from './shell.ts';

/** The call of that id, wherever it was first heard of. */
export function callAt(draft: Draft, id: string): ToldCall {
  const had = draft.calls.get(id);
  if (had) return had;
  const call: ToldCall = { id, cwd: draft.turn.cwd ?? draft.cwd, model: modelOf(draft), near: draft.askedAt };
  draft.calls.set(id, call);
  draft.steps.push(id);
  return call;
}

/** Turns name the model, the session or its settings the provider: only both together tell for certain which it is. */
export function modelOf({ turn }: Draft): string | undefined {
  return modelsDevId(turn.provider, turn.model);
}

/** A call with all that was told of it. */
export function stepOf(draft: Draft, id: string): Call | undefined {
  const call = draft.calls.get(id);
  if (!call) return undefined;
  if (call.item?.kind === 'patch') return patchStep(draft, call, call.item);
  if (call.item?.kind === 'command') return commandStep(call, call.item);
  return call.asked ? askedStep(draft, call, call.asked) : undefined;
}

type Item = NonNullable<ToldCall['item']>;
type Asked = NonNullable<ToldCall['asked']>;

function patchStep({ texts }: Draft, call: ToldCall, { fields, from, to }: Item): Call {
  const outcome = outcomeOf(fields.status, fields.success === true);
  return defined({
    ...baseOf(call, from),
    name: 'apply_patch',
    end: { at: to, outcome, text: textOf(fields.stdout) || (textOf(fields.stderr) ?? '') },
    edits: outcome === 'done' ? toldChanges(fields.changes, texts) : undefined,
  });
}

function outcomeOf(status: unknown, success: boolean): CallEnd['outcome'] {
  if (status === 'declined') return 'refused';
  return status === 'completed' || (success && status !== 'failed') ? 'done' : 'failed';
}

/** A process may be some time old when Codex first counts its time. */
const SLOW_START = 1000;

function commandStep(call: ToldCall, { fields, from, to }: Item): Call {
  const { asked } = call;
  const text = (asked && commandOf(asked)) ?? commandText(fields.command) ?? '';
  const began = from < to ? from : Math.max(to - lengthOf(fields.duration), 0);
  const code = fields.exit_code;
  const refused = fields.status === 'declined';
  return defined({
    ...baseOf(call, Math.min(began, Math.max(asked?.at ?? call.near ?? began, began - SLOW_START))),
    cwd: pathOf(fields.cwd) ?? call.cwd,
    command: { text },
    end: defined({
      at: to,
      outcome: refused ? ('refused' as const) : code === 0 ? ('done' as const) : ('failed' as const),
      text: textOf(fields.aggregated_output) ?? textOf(fields.stdout),
      exitCode: typeof code === 'number' && Number.isSafeInteger(code) ? code : undefined,
    }),
  });
}

function lengthOf(value: unknown): number {
  const duration = objectOf(value);
  return (countOf(duration?.secs) ?? 0) * 1000 + (countOf(duration?.nanos) ?? 0) / 1e6;
}

function baseOf({ id, cwd, model, asked }: ToldCall, at: number): Omit<Call, 'end'> {
  return defined({
    kind: 'call' as const,
    id,
    at: Math.floor(at),
    name: asked?.name ?? 'exec_command',
    input: asked?.input ?? {},
    cwd,
    model,
  });
}

/** Where Codex has no event of its own for it: the model's words, and what it was told. */
function askedStep(draft: Draft, call: ToldCall, asked: Asked): Call {
  const patch = patchOf(asked);
  const files = patch === undefined ? undefined : parsePatch(patch);
  const answer = call.answer && parseAnswer(call.answer.text);
  const isPatch =
    asked.name === 'apply_patch' || (files !== undefined && (!answer || isApplied(answer) || isUnfit(answer)));
  if (isPatch) return askedPatch(call, asked, { files, answer });
  const script = !draft.paginated && hidesCommands(asked.name, asked.input) ? textOf(asked.input.input) : undefined;
  const text = commandOf(asked) ?? script;
  return text === undefined ? plainStep(call, asked) : askedCommand(call, asked, { text, answer });
}

function isUnfit({ output }: Answer): boolean {
  return /^apply_patch verification failed|^patch rejected/.test(output);
}

function askedPatch(
  call: ToldCall,
  asked: Asked,
  { files, answer }: { files: PatchedFile[] | undefined; answer: Answer | undefined },
): Call {
  const base = { ...baseOf(call, asked.at), name: 'apply_patch' };
  if (!answer || !call.answer) return base;
  const applied = isApplied(answer);
  const folder = folderOf(call, asked);
  return defined({
    ...base,
    end: { at: call.answer.at, outcome: applied ? ('done' as const) : ('failed' as const), text: answer.output },
    // applied, and not to be read: then something was changed
    edits: applied ? patchChanges(files ?? [], folder) : undefined,
  });
}

function folderOf({ cwd }: ToldCall, { input }: Asked): string | undefined {
  const folder = textOf(input.workdir) ?? textOf(input.working_directory);
  return folder ? pathFrom(cwd, folder) : cwd;
}

function askedCommand(
  call: ToldCall,
  asked: Asked,
  { text, answer }: { text: string; answer: Answer | undefined },
): Call {
  const end = call.answer && answer && { at: call.answer.at, ...endOf(answer) };
  // somebody may have thought about it before it ran
  const began = end && answer.lasted !== undefined ? end.at - answer.lasted - SLOW_START : asked.at;
  return defined({
    ...baseOf(call, Math.max(began, asked.at)),
    cwd: folderOf(call, asked),
    command: { text, background: answer?.running !== undefined },
    end,
  });
}

function endOf({ output, exitCode, running }: Answer): Omit<CallEnd, 'at'> {
  if (/^(?:exec command )?rejected by user/i.test(output)) return { outcome: 'refused', text: output };
  const done = exitCode === 0 || running !== undefined;
  return { outcome: done ? 'done' : 'failed', text: output, ...(exitCode !== undefined && { exitCode }) };
}

function plainStep(call: ToldCall, asked: Asked): Call {
  const { answer } = call;
  const outcome = /^Script failed\b/.test(answer?.text ?? '') ? ('failed' as const) : ('done' as const);
  return defined({ ...baseOf(call, asked.at), end: answer && { at: answer.at, outcome, text: answer.text } });
}
