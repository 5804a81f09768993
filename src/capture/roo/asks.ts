import { countOf, listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import type { Hunk } from '../session.ts';
import { parseUnified } from '../unified.ts';

/** The person was shown what would become of a file, and asked. */
export interface Ask {
  readonly at: number;
  readonly path: string;
  readonly hunks: readonly Hunk[] | undefined;
}

const EDITS = new Set('appliedDiff editedExistingFile newFileCreated insertContent searchAndReplace'.split(' '));

/** The questions in `ui_messages.json`. */
export function asksIn(ui: unknown): Ask[] {
  return listOf(ui).flatMap((value) => {
    const item = objectOf(value);
    const at = countOf(item?.ts);
    const shown =
      item?.ask === 'tool' && item.partial !== true ? objectOf(parseJsonFile(textOf(item.text) ?? '')) : undefined;
    const path = textOf(shown?.path);
    if (!shown || at === undefined || !path || !EDITS.has(textOf(shown.tool) ?? '')) return [];
    return [{ at, path, hunks: diffIn(shown.content) ?? diffIn(shown.diff) }];
  });
}

/** Some versions show the diff where others show the file. */
function diffIn(value: unknown): Hunk[] | undefined {
  const text = textOf(value) ?? '';
  return /^(?:@@ |--- )/.test(text) ? parseUnified(text) : undefined;
}

/** The question about a file between two moments. Each is asked once: it is taken out. */
export function takeAsk(
  asks: Ask[],
  path: string,
  { from, to }: { readonly from: number; readonly to: number },
): Ask | undefined {
  const same = (one: string) => one.replace(/\\/g, '/').replace(/^\.\//, '');
  const found = asks.findIndex((ask) => ask.at >= from && ask.at <= to && same(ask.path) === same(path));
  return found < 0 ? undefined : asks.splice(found, 1)[0];
}
