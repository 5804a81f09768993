import type { JsonObject } from '../../json.ts';
import { countOf, defined, objectOf, textOf } from '../fields.ts';
import { partsOf, type Ran } from '../gemini-family.ts';
import type { CallEnd } from '../tale.ts';

/** How a call ended, by the transcript's line for it. In a sub-agent's only the words for the model are there: an output, or an error. */
export function resultOf({ message, toolCallResult }: JsonObject, at: number): { id: unknown; ran: Ran } {
  const parts = partsOf(objectOf(message)?.parts);
  const answer = parts.map((part) => objectOf(part.functionResponse)).find((one) => one !== undefined);
  const response = objectOf(answer?.response) ?? {};
  const result = objectOf(toolCallResult) ?? {};
  const text = textOf(response.output) ?? textOf(response.error);
  const outcome = outcomeOf(result, response);
  const exitCode = countOf(objectOf(result.resultDisplay)?.exitCode);
  return {
    id: result.callId ?? answer?.id,
    ran: { end: defined({ at, outcome, text, exitCode }), display: result.resultDisplay },
  };
}

/** A shell command that failed is an error, and has run all the same. What does not say that it went well did not. */
function outcomeOf(result: JsonObject, response: JsonObject): CallEnd['outcome'] {
  const { status, errorType, executionStatus } = result;
  if (errorType === 'execution_denied') return 'refused';
  if (executionStatus === 'not_started') return status === 'cancelled' ? 'refused' : 'invalid';
  // Qwen looks into commands, too: `sed -i` may be refused for a file that was not read
  if (typeof errorType === 'string' && errorType.startsWith('edit_')) return 'invalid';
  if (status === 'success') return 'done';
  return status === undefined && 'output' in response && !('error' in response) ? 'done' : 'failed';
}
