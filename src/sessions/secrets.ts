/** AgentLog's categories that we use. */
export type Category = 'api_key' | 'password' | 'custom';

export function mark(category: Category): string {
  return `[REDACTED:${category}]`;
}

interface Rule {
  readonly category: Category;
  /** Only the group `secret` is taken out, else the whole match. */
  readonly pattern: RegExp;
}

// what stands for a secret, and is none: our own marks, variables, placeholders
const NOT = String.raw`(?!\[REDACTED:|\$|\{|<|%|\*)`;
const QUOTE = String.raw`\\?["'\x60]`;
const KEY_WORDS = 'api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?token|token|secret|credentials?';
const PASSWORD_WORDS = 'password|passwd|passphrase|pwd';

/** `NAME: "value"`, `NAME="value"`: any value without spaces. */
function quoted(words: string): RegExp {
  return new RegExp(
    String.raw`(?:${words})(?:${QUOTE})?\s{0,3}[:=]\s{0,3}${QUOTE}${NOT}(?<secret>[^\s"'\x60\\]{6,500})(?=\\?["'\x60])`,
    'dgi',
  );
}

/** `NAME=value` with no space around it, as in shells, .env files and URLs; code that calls or reads something is left alone. */
function bare(words: string, flags: string): RegExp {
  return new RegExp(
    String.raw`(?:${words})=${NOT}(?<secret>(?:[^\s"'\x60,;&()<>[\]{}|\\$=.]{4,500}|[^\s"'\x60,;&()<>[\]{}|\\$=]{12,500})={0,2})(?=[\s"'\x60;&,|\\]|$)`,
    flags,
  );
}

/** The obvious ones, by sight; the scanner knows many more. Every quantifier is bounded: texts come from strangers. */
export const RULES: readonly Rule[] = [
  { category: 'api_key', pattern: /\beyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{8,2000}/dg },
  {
    category: 'api_key',
    pattern:
      /\b(?:sk-[\w-]{16,300}|(?:sk|rk|pk)_(?:live|test)_\w{10,200}|gh[pousr]_\w{20,300}|github_pat_\w{20,300}|glpat-[\w-]{16,100}|xox[abeprs]-[\w-]{10,300}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,60}|npm_\w{30,60}|hf_\w{30,60}|pypi-[\w-]{40,300}|ya29\.[\w-]{20,300}|SG\.[\w-]{16,40}\.[\w-]{16,60}|dop_v1_\w{40,80})/dg,
  },
  // headers that carry a key under many names
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`\bx-(?:api|auth|access)-(?:key|token)(?:${QUOTE})?\s{0,3}[:=]\s{0,3}(?:${QUOTE})?${NOT}(?<secret>[^\s"'\x60,;\\]{6,4000})`,
      'dgi',
    ),
  },
  // curl -u name:password
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b(?:curl|wget|http)\b[^\n|;&]{0,400}?\s(?:-u|--user)[ =]?(?:${QUOTE})?[^\s:"'\x60]{1,200}:${NOT}(?<secret>[^\s"'\x60\\]{3,500})`,
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
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/"'<>]{0,100}:${NOT}(?<secret>[^\s@/"'<>]{1,200})(?=@)`,
      'dgi',
    ),
  },
  { category: 'password', pattern: quoted(PASSWORD_WORDS) },
  { category: 'password', pattern: bare(PASSWORD_WORDS, 'dgi') },
  { category: 'api_key', pattern: quoted(KEY_WORDS) },
  { category: 'api_key', pattern: bare('api[_-]?key|access[_-]?key|auth[_-]?token|client[_-]?secret', 'dgi') },
  { category: 'api_key', pattern: bare('_TOKEN|_SECRET|_KEY|_CREDENTIALS?', 'dg') },
];

/** Values that say what belongs there, not what is there. */
const HARMLESS = /^(?:none|null|true|false|undefined|string|number|required|optional|unknown|example|changeme)$/i;

/** The text with the secrets that the table knows taken out. */
export function replaceKnown(text: string): string {
  return RULES.reduce((so, rule) => replaceOne(so, rule), replaceKeyBlocks(text));
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key looks like whose end was cut off: long words of base64, and what stands between lines in diffs and escaped texts. */
const KEY_BODY = /(?:\\[nr]|[\s"'+>]|[A-Za-z0-9+/=]{16,76}(?![A-Za-z0-9+/=])){0,2000}/y;
const MAX_KEY = 20_000;

/** Not one pattern: a text full of beginnings would make it look for its end again and again. */
function replaceKeyBlocks(text: string): string {
  let out = '';
  let from = 0;
  let close: { start: number; end: number } | undefined = { start: -1, end: -1 };
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < from) continue;
    const after = begin.index + begin[0].length;
    if (close && close.start < after) close = findFrom(KEY_END, text, after);
    const end = close && close.start - after < MAX_KEY ? close.end : findFrom(KEY_BODY, text, after)?.end;
    out += text.slice(from, begin.index) + mark('api_key');
    from = end ?? after;
  }
  return from === 0 ? text : out + text.slice(from);
}

function findFrom(pattern: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

function replaceOne(text: string, { category, pattern }: Rule): string {
  let out = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.secret ?? match.indices?.[0] ?? [0, 0];
    if (end <= start || HARMLESS.test(text.slice(start, end))) continue;
    out += text.slice(from, start) + mark(category);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}
