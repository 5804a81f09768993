/**
 * Text that is HTML already. Only `html` makes it, and `html` escapes whatever else it is given: a name in a report can be anything, and none
 * gets out of the text or the quoted attribute it stands in.
 */
export interface Markup {
  readonly markup: string;
}

export type Part = string | number | Markup | readonly Markup[] | undefined;

/** Attributes are always in double quotes. Line breaks are ours, for the eye: nothing between elements, a blank elsewhere. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = '';
  tight(strings).forEach((text, i) => {
    markup += text + printPart(parts[i]);
  });
  return { markup };
}

export function joined(parts: readonly Markup[], between = ''): Markup {
  return { markup: parts.map(({ markup }) => markup).join(between) };
}

function printPart(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(visible(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : joined(part).markup;
}

const TIGHT = new WeakMap<TemplateStringsArray, readonly string[]>();

function tight(strings: TemplateStringsArray): readonly string[] {
  const known = TIGHT.get(strings);
  if (known) return known;
  const made = strings.map((text) => text.replace(/(^|>)\n\s*(?=<|$)/g, '$1').replace(/\n\s*/g, ' '));
  TIGHT.set(strings, made);
  return made;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

// controls, what turns the direction of text, what cannot be seen at all, halves of characters
const RISKY =
  /[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Nothing left out: what would act on the page instead of being read is shown as `<U+202E>`. */
export function visible(text: string): string {
  return text.replace(RISKY, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Names of any length are allowed; a page is not. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** A name from outside, apart from the direction of the text around it. */
export function name(text: string, most = 120): Markup {
  return html`<bdi>${cut(text, most)}</bdi>`;
}
