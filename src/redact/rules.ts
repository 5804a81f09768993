import { COMMANDS, WITHIN } from './commands.ts';
import { HASHES, STATED_HASHES } from './hashes.ts';
import { ADDRESSES, ISSUED } from './issuers.ts';
import { grade, looksRandom, looksTyped } from './looks.ts';
import { NAMED_PATTERNS } from './named.ts';
import { NOT, QUOTE, type Rule } from './rule.ts';
import { ENTRIES, FILES, SPEECH } from './speech.ts';
import { STORES } from './stores.ts';
import { LONG_WORDS, MADE, MIXED } from './words.ts';

const PAIR = String.raw`[\w!#$%&*+.^|~-]{1,100}=[^\s"'\x60;,\\]{0,4000}`;

/** Whether one of `name=value; name=value` is the key to somebody's session: others say how a page looks. */
function opensSession(pairs: string): boolean {
  return pairs.split(/;\s{0,2}/).some((pair) => {
    const [name = '', ...value] = pair.split('=');
    return keepsSession(value.join('='), /sess|sid|auth|remember/i.test(name));
  });
}

function keepsSession(value: string, named = false): boolean {
  return looksRandom(value) || (named && value.length >= 8 && looksTyped(value) && !/[${}<>()[\]]/.test(value));
}

/** What browsers send and servers ask them to; of the latter the rest of the line is no secret. */
const COOKIES: readonly Rule[] = [
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`\bset-cookie(?:${QUOTE})?\s{0,3}[:=,]\s{0,3}(?:${QUOTE})?[\w!#$%&*+.^|~-]{1,100}=${NOT}(?<secret>[^\s"'\x60;,\\]{8,4000})`,
      'dgi',
    ),
    believes: (value) => keepsSession(value, true),
  },
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`(?:(?<!set-)\bcookie(?:(?:${QUOTE})?\s{0,3}[:=,]\s{0,3}|\s)|\bcurl\b${WITHIN}\s-b\s{0,3})(?:${QUOTE})?${NOT}(?<secret>${PAIR}(?:;\s{0,2}${PAIR}){0,50})`,
      'dgi',
    ),
    believes: opensSession,
  },
];

/** What requests carry. */
export const HEADERS: readonly Rule[] = [
  // headers that carry a key under many names
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`\bx-(?:api|auth|access)-(?:key|token)(?:${QUOTE})?\s{0,3}[:=]\s{0,3}(?:${QUOTE})?${NOT}(?<secret>[^\s"'\x60,;\\]{6,4000})`,
      'dgi',
    ),
  },
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`\b(?:proxy-)?authorization(?:${QUOTE})?\s{0,3}[:=]\s{0,3}(?:${QUOTE})?(?:(?:bearer|basic|token|digest)\s{1,3})?${NOT}(?!(?:bearer|basic|token|digest)\b)(?<secret>[^\s"'\x60,;\\]{6,4000})`,
      'dgi',
    ),
  },
  { category: 'api_key', pattern: /\bbearer\s{1,3}(?!\[REDACTED:)(?<secret>[\w.~+/=-]{16,4000})/dgi },
  ...COOKIES,
];

/** The obvious ones, by sight and by where they stand; the scanner knows many more. */
export const RULES: readonly Rule[] = [
  ...ISSUED,
  ...HASHES,
  ...FILES,
  {
    category: 'password',
    clue: '://',
    pattern: new RegExp(
      String.raw`://(?<=\b[a-z][a-z0-9+.-]{1,20}://)[^\s:@/"'<>]{0,100}:${NOT}(?<secret>[^\s/"'<>]{1,200})(?=@[\w.[-])`,
      'dgi',
    ),
  },
  // a token where the user stands
  {
    category: 'api_key',
    clue: '://',
    pattern: /:\/\/(?<secret>[\w-]{20,200})@[\w.-]/dg,
    believes: looksRandom,
  },
  // `Server=h;User Id=u;Password=x;` and `AccountKey=x;`: up to what ends it
  {
    category: 'password',
    clue: '=',
    pattern: new RegExp(
      String.raw`(?:password|pwd)\s{0,2}=(?<=(?:;\s{0,3}|["'\x60])(?:password|pwd)\s{0,2}=)\s{0,2}${NOT}(?<secret>[^;"'\n]{2,200})(?=[;"']|$)`,
      'dgi',
    ),
    believes: (value) => grade(value) !== 'none',
  },
  {
    category: 'api_key',
    clue: 'Key=',
    pattern:
      /\b(?:Account|SharedAccess|Access|Shared|Instrumentation)Key=(?!\[REDACTED:|[$<{])(?<secret>[^;"'\s]{16,200})/dg,
  },
  // whoever has such a link is let in: ?token=, &X-Amz-Signature=
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`[?&](?:[\w-]{0,40}[_-])?(?:token|sig|signature|secret|jwt)=${NOT}(?<secret>[^\s"'\x60&#<>)\]\\]{8,4000})`,
      'dgi',
    ),
    believes: (value) => /\d/.test(value) || value.length >= 24,
  },
];

/** All that texts of strangers are searched with. */
export const PATTERNS: readonly RegExp[] = [
  ...[
    ...RULES,
    ...ADDRESSES,
    ...STATED_HASHES,
    ...ENTRIES,
    ...HEADERS,
    ...COMMANDS,
    ...STORES,
    ...SPEECH,
    ...MADE,
    ...LONG_WORDS,
    ...MIXED,
  ].map(({ pattern }) => pattern),
  ...NAMED_PATTERNS,
];
