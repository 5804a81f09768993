import { decodeBlob, findKeyLine, type PublicKey } from './keys.ts';
import { quoted } from './reason.ts';
import type { Revocation } from './revoked.ts';

/** One line of git's `gpg.ssh.allowedSignersFile`: ssh-keygen(1), ALLOWED SIGNERS. */
export interface AllowedSigner {
  /** In the file, from 1. */
  readonly line: number;
  /** A list of patterns. */
  readonly principals: string;
  readonly type: string;
  readonly blob: Uint8Array;
  /** Absent for keys that cannot seal. */
  readonly key?: PublicKey;
  readonly authority: boolean;
  /** A list of patterns; absent means all. */
  readonly namespaces?: string;
  /** In milliseconds, both included. */
  readonly validAfter?: number;
  readonly validBefore?: number;
}

/** A line that allows nobody because it is not understood. */
export interface SignerProblem {
  readonly line: number;
  readonly message: string;
  /** The key that stands in it, where one can be made out. */
  readonly blob?: Uint8Array;
}

export interface AllowedSigners {
  readonly signers: readonly AllowedSigner[];
  readonly problems: readonly SignerProblem[];
  /** Where git's settings name a list of revoked keys. */
  readonly revocation?: Revocation;
}

const MAX_LINES = 100_000;
const MAX_LINE = 64 * 1024;

export function parseAllowedSigners(text: string): AllowedSigners {
  const signers: AllowedSigner[] = [];
  const problems: SignerProblem[] = [];
  for (const [index, raw] of text.split(/\r?\n/, MAX_LINES).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const parsed = line.length > MAX_LINE ? 'the line is too long' : parseLine(line);
    if (typeof parsed === 'string') problems.push({ line: index + 1, message: parsed, ...keyIn(line) });
    else signers.push({ ...parsed, line: index + 1 });
  }
  return { signers, problems };
}

/** Whose line it was meant to be: a key is known wherever it stands. */
function keyIn(line: string): { readonly blob?: Uint8Array } {
  const [, rest = ''] = line.length > MAX_LINE ? [] : (/\s((?:ssh|ecdsa|sk)-\S+\s+AAAA\S+)/.exec(line) ?? []);
  const found = findKeyLine(rest);
  return found ? { blob: found.blob } : {};
}

type Parsed = Omit<AllowedSigner, 'line'>;

/** What is wrong with the line, where something is. */
function parseLine(line: string): Parsed | string {
  const [principals, rest] = takeField(line);
  if (principals === undefined) return 'a quotation mark is not closed';
  const direct = findKeyLine(rest);
  if (direct) return withKey({ principals: unquote(principals), authority: false }, direct);
  const [field, behind] = takeField(rest);
  if (field === undefined) return 'a quotation mark is not closed';
  const options = parseOptions(field);
  if (typeof options === 'string') return options;
  const key = findKeyLine(behind);
  if (!key) return 'there is no key in it';
  return withKey({ principals: unquote(principals), ...options }, key);
}

function withKey(parsed: Omit<Parsed, 'type' | 'blob'>, { type, blob }: { type: string; blob: Uint8Array }): Parsed {
  const key = decodeBlob(blob);
  return { ...parsed, type, blob, ...(key && { key }) };
}

const unquote = (field: string) => (/^".*"$/.test(field) ? field.slice(1, -1) : field);

/** The first field and what follows it; blanks inside quotation marks belong to the field. */
function takeField(text: string): readonly [string | undefined, string] {
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\' && text[i + 1] === '"') i++;
    else if (character === '"') inside = !inside;
    else if (!inside && (character === ' ' || character === '\t')) return [text.slice(0, i), text.slice(i).trim()];
  }
  return inside ? [undefined, ''] : [text, ''];
}

type Options = Pick<Parsed, 'authority' | 'namespaces' | 'validAfter' | 'validBefore'>;

const OPTION = /^([A-Za-z-]+)(?:="((?:[^"\\]|\\.)*)")?(?:,|$)/;

function parseOptions(field: string): Options | string {
  const found = new Map<string, string | undefined>();
  for (let rest = field; rest !== ''; ) {
    const [whole, name = '', value] = OPTION.exec(rest) ?? [];
    if (whole === undefined) return `the options are not understood at ${quoted(rest)}`;
    const known = name.toLowerCase();
    if (found.has(known)) return `the option ${known} is there twice`;
    const problem = optionProblem(known, value);
    if (problem) return problem;
    found.set(known, value?.replaceAll('\\"', '"'));
    rest = rest.slice(whole.length);
  }
  const [validAfter, validBefore] = ['valid-after', 'valid-before'].map((name) => parseTime(found.get(name) ?? ''));
  if (validAfter !== undefined && validBefore !== undefined && validBefore <= validAfter) {
    return 'the key ends before it begins to be valid';
  }
  const namespaces = found.get('namespaces');
  return {
    authority: found.has('cert-authority'),
    ...(namespaces !== undefined && { namespaces }),
    ...(validAfter !== undefined && { validAfter }),
    ...(validBefore !== undefined && { validBefore }),
  };
}

function optionProblem(name: string, value: string | undefined): string | undefined {
  switch (name) {
    case 'cert-authority':
      return value === undefined ? undefined : 'the option cert-authority takes no value';
    case 'namespaces':
      return value === undefined ? 'the option namespaces has no value in quotation marks' : undefined;
    case 'valid-after':
    case 'valid-before':
      return parseTime(value ?? '') === undefined ? `the time of ${name} is not understood` : undefined;
    default:
      return `the option ${quoted(name)} is not known`;
  }
}

const TIME = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/;

/** YYYYMMDD or YYYYMMDDHHMM[SS], in the local zone unless a Z follows. Days that no calendar has are none. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  if (match[7] === 'Z') return Date.UTC(year, month - 1, day, hour, minute, second);
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}
