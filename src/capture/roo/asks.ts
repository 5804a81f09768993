import { countOf, listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import type { Hunk } from '../session.ts';
import { parseUnified } from '../unified.ts';

/** The person was shown what would become of a file, or what would be run, and asked. */
export interface Ask {
  readonly at: number;
  /** The file, or the command. */
  readonly about: string;
  readonly hunks?: readonly Hunk[] | undefined;
}

const EDITS = new Set('appliedDiff editedExistingFile newFileCreated insertContent searchAndReplace'.split(' '));

/** The questions in `ui_messages.json`. */
export function asksIn(ui: unknown): Ask[] {
  return listOf(ui).flatMap((value): Ask[] => {
    const item = objectOf(value) ?? {};
    const [at, text] = [countOf(item.ts), textOf(item.text)];
    if (at === undefined || text === undefined || item.partial === true) return [];
    if (item.ask === 'command') return [{ at, about: text }];
    const shown = item.ask === 'tool' ? objectOf(parseJsonFile(text)) : undefined;
    const path = textOf(shown?.path);
    if (!shown || !path || !EDITS.has(textOf(shown.tool) ?? '')) return [];
    return [{ at, about: path, hunks: diffIn(shown.content) ?? diffIn(shown.diff) }];
  });
}

/** Some versions show the diff where others show the file. */
function diffIn(value: unknown): Hunk[] | undefined {
  const text = textOf(value) ?? '';
  return /^(?:@@ |--- )/.test(text) ? parseUnified(text) : undefined;
}

/** The question about a file or a command between two moments. Each is asked once: it is taken out. */
export function takeAsk(
  asks: Ask[],
  about: string,
  { from, to }: { readonly from: number; readonly to: number },
): Ask | undefined {
  const same = (one: string) => one.replace(/\\/g, '/').replace(/^\.\//, '').trim();
  const found = asks.findIndex((ask) => ask.at >= from && ask.at <= to && same(ask.about) === same(about));
  return found < 0 ? undefined : asks.splice(found, 1)[0];
}
