import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { modelsDevId } from '../models-dev.ts';
import { isContent, toldTime } from '../plugin-fields.ts';
import type { Captured, Change } from '../session.ts';
import type { Step } from '../tale.ts';
import { callOf, contentText, type Result } from './tools.ts';
import { promptId } from './transcript.ts';

/** What our extension tells (`plugin.ts`); `at` is when the hook was called. */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const steps = stepsOf(fields, fact.at);
  return assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name: 'pi' },
      cwd: textOf(fields.cwd),
      transcript: textOf(fields.transcript_path),
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
      const [id, text] = [promptId(fields.timestamp), contentText(fields.content)];
      return id === undefined || text.trim() === '' ? [] : [{ kind: 'prompt', id, at, text }];
    }
    case 'tool_call':
      return callSteps(fields, now);
    case 'tool_result': {
      const result = {
        at: textOf(fields.file_path) === undefined ? now : at,
        error: fields.is_error !== false,
        content: fields.content,
        details: objectOf(fields.details) ?? {},
        ...fullOf(fields),
      };
      return callSteps(fields, toldTime(fields.began, result.at), result);
    }
    case 'agent_end':
      return [];
    default:
      return undefined;
  }
}

function callSteps(fields: JsonObject, at: number, result?: Result): Step[] | undefined {
  const [id, name, input] = [plainId(fields.tool_call_id), textOf(fields.tool_name), objectOf(fields.tool_input)];
  if (id === undefined || !name || !input) return undefined;
  const model = modelsDevId(textOf(fields.provider), textOf(fields.model));
  const path = textOf(fields.file_path);
  const whole = path === undefined ? input : { ...input, path };
  return [callOf(defined({ id, at, name, input: whole, cwd: textOf(fields.cwd), model }), result)];
}

function fullOf({ before, after }: JsonObject): { readonly full?: Change } {
  if (!isContent(before) || !isContent(after)) return {};
  return { full: { kind: 'full', before, after } };
}
