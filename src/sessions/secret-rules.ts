import { HASHES } from './secret-hashes.ts';
import { ISSUED } from './secret-issuers.ts';
import { looksRandom, looksTyped } from './secret-looks.ts';
import { NOT, QUOTE, type Rule } from './secret-rule.ts';

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

/** Between a name and its value: `: `, ` = `, ` => `, `"] = "`, ` is `, `>`, an option's space, `value:` on the next line. */
const LINK = String.raw`(?:(?:${QUOTE})?\]?\s{0,3}(?:=>|:=|[:=>])\s{0,3}|\s(?:is|was):?\s|\s|\r?\n\s{0,40}value:\s{0,3})(?:${QUOTE})?`;

/** A name, anything that ties a value to it, and a value that nobody would call a thing. */
function named(words: string): RegExp {
  return new RegExp(
    String.raw`(?:${words})${LINK}${NOT}(?<secret>[^\s"'\x60,;&()<>[\]{}|\\$=]{6,500}={0,2})(?=[\s"'\x60,;&)<>\]}|\\]|$)`,
    'dgi',
  );
}

const KEY_OF = '(?:api|access|secret|private|storage|account|signing|encryption|master|shared|auth|client|service|app)';
// the word first, what stands before it later: most texts have few of them
const NAMED_KEY = `key(?<=${KEY_OF}[ _.-]?key)|token|secret|credentials?`;

// one command as shells and lists of words write it: not past its end, but past lines that go on
const WITHIN = String.raw`(?:[^\n|;&\\]|\\\r?\n|\\["']){0,400}?`;
const NEXT = String.raw`(?:\s{1,3}|\\?["'],\s{0,3}\\?["'])`;
/** A password behind its option: up to the quote that ends it, or one word. */
const GIVEN = String.raw`(?:\\?["'])?${NOT}(?<secret>(?<=["'])[^\s,.;:)\]"'\x60\\][^\n"'\x60\\]{2,500}(?=\\?["'])|[^\s"'\x60\\]{3,500})`;

/** `docker login -p is not safe`: a short word is no password. */
function looksGiven(value: string): boolean {
  return value.length > 9 || /[^a-z.,:)]/.test(value);
}

/** `-p3306:3306` is docker's, `-port` that of some server. */
function looksAttached(value: string): boolean {
  return !/^(?:[\d.]{1,20}:)?\d{1,5}:\d{1,5}$|^(?:ort|ath|refix|rofile)s?(?:=|$)/.test(value);
}

/** Programs that take a password as `-p`. */
const PASSWORD_OPTIONS: readonly Rule[] = [
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`(?<![\w.-])(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check|slap))?(?=[\s"'])${WITHIN}[\s"']-p${GIVEN}`,
      'dg',
    ),
    believes: looksAttached,
  },
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b(?:docker|podman|buildah|nerdctl|skopeo|oras|az|oc|cf|argocd|helm${NEXT}registry|crane${NEXT}auth)${NEXT}login\b${WITHIN}[\s"'](?:-p|--password)(?:=|${NEXT})${GIVEN}`,
      'dg',
    ),
    believes: looksGiven,
  },
  // behind its own options: the -p of ssh is a port
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\bsshpass${NEXT}(?:-v${NEXT}|-P${NEXT}[^\s"']{1,40}${NEXT}){0,2}-p(?:${NEXT})?${GIVEN}`,
      'dg',
    ),
    believes: looksGiven,
  },
];

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

/** The obvious ones, by sight and by name; the scanner knows many more. */
export const RULES: readonly Rule[] = [
  ...ISSUED,
  ...HASHES,
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
      String.raw`://(?<=\b[a-z][a-z0-9+.-]{1,20}://)[^\s:@/"'<>]{0,100}:${NOT}(?<secret>[^\s@/"'<>]{1,200})(?=@)`,
      'dgi',
    ),
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
  ...PASSWORD_OPTIONS,
  ...COOKIES,
  { category: 'password', pattern: quoted(PASSWORD_WORDS) },
  { category: 'password', pattern: bare(PASSWORD_WORDS, 'dgi') },
  { category: 'password', pattern: named(PASSWORD_WORDS), believes: looksTyped },
  { category: 'api_key', pattern: quoted(KEY_WORDS) },
  { category: 'api_key', pattern: bare('api[_-]?key|access[_-]?key|auth[_-]?token|client[_-]?secret', 'dgi') },
  { category: 'api_key', pattern: bare('_TOKEN|_SECRET|_KEY|_CREDENTIALS?', 'dg') },
  { category: 'api_key', pattern: named(NAMED_KEY), believes: looksRandom },
];
export const PATTERNS = RULES.map(({ pattern }) => pattern);
