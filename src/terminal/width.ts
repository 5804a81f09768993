const ASCII = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u;
// East Asian Wide and Fullwidth (UAX 11), and what terminals draw as pictures
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

let segmenter: Intl.Segmenter | undefined;

/** The time that a segmenter takes grows with the square of its text: each segment carries all of it. */
const PIECE = 400;

/** What a person sees as one character: made only when a text is not plain ASCII, since making it takes milliseconds. */
function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (let from = 0; from < text.length; ) {
    // half of a pair would end the character that it goes on with
    const end = from + PIECE - (/[\ud800-\udbff]/.test(text.charAt(from + PIECE - 1)) ? 1 : 0);
    const found = [...segmenter.segment(text.slice(from, end))].map(({ segment }) => segment);
    // the last one may go on in the next piece
    if (end < text.length && found.length > 1) found.pop();
    for (const grapheme of found) {
      from += grapheme.length;
      yield grapheme;
    }
  }
}

function cells(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Names come again and again, in every line of a file: so many short texts are remembered. */
const KNOWN = 1000;
const SHORT = 100;
const known = new Map<string, number>();

/** How many cells of a terminal the text takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  const before = known.get(text);
  if (before !== undefined) return before;
  let width = 0;
  for (const grapheme of graphemes(text)) width += cells(grapheme);
  if (text.length <= SHORT && known.size < KNOWN) known.set(text, width);
  return width;
}

/** Spaces added up to `width` cells: after the text, or before it. */
export function pad(text: string, width: number, side: 'start' | 'end' = 'end'): string {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'end' ? text + room : room + text;
}

/** At most `width` cells, with `…` for what was cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += cells(grapheme);
    if (used > width - 1) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** One paragraph in lines of at most `width` cells, broken at spaces; a longer word keeps its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S)\s+(?=\S)/)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
