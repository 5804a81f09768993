import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { isContent, toldTime } from '../plugin-fields.ts';
import type { Captured } from '../session.ts';
import type { Step } from '../tale.ts';
import { callId } from './call-id.ts';
import { modelOf } from './model.ts';
import { promptText } from './prompt.ts';
import { callOf, type FileTexts, type Result } from './tools.ts';
import { folderOf } from './transcript.ts';

/** What our plug-in tells (`plugin.ts`); `at` is when the hook was called. */
export function decodeHook(name: string, payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const steps = stepsOf(fields, fact.at);
  return assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name },
      cwd: textOf(fields.directory),
      endedAt: fact.at,
      steps: steps ?? [],
      skipped: steps ? {} : { [`hook ${textOf(fields.hook)?.slice(0, 40) ?? 'none'}`]: 1 },
    }),
  );
}

function stepsOf(fields: JsonObject, now: number): Step[] | undefined {
  const at = toldTime(fields.at, now);
  switch (fields.hook) {
    case 'prompt': {
      const id = plainId(fields.message_id);
      const text = promptText(listOf(fields.parts).map((part) => objectOf(part) ?? {}));
      return id === undefined || text === undefined ? [] : [{ kind: 'prompt', id, at, text }];
    }
    case 'before':
      return callSteps(fields, now);
    // the snapshot is of when the hook was called
    case 'after':
      return callSteps(fields, toldTime(fields.began, now), resultOf(fields, now));
    case 'edit':
      return callSteps(fields, toldTime(fields.began, at), resultOf(fields, at));
    case 'idle':
      return [];
    default:
      return undefined;
  }
}

function callSteps(fields: JsonObject, at: number, result?: Result): Step[] | undefined {
  const [session, call, name] = [textOf(fields.session_id), textOf(fields.call_id), textOf(fields.tool_name)];
  const input = objectOf(fields.tool_input);
  if (!session || !call || !name || !input) return undefined;
  const model = modelOf(textOf(fields.provider), textOf(fields.model));
  const cwd = folderOf(input, textOf(fields.directory));
  return [callOf(defined({ id: callId(session, call), at, name, input, cwd, model }), result)];
}

function resultOf(fields: JsonObject, at: number): Result {
  const error = textOf(fields.error);
  const files = listOf(fields.files).flatMap((file) => textsOf(file) ?? []);
  return {
    at,
    error: error !== undefined,
    text: error ?? textOf(fields.output) ?? '',
    metadata: objectOf(fields.metadata) ?? {},
    ...(files.length > 0 && { files }),
  };
}

function textsOf(value: unknown): FileTexts | undefined {
  const file = objectOf(value);
  const path = textOf(file?.path);
  if (!path || !isContent(file?.before) || !isContent(file?.after)) return undefined;
  return { path, before: file.before, after: file.after };
}
