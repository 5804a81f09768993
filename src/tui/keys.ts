import type { Key } from 'ink';

const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  // what most terminals send for the key above enter
  ['delete', 'backspace'],
];

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
]);

/** The keys that Ink tells of: names for those that print nothing, else the character. What came fast comes in one piece. */
export function keysOf(input: string, key: Key): string[] {
  const named = NAMED.find(([name]) => key[name]);
  if (named) return [named[1]];
  if (key.ctrl) return input.length === 1 ? [`ctrl-${input}`] : [];
  if (key.meta) return [];
  return [...input].flatMap((character) => CHARACTERS.get(character) ?? printed(character) ?? []);
}

/** Ctrl and a letter are one of the first 26 control characters; the others are nobody's keys. */
function printed(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 1 && code <= 26) return `ctrl-${String.fromCharCode(code + 0x60)}`;
  return /[\x00-\x1f\x7f-\x9f]/.test(character) ? undefined : character;
}
