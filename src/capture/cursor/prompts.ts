import { printOf } from '../print.ts';

const MINUTE = 60_000;

/**
 * Neither hook nor transcript has an id for a prompt: what was asked, and in which minute, is the same in both. The hook knows the
 * moment better; of the two the later time stays, which is the hook's.
 */
export function promptId(text: string, at: number): string {
  return `prompt-${printOf('prompt', text.trim())}-${Math.floor(at / MINUTE)}`;
}

/** What the person typed: the rest around it is Cursor's. */
export function typedText(text: string): string | undefined {
  const query = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/.exec(text)?.[1];
  const typed = query ?? (/^\s*</.test(text) ? '' : text);
  return typed.trim() === '' ? undefined : typed;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const STAMP =
  /<timestamp>\s*[A-Za-z]+, ([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d{2}) (AM|PM) \(UTC(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)/;

/** The minute that a text was sent in: `<timestamp>Friday, Jul 31, 2026, 5:10 PM (UTC-5)</timestamp>`. */
export function stampOf(text: string): number | undefined {
  const [, month = '', day, year, hour, minute, half, sign, hours, minutes] = STAMP.exec(text) ?? [];
  const index = MONTHS.indexOf(month);
  if (index < 0) return undefined;
  const shift = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const local = Date.UTC(
    Number(year),
    index,
    Number(day),
    (Number(hour) % 12) + (half === 'PM' ? 12 : 0),
    Number(minute),
  );
  const at = local - shift * MINUTE;
  return Number.isFinite(at) && at > 0 ? at : undefined;
}
