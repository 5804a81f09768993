/**
 * Whatever we print may have been written by somebody hostile: a terminal obeys what it is sent (titles, clipboards, moved cursors, text
 * shown backwards). Two ways out: `visible` keeps everything and shows it as letters, `plain` keeps what a person meant to say.
 */

// CSI, OSC and the other strings up to their end, then two-character escapes; C1 forms too
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]P_^X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RISKY = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Nearly every name: nothing in it to look for. */
const HARMLESS = /^[\x20-\x7e]*$/;

/** One line without escapes and control characters: for names, models, prompts. */
export function plain(text: string): string {
  const said = HARMLESS.test(text)
    ? text.trim()
    : text.replace(SEQUENCES, '').replace(CONTROLS, ' ').replace(DIRECTION, '').trim();
  const harmless = withoutOrders(said);
  return harmless.startsWith('::') ? `"${harmless}"` : harmless;
}

/** Runners of CI jobs obey `##[group]` and `##vso[task.setvariable]` wherever they stand, and `::warning` at the beginning of a line. */
function withoutOrders(text: string): string {
  return text.includes('##') ? text.replace(/##(?=\[|vso\[)/gi, '# #') : text;
}

/** The same for a text of several lines: line ends and tabs stay. */
export function plainLines(text: string): string[] {
  return text
    .replace(SEQUENCES, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) =>
      withoutOrders(line.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g, ' ').replace(DIRECTION, '')).trimEnd(),
    );
}

/** What we say ourselves, with names in it that others may have given. */
export function plainText(text: string): string {
  return plainLines(text).join('\n');
}

/** A line of a file with nothing left out: controls as `^[`, others as `<9b>` and `<U+202E>`; tabs stay. */
export function visible(text: string): string {
  return text.replace(RISKY, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
    if (code === 0x7f) return '^?';
    return code < 0x100 ? `<${code.toString(16)}>` : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
