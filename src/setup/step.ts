import { createHash } from 'node:crypto';

/** How a text became another: at one place some of it went, and some came. Texts are latin1, one character for each byte. */
export interface Step {
  readonly at: number;
  readonly added: number;
  readonly removed: string;
}

/** The shortest one: what both begin and end with is not in it. */
export function stepBetween(before: string, after: string): Step {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at++;
  let same = 0;
  while (same < shorter - at && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { at, added: after.length - at - same, removed: before.slice(at, before.length - same) };
}

export function undoStep(text: string, { at, added, removed }: Step): string {
  return text.slice(0, at) + removed + text.slice(at + added);
}

/** By this a text is known again that is not kept. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}
