import type { JsonObject } from '../../json.ts';
import { textOf } from '../fields.ts';

/** What the person typed; undefined: nothing. Synthetic parts are the agent's own, such as the contents of a file that was attached. */
export function promptText(parts: readonly JsonObject[]): string | undefined {
  const typed = parts.filter(
    ({ type, synthetic, ignored }) => type === 'text' && synthetic !== true && ignored !== true,
  );
  const text = typed.flatMap((part) => textOf(part.text) ?? []).join('\n');
  return text.trim() === '' ? undefined : unquoted(text);
}

/** `run` puts an argument that has a space in it into quotes. */
function unquoted(text: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return inner?.includes(' ') ? inner.replaceAll('\\"', '"') : text;
}
