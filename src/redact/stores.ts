import { looksSet, notSaid, WITHIN } from './commands.ts';
import { isSaid } from './looks.ts';
import { NOT, type Rule } from './rule.ts';

interface Putting {
  readonly clue?: string;
  readonly within?: RegExp;
  readonly source: string;
  readonly believes?: NonNullable<Rule['believes']>;
}

function putting({ source, believes = notSaid, ...rest }: Putting): Rule {
  return { category: 'password', pattern: new RegExp(source, 'dgi'), believes, ...rest };
}

/** What a program reads from another: `echo X | sudo -S`. */
const READING = [
  String.raw`sudo\s(?:-\w{1,4}\s){0,3}-\w{0,3}S|chpasswd|passwd|su\b|cryptsetup|kinit|smbpasswd|gpg|htpasswd\s-\w{0,5}i`,
  String.raw`(?:\S{1,40}\s){0,6}?(?:--(?:pass(?:word|phrase)?-?)?stdin\b|--with-token|--passphrase-fd|--password-fd|-pass(?:in|out)?\sstdin)`,
  String.raw`(?:npx\s|pnpm\s)?(?:wrangler|gh|vercel|docker|gcloud|podman|firebase|az)\b[^\n]{0,60}?(?:secrets?|env)\b`,
].join('|');

const PIPED: readonly Rule[] = [
  putting({
    clue: '|',
    source: String.raw`\b(?:echo|printf)\s{1,3}(?:-[neE]{1,3}\s)?(?:["']%s(?:\\n)?["']\s)?\\?["']?(?:[\w.-]{1,40}:(?=[^\n|]{1,100}\|\s{0,3}(?:sudo\s)?chpasswd))?${NOT}(?<secret>[^\n"'|\x60]{3,200}?)(?:\\n)?\\?["']?\s{0,3}\|\s{0,3}(?:sudo\s)?(?:${READING})`,
  }),
  putting({
    clue: '<<<',
    source: String.raw`(?:sudo\s-S|chpasswd|passwd|stdin|--with-token|cryptsetup)[^\n|;]{0,100}<<<\s{0,2}\\?["']?(?:(?<=chpasswd[^\n]{0,20})[\w.-]{1,40}:)?${NOT}(?<secret>[^\s"'\x60]{3,200})`,
  }),
  // expect, and what is like it
  putting({
    clue: 'send',
    within: /(?:ass(?:word|phrase|code)|PIN)[^\n]{0,100}\n?[^\n]{0,120}/g,
    source: String.raw`\bsend(?:line)?(?:\s--)?[\s(]{1,3}["']${NOT}(?<secret>[^\n"'\\\x60]{4,100})(?:\\r|\\n|["'])`,
    believes: looksSet,
  }),
];

const SETTERS =
  /(?:\bheroku\sconfig:(?:set|add)|\bfly(?:ctl)?\ssecrets\s(?:set|import)|\bdoppler\ssecrets\sset|\bsupabase\ssecrets\sset|\brailway\svariables?\s(?:--)?set|\bdokku\sconfig:set|\bvault\s(?:kv\s(?:put|patch)|write)|\binfisical\ssecrets\sset|\beb\ssetenv|\bkubectl\sset\senv|\bscalingo\senv-set)\b(?:[^\n|;\\]|\\\r?\n){0,500}/g;

const VALUE_OF = String.raw`\\?["']?${NOT}(?<secret>(?<=["'])[^\n"'\x60\\]{3,500}(?=\\?["'])|[^\s"'\x60\\]{3,500})`;

/** Such stores hold what is no secret, too. */
function looksKept(value: string): boolean {
  return looksSet(value) && !/^\d{1,6}[smhd]?$|^\w{2,12}:\/\//.test(value);
}

const NAME_AND_VALUE = String.raw`(?:--?[\w-]{1,20}[ =]){0,2}["']?[\w:./-]{1,80}["']?\s${VALUE_OF}`;

/** Stores of secrets: what is put there under any name. */
const STORING: readonly Rule[] = [
  putting({
    clue: '--from-literal',
    within: /\bsecret\b[^;|]{0,1500}/g,
    source: String.raw`--from-literal(?:=|\s|["'],\s?["'])\\?["']?[\w.-]{1,80}=${VALUE_OF}`,
  }),
  putting({ within: SETTERS, source: String.raw`\s["']?[\w./-]{1,60}=${VALUE_OF}`, believes: looksKept }),
  putting({
    clue: ' set ',
    source: String.raw`\b(?:gh|glab)\s(?:secret|variable)\sset\b${WITHIN}\s(?:--body|-b|--value|-v)(?:=|\s)${VALUE_OF}`,
  }),
  putting({
    clue: 'set',
    source: String.raw`\b(?:glab\svariable\sset|netlify\senv:set|doppler\ssecrets\sset|convex\senv\sset|dotnet\suser-secrets\sset|pulumi\sconfig\sset\s--secret)\s${NAME_AND_VALUE}`,
    believes: looksSet,
  }),
  putting({ clue: '--secret', source: String.raw`--(?:secret-string|secret-binary|secret-value)(?:=|\s)${VALUE_OF}` }),
  putting({
    clue: '--value',
    source: String.raw`\b(?:keyvault\ssecret\sset|ssm\sput-parameter)\b${WITHIN}\s--value(?:=|\s)${VALUE_OF}`,
    believes: looksSet,
  }),
  putting({
    clue: 'login',
    source: String.raw`\b(?<![\w-])(?:cargo|npm|gem|vercel|snyk|pulumi|sentry-cli|wandb|huggingface-cli|hf|replicate)\s(?:auth\s)?login\s(?:--(?:relogin|token)[ =])?${VALUE_OF}`,
    believes: (value) => looksSet(value) && !/[.:]/.test(value),
  }),
  putting({
    clue: 'auth',
    source: String.raw`\b(?:snyk|ngrok|composer)\s(?:config\s)?(?:add-)?auth(?:token|\.[\w.-]{1,60})?\s(?:\S{1,60}\s)?${VALUE_OF}`,
    believes: looksSet,
  }),
  putting({
    clue: 'http-basic',
    source: String.raw`\bhttp-basic[.\w-]{1,80}["']?\s\S{1,80}\s${VALUE_OF}`,
    believes: looksSet,
  }),
];

/** Where programs and databases are told a secret as a text among others. */
const CALLS: readonly Rule[] = [
  putting({
    source: String.raw`\bidentified\s(?:with\s\S{1,60}\s)?(?:by|as)\s(?:password\s)?\\?(?<q>["'])${NOT}(?<secret>[^\n]{3,200}?)\\?\k<q>`,
  }),
  putting({
    source: String.raw`\b(?:user|role)\s\S{1,60}\s{1,3}identified\s{1,3}by\s{1,3}${NOT}(?<secret>[^\s;'"]{4,100})`,
  }),
  putting({
    clue: "('",
    source: String.raw`\b(?:password|crypt|encrypt|old_password|hashbytes|pwdencrypt)\(\s{0,2}(?:'SHA\d_?\d{0,3}',\s{0,2})?'${NOT}(?<secret>[^'\n]{3,100})'`,
    believes: looksSet,
  }),
  putting({
    clue: 'jwt.',
    source: String.raw`\bjwt\.(?:sign|verify|encode|decode)\([^\n;"']{1,200}?,\s{0,3}(?<q>["'])${NOT}(?<secret>[^"'\n]{4,200})\k<q>`,
    believes: (value) => !isSaid(value) && !/^[HREP]S\d{3}$/.test(value),
  }),
  putting({
    clue: 'createHmac',
    source: String.raw`\bcreateHmac\(\s{0,2}["'][\w-]{2,20}["'],\s{0,3}["']${NOT}(?<secret>[^"'\n]{4,200})["']`,
  }),
];

/** Commands that put secrets away, and what is written into them. */
export const STORES: readonly Rule[] = [...PIPED, ...STORING, ...CALLS];
