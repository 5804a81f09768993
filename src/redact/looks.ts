/** Random letters change between digits, capitals and others all the time; words, versions and dates hardly. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/[a-z]/i.test(value) || isName(value)) return false;
  const groups = value.match(/\d{1,500}/g)?.length ?? 0;
  return groups >= 3 || (groups > 0 && countSwitches(value) * 5 >= value.length * 2);
}

/** Words, versions and dates: `anthropic/claude-opus-4-5-20251101`. */
export function isName(value: string): boolean {
  return value.split(/[-._/:@]/).every((part) => /^(?:[a-z]{2,20}|v?\d{1,2}|20\d{2}|20\d{6})$/.test(part));
}

export function countSwitches(value: string): number {
  return value.match(/[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|\d(?=\D)/g)?.length ?? 0;
}

/** Too weak where a file says `password = x`; enough where a person gives one. */
export function looksTyped(value: string): boolean {
  return /\d/.test(value) && /[a-z]/i.test(value) && !METHOD.test(value);
}

/** How passwords are kept, and in what: `base64-encoded`, `sha256`, `int64`. */
const METHOD =
  /^(?:base(?:32|58|64)|sha-?[1-3]?(?:-?(?:224|256|384|512))?|md5|utf-?8|argon2(?:id?)?|pbkdf2|oauth2?|auth0|ed25519|rsa-?\d{4}|u?int\d{1,3}|[hre]s\d{3}|aes-?(?:128|192|256))(?:-[a-z]{2,20}){0,4}[.:!?]?$/i;

/** Says where a secret belongs. */
export function holdsPlace(value: string): boolean {
  return /x{5}|X{5}|(?<![a-z])your[ _-]|\*{3}|\.{3}|…|^<|(.)\1{7}/.test(value);
}

/** Takes the value from elsewhere: a variable, a call, a file, a safe. */
export function isReference(value: string): boolean {
  return CODE.test(value) || SAFE.test(value);
}

const CODE =
  /\$\{|\{\{|\$\(|#\{|<%|%\{|^\$\w|^%[sdv@%]|^%\w{1,60}%|^@?[\w$.?!:]{1,80}(?:<[\w$., ]{1,60}>)?\(|=>|^[a-z_$][\w$]{0,60}(?:\??(?:\.|->|::)[A-Za-z_$][a-zA-Z_$]{0,60}\d?){1,8}[;,)]{0,3}$|^(?:process|os|env|config|self|this|settings|secrets|vars?|args|req|request|ctx)\??[.[]|^(?:await|new|typeof|return|async|function|if|not|None|null|nil|undefined)\b/;
const SAFE =
  /^(?:(?:op|vault|ssm|secretsmanager|gcpsm|gsm|awssm|azurekv|file|env|https?|ref\+\w{1,20}|sops|keyring|pass|doppler|infisical|keychain):|arn:aws|ENC\[|![A-Z]\w{1,20}\b|@Microsoft|projects\/)|^(?:\.{0,2}|~|[A-Za-z]:)[\\/][\w.@~-]{1,60}(?:[\\/]|$)/i;

/** Names of things in a program: `newPassword2`, `users_2024_id`, `MAX_TOKENS`. */
export function isIdentifier(value: string): boolean {
  if (!/^[a-z_$][\w$]{0,80}$/i.test(value)) return false;
  const parts = value.split(/_|(?<=[a-z\d])(?=[A-Z])/);
  return (
    parts.length > 1 &&
    value.length >= parts.length * 3.3 &&
    parts.every((part) => /^\$?(?:[a-z]{0,20}\d?|[A-Z][a-z]{1,20}\d?|[A-Z]{1,20}\d?|20\d\d)$/.test(part))
  );
}

/** What a form, a check or a page of help says of a secret, and what kind of thing it is. */
const SAID = new RegExp(
  `^(?:${[
    'an?|the|my|our|your|this|that|it|its|not|no|yes|none|null|nil|true|false|undefined|unknown|any|all|some|and|or|if|for|from|in|on|to|of|by|with|as|at|is|be|was|via|only|also|just|now|still',
    'string|str|text|number|integer|int|bool(?:ean)?|bytes?|char|varchar|object|array|list|dict|map|optional|option|required|mandatory|default|value|type|name|file|path|prompt|stdin|input|output|field|column|header|form|query|body|json|yaml|xml',
    'empty|blank|missing|set|unset|given|present|provided|wrong|correct|incorrect|right|bad|good|valid|invalid|expired|weak|strong|same|different|new|old|secure|insecure|plain|plaintext|hidden|visible|protected|hashed|encrypted|encoded|stored|saved|sent|used|needed|necessary|changed|reset|updated|generated|created|rotated|revoked|deleted|removed|disabled|enabled|checked|verified|confirmed|rejected|accepted|allowed|denied|forgotten|lost|leaked|shared|cached|read|written|passed|taken|compared|validated|redacted|masked|hardcoded|too|very|always|never|already|being|been|too short|too long',
    'pass(?:word|wd|phrase|code)?s?|pwd?|tokens?|secrets?|api[_ -]?keys?|keys?|credentials?|auth(?:orization|entication)?|bearer|basic|digest|jwt|oauth2?|login|logout|sign ?in|sign ?up|username|user|e-?mail|number|confirm(?:ation)?|current|placeholder|example|sample|changeme|change[_-]me|todo|tbd|fixme|foo|bar|baz|foobar|dummy|fake|mock|test|n/?a|hash|salt|bcrypt|argon2|sha|md5|manual|auto(?:matic)?|never|public|private|readonly|sensitive|internal|external|symmetric|asymmetric|ephemeral',
  ].join('|')})$`,
  'i',
);

export function isSaid(value: string): boolean {
  return SAID.test(value.replace(/[.,;:!?)\]}]{1,5}$/, ''));
}

/** How sure one can be that this is somebody's secret, where a name says that one should stand there. */
export type Grade = 'none' | 'word' | 'typed' | 'random';

/** Words that sentences have, and passphrases hardly. */
const SENTENCE =
  /^(?:an?|the|you|your|is|are|was|were|be|been|must|should|can|cannot|could|will|would|may|not|no|and|or|if|for|from|in|on|to|of|by|with|as|at|it|its|this|that|these|which|who|please|enter|enters?|use[ds]?|using|has|have|does|do|when|where|then|than|too|least|characters?|required|invalid|missing|passwords?|tokens?|key|keys|der|die|das|ist|und|oder|nicht|le|la|les|est|et|ou|el|es|y|о|и|не)[,.:;!?]?$/i;

/** Of words with spaces between: one who chose them wrote no sentence. */
function gradeWords(value: string): Grade {
  const words = value.split(/\s{1,9}/);
  if (words.length > 12 || words.some((word) => SENTENCE.test(word) || /[:{}();]/.test(word))) return 'none';
  if (/^[A-Z][a-z]{1,20}(?: [a-z]{1,20}){1,9}[.!?]?$/.test(value) || /[.?]$/.test(value)) return 'none';
  if (words.some((word) => looksTyped(word) || /^[a-z]{0,20}[#$%&*+@^~!][\w!@#$%&*]{0,40}$/i.test(word)))
    return 'typed';
  return words.length > 3 && words.every((word) => /^\p{L}{2,20}$/u.test(word)) ? 'typed' : 'none';
}

/** A file by its folders. */
const FILE = /^[\w.@-]{1,80}(?:[\\/][\w.@-]{1,80}){1,12}\.[a-z]\w{0,4}$/;

export function grade(raw: string): Grade {
  const value = raw.trim().replace(/(?<=^\p{L}{3,40})[?!.]{1,3}$/u, '');
  if (value.length < 3 || holdsPlace(value) || isReference(value) || isSaid(value) || FILE.test(value)) return 'none';
  if (/\s/.test(value)) return gradeWords(value);
  if (looksRandom(value)) return 'random';
  if (isIdentifier(value)) return 'word';
  if (looksTyped(value)) return 'typed';
  if (/^\d{4,40}$/.test(value)) return 'typed';
  // signs inside or at the end of a word, capitals in the middle of it, words tied to each other
  if (/[\p{L}\d][#$%&*+@^~!?§]/u.test(value) && !/^[\w.+-]{1,64}@[\w-]{1,64}\.\w/.test(value)) return 'typed';
  if (/^[#$%&*+@^~!]\p{L}{2,}/u.test(value) || /^\p{L}{2,12}(?:[-_. ]\p{L}{2,12}){3,8}$/u.test(value)) return 'typed';
  return 'word';
}
