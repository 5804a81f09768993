import { countSwitches, holdsPlace, isIdentifier } from './looks.ts';
import type { Rule } from './rule.ts';

/** Made from what is no secret: hashes, public keys, certificates, pictures, names that compilers make. */
const PUBLIC =
  /^(?:AAAA[BCE]3Nz|MII[A-Za-z]|LS0tLS|iVBORw|R0lGOD|\/9j\/|UklGR|PHN2Zy|data:|_Z|_R[NIM]|\$s\d|(?:toolu|srvtoolu|msg|call|req|chatcmpl|resp|rs|fc|run|asst|thread|file|batch|evt|ctc|ws|gen|step|item|cmpl|prod|price|cus|pi|ch|in|sub|evt|txn)[_-]|0x)/;

/** What is known of it beforehand: a hash, something that is no secret. */
const HASHED = /\b(?:sha-?\d{1,3}|md5|h1|base64|etag|integrity|checksum|digest|nonce|fingerprint|blob|hash)\W{1,4}$/i;

/** Of letters and digits as programs make them from chance: all three kinds, and none of them long in a row. */
function looksMade(value: string): boolean {
  const core = value.replace(/=+$/, '');
  if (PUBLIC.test(value) || holdsPlace(value) || /^[0-9a-fA-F-]+$/.test(core)) return false;
  if (!/[a-z]/.test(core) || !/[A-Z]/.test(core) || !/\d/.test(core)) return false;
  if (/[a-z]{10}|[A-Z]{10}|\d{7}|(.)\1{3}/.test(core) || /[_-].*[_-].*[_-].*[_-].*[_-]/.test(core)) return false;
  if (/\//.test(core) && core.split('/').some((part) => /^[A-Za-z]?[a-z]{4,}$/.test(part))) return false;
  return countSwitches(core) >= core.length * 0.38 && !isNamed(core) && !decodesToText(value);
}

/** Words of a program, and paths of them: `src/UserService2/findById3`. */
function isNamed(core: string): boolean {
  return core
    .split(/[/_+-]/)
    .every((part) => part.length < 3 || isIdentifier(part) || /^[A-Z]{0,20}[a-z]{0,40}\d{0,2}$/.test(part));
}

/** Base64 of a text is no chance. */
function decodesToText(value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  const printed = bytes.filter((byte) => (byte >= 32 && byte < 127) || byte === 10 || byte === 9);
  return printed.length >= bytes.length * 0.95;
}

/** Neither lines of a block of base64, nor one of many: keys and pictures of others, lists of hashes. */
function standsApart(match: RegExpExecArray): boolean {
  const { input, index } = match;
  const end = index + match[0].length;
  const before = input.slice(Math.max(0, index - 80), index);
  const after = input.slice(end, end + 80);
  if (HASHED.test(before)) return false;
  return !/[A-Za-z0-9+/]{48,}[\s\\nr"+',]{1,12}$/.test(before) && !/^[\s\\nr"+',]{1,12}[A-Za-z0-9+/]{48,}/.test(after);
}

/** pwgen and its like: signs, digits and both kinds of letters, close together. */
function looksMixed(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value) || holdsPlace(value)) return false;
  if (
    /[A-Za-z]{5}|\w[=(][\w"'({[]|=>|\\[nrtdwsSbu]|\$[{(]|\w\.\w{3}|[?&]\w+=|&[a-z]+;|:\/\/|[<>]\/|\/>|\)\(|\\\\|%[0-9A-F]{2}|^[-+@#/]|\x5bx|\d;\d/.test(
      value,
    )
  )
    return false;
  const signs = value.match(/[^A-Za-z\d]/g)?.length ?? 0;
  const kinds = new Set(value.match(/[^A-Za-z\d]/g));
  return kinds.size >= 3 && signs >= 3 && signs * 2 <= value.length;
}

/** Programs that print a new secret, and what they print. */
const MAKING = String.raw`(?:openssl\s+rand|/dev/u?random|pwgen|apg\b|gpw\b|makepasswd|mkpasswd|secrets\.token_(?:hex|urlsafe|bytes)|randomBytes\(|uuidgen[^\n]*(?:secret|token|key)|head -c \d+|rake secret|rails secret|artisan key:generate|wg genkey|wg genpsk|age-keygen|generate_secret_key|get_random_secret_key|bcrypt|htpasswd -n|authtool|gen_random|bin/rails secret)`;

/** Keys of 84 letters, with these in the middle of them. */
const AZURE = /JQQJ99|AZDO|AC(?:DB|RA)|AzSe|APIM/;

/** What such a program printed. */
export const MADE: readonly Rule[] = [
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`${MAKING}[^\n]{0,120}\n(?:[^\n]{0,40}\n)?\s{0,8}(?<secret>[^\s"'<>$]{12,200})(?=\s{0,4}(?:\n|$))`,
      'dg',
    ),
    believes: (value) => /\d/.test(value) && !/^[./~]|[(){}]/.test(value),
  },
];

/** As many letters in a row: looked at from place to place, as far apart as that, and about each. */
export function hasLongWord(text: string): boolean {
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!inWord(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > 0 && end - start < SHORTEST && inWord(text.charCodeAt(start - 1))) start--;
    while (end < text.length && end - start < SHORTEST && inWord(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST) return true;
  }
  return false;
}

const SHORTEST = 40;

/** Of letters, digits and `+/-_`. */
function inWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 95
  );
}

/** Words without a name that only chance makes. */
export const LONG_WORDS: readonly Rule[] = [
  {
    category: 'api_key',
    pattern: /(?<![\w/+.@%&?#-])[A-Za-z0-9+/_-]{40,100}={0,2}(?![\w/+=@-]|\.\w)/dg,
    believes: (value, match) => (value.length < 67 || AZURE.test(value)) && looksMade(value) && standsApart(match),
  },
];

/** The same, of signs too. */
export const MIXED: readonly Rule[] = [
  {
    category: 'password',
    pattern: /^[ \t]{0,8}(?<secret>[!-~]{14,40})(?![!-~])[ \t]{0,8}$/dgm,
    believes: looksMixed,
  },
  {
    category: 'password',
    pattern: /["'`](?<secret>(?:[A-Za-z\d]{0,4}[!#-&(-/:-@[-_{-~]){3,20}[A-Za-z\d]{0,4})(?=["'`])/dg,
    believes: (value) => value.length >= 14 && looksMixed(value),
  },
  {
    category: 'password',
    pattern: /[ \t](?<secret>(?:[A-Za-z\d]{0,4}[!#-&(-/:-@[-_{-~]){3,20}[A-Za-z\d]{0,4})(?=[\s,.;]|$)/dg,
    believes: (value) => value.length >= 14 && looksMixed(value) && new Set(value.match(/[!@#$%^&*?~+]/g)).size >= 3,
  },
];
