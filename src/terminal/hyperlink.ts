import type { When } from './colour.ts';

export interface HyperlinkQuestion {
  /** `--hyperlinks`, which beats everything. */
  readonly asked: When | undefined;
  readonly isTTY: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether OSC 8 links are printed: a terminal that does not know them may print them as rubbish, so only those known to are sent any. */
export function wantsHyperlinks({ asked = 'auto', isTTY, env }: HyperlinkQuestion): boolean {
  if (asked !== 'auto') return asked === 'always';
  return isTTY && env.TERM !== 'dumb' && knowsHyperlinks(env);
}

/** Terminals by what they set, and the first version with links (https://github.com/Alhadis/OSC8-Adoption). */
const PROGRAMS = new Map<string, readonly [major: number, minor: number]>([
  ['iTerm.app', [3, 1]],
  ['WezTerm', [0, 0]],
  ['vscode', [1, 72]],
  ['ghostty', [0, 0]],
  ['tmux', [3, 4]],
]);

function knowsHyperlinks(env: HyperlinkQuestion['env']): boolean {
  const program = PROGRAMS.get(env.TERM_PROGRAM ?? '');
  if (program) return isSince(env.TERM_PROGRAM_VERSION, program);
  // inside a multiplexer the terminal around it does not count
  if (env.TMUX || env.STY || /^(?:screen|tmux)/.test(env.TERM ?? '')) return false;
  if (env.WT_SESSION || env.TERM === 'xterm-kitty' || env.TERM === 'foot' || env.TERM === 'xterm-ghostty') return true;
  // 0.50 could crash; VTE writes 0.52.2 as 5202
  return Number(env.VTE_VERSION ?? 0) >= 5202;
}

function isSince(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [, a = '0', b = '0'] = /^(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? [];
  return Number(a) > major || (Number(a) === major && Number(b) >= minor);
}

/** Makes a text lead to an address where it can, or leaves it. */
export type Link = (text: string, address: string | undefined) => string;

export function linkWith(hyperlinks: boolean): Link {
  return (text, address) => {
    const safe = hyperlinks && address !== undefined ? webAddress(address) : undefined;
    return safe === undefined ? text : `\x1b]8;;${safe}\x1b\\${text}\x1b]8;;\x1b\\`;
  };
}

/** What terminals take. */
const LONGEST = 2083;

/** Only addresses of the web, and none that hides where it leads behind a name before an @. */
function webAddress(address: string): string | undefined {
  if (address.length > LONGEST || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { href, username, password } = new URL(address);
  return username === '' && password === '' && href.length <= LONGEST && /^[\x21-\x7e]+$/.test(href) ? href : undefined;
}

/**
 * A pager's command that is less with options, nothing else: `less`, `less -FRX`, `/usr/bin/less --RAW-CONTROL-CHARS`; or Debian's `pager`,
 * which most often is less.
 */
export function lessOptions(command: string): readonly string[] | undefined {
  const [program = '', ...options] = command.trim().split(/\s+/);
  return /^(?:[\w./-]*\/)?(?:less|pager)$/.test(program) && options.every((one) => /^[-+][\w=.+-]*$/.test(one))
    ? options
    : undefined;
}

/** Whether less hands escapes on as they are: without -R it shows them as letters. LESS names options, too, also without a dash. */
export function passesEscapes(options: readonly string[], less: string): boolean {
  const said = [...less.split(/\s+/).map((one) => (/^[A-Za-z]/.test(one) ? `-${one}` : one)), ...options];
  // letters behind one that takes a value are its value
  return said.some((one) => /^--raw-control-chars$/i.test(one) || /^-[^-bDhjkoOpPtTxyz]*[rR]/.test(one));
}

/** The first release of less that passes links on under -R. */
const LESS = 581;

/** `less 590 (GNU regular expressions)`: as `less --version` says. */
export function lessPassesLinks(said: string): boolean {
  return Number(/^less (\d+)/.exec(said)?.[1] ?? 0) >= LESS;
}
