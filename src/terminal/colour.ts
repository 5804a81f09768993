export type When = 'always' | 'auto' | 'never';

export interface ColourQuestion {
  /** `--color`, which beats everything. */
  readonly asked: When | undefined;
  /** git's `color.ui`, as git config prints it. */
  readonly configured: string | undefined;
  readonly isTTY: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Git's own rules: the option, then color.ui, then NO_COLOR, then whether somebody looks: a terminal, or a pager that git started. */
export function wantsColour({ asked, configured, isTTY, env }: ColourQuestion): boolean {
  const when = asked ?? parseWhen(configured) ?? 'auto';
  if (when !== 'auto') return when === 'always';
  if (asked === undefined && (env.NO_COLOR ?? '') !== '') return false;
  const looked = isTTY || env.GIT_PAGER_IN_USE === 'true';
  return looked && env.TERM !== 'dumb' && env.TERM !== undefined;
}

/** Git's words for a colour setting; undefined for what is none. */
export function parseWhen(word: string | undefined): When | undefined {
  switch (word?.toLowerCase()) {
    case 'always':
      return 'always';
    case 'never':
    case 'false':
    case 'no':
    case 'off':
    case '0':
      return 'never';
    case 'auto':
    case 'true':
    case 'yes':
    case 'on':
    case '1':
    case '':
      return 'auto';
    default:
      return undefined;
  }
}

const SGR = { magenta: 35, green: 32, yellow: 33, dim: 2, bold: 1, cyan: 36, red: 31 } as const;
export type Colour = keyof typeof SGR;

/** Colours a piece of text, or leaves it. */
export type Paint = (colour: Colour, text: string) => string;

export function paintWith(colours: boolean): Paint {
  return colours ? (colour, text) => `\x1b[${SGR[colour]}m${text}\x1b[0m` : (_, text) => text;
}
