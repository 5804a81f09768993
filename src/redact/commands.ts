import { grade } from './looks.ts';
import { NOT, type Rule } from './rule.ts';

// one command as shells and lists of words write it: not past its end, but past lines that go on
export const WITHIN = String.raw`(?:[^\n|;&\\]|\\\r?\n|\\["']){0,400}?`;
const NEXT = String.raw`(?:\s{1,3}(?:\\\r?\n\s{0,20})?|\\?["'],\s{0,3}\\?["'])`;
/** A password behind its option: up to the quote that ends it, or one word. */
export const GIVEN = String.raw`(?:\\?["'])?${NOT}(?<secret>(?<=["'])[^\s,.;:)\]"'\x60\\][^\n"'\x60\\]{2,500}(?=\\?["'])|[^\s"'\x60\\]{3,500})`;

/** `docker login -p is not safe`: a short word is no password. */
function looksGiven(value: string): boolean {
  return (
    (value.length > 9 || /[^a-z.,:)]/.test(value)) && !/^[-/]/.test(value) && !/^[A-Z_]{3,40}$|^<|\.{3}$/.test(value)
  );
}

/** `-p3306:3306` is docker's, `-port` that of some server. */
function looksAttached(value: string): boolean {
  return !/^(?:[\d.]{1,20}:)?\d{1,5}:\d{1,5}$|^(?:ort|ath|refix|rofile)s?(?:=|$)/.test(value);
}

export function looksSet(value: string): boolean {
  return grade(value) === 'typed' || grade(value) === 'random';
}

export function notSaid(value: string): boolean {
  return grade(value) !== 'none' && !/^-/.test(value);
}

interface Taking {
  readonly clue: string;
  readonly programs: string;
  readonly options: string;
  /** The option and what it gives are one word, or may be. */
  readonly attached?: true;
  readonly believes?: (value: string) => boolean;
}

function taking({ clue, programs, options, attached, believes = looksGiven }: Taking): Rule {
  const between = attached ? `(?:=|${NEXT})?` : `(?:=|:|${NEXT})`;
  return {
    category: 'password',
    clue,
    pattern: new RegExp(
      String.raw`(?<![\w.-])(?:${programs})(?=[\s"'])${WITHIN}[\s"'](?:${options})${between}${GIVEN}`,
      'dg',
    ),
    believes,
  };
}

/** Programs that take a password, and how. */
const TAKING: readonly Rule[] = [
  {
    category: 'password',
    clue: 'm',
    pattern: new RegExp(
      String.raw`(?<![\w.-])(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check|slap))?(?=[\s"'])${WITHIN}[\s"']-p${GIVEN}`,
      'dg',
    ),
    believes: looksAttached,
  },
  taking({
    clue: 'login',
    programs: `(?:docker|podman|buildah|nerdctl|skopeo|oras|az|oc|cf|argocd|helm${NEXT}registry|crane${NEXT}auth)${NEXT}login`,
    options: '-p|--password',
  }),
  // behind its own options: the -p of ssh is a port
  {
    category: 'password',
    clue: 'sshpass',
    pattern: new RegExp(
      String.raw`\bsshpass${NEXT}(?:-v${NEXT}|-P${NEXT}[^\s"']{1,40}${NEXT}){0,2}-p(?:${NEXT})?${GIVEN}`,
      'dg',
    ),
    believes: looksGiven,
  },
  taking({ clue: '-cli', programs: '(?:redis|valkey|keydb)-cli', options: '-a|--pass' }),
  taking({
    clue: 'ldap',
    programs: 'ldap(?:search|modify|add|delete|whoami|passwd|compare|modrdn)',
    options: '-w|-s',
    attached: true,
  }),
  taking({
    clue: 'pass',
    programs: 'keytool|jarsigner|apksigner',
    options: '--?(?:src|dest|new|ks-|key-)?(?:store|key)?-?pass(?:wd)?(?::env)?(?: pass:)?',
  }),
  taking({
    clue: 'openssl',
    programs: 'openssl',
    options: '-(?:pass|passin|passout|password|k)(?: pass:)?',
    believes: (value) => looksGiven(value) && !/^(?:pass:\$|env:|file:|stdin|fd:)/.test(value),
  }),
  taking({
    clue: 'mongo',
    programs: 'mongo(?:sh|dump|restore|export|import|stat|files)?',
    options: '-p|--password',
    attached: true,
    believes: (value) => looksAttached(value) && looksGiven(value),
  }),
  taking({
    clue: 'P',
    programs: 'sqlcmd|bcp|osql|isql|tsql|ipmitool|mosquitto_(?:pub|sub|rr)|zip|unzip|funzip|zipcloak|ncrack',
    options: '-P',
    attached: true,
  }),
  taking({ clue: 'gpg', programs: 'gpg2?|gpgsm|gpg-preset-passphrase', options: '--passphrase' }),
  taking({ clue: '7z', programs: '7z[az]?|7zr', options: '-p', attached: true }),
  taking({ clue: 'rar', programs: '(?:un)?rar', options: '-h?p', attached: true }),
  taking({ clue: 'user', programs: 'useradd|usermod|adduser', options: '-p|--password' }),
  taking({
    clue: '-p',
    programs:
      'cypher-shell|cqlsh|couchbase-cli|cbq|evil-winrm|rdesktop|hydra|twine|nxc|netexec|crackmapexec|cadvisor|neo4j-admin|nats|ncftp|ncftpput|clickhouse(?:-client)?|sentinelctl',
    options: '-p|--password',
  }),
  taking({ clue: 'ssh-keygen', programs: 'ssh-keygen', options: '-[NP]' }),
  taking({
    clue: 'security',
    programs:
      'security (?:add-(?:generic|internet)-password|unlock-keychain|create-keychain|import|set-key-partition-list)',
    options: '-[wpPk]',
  }),
  taking({
    clue: 'pw',
    programs: 'pdftk|pdftotext|pdfimages|pdfinfo|qpdf',
    options: '(?:user_|owner_|input_)?pw|-[uo]pw',
  }),
  taking({
    clue: '/p',
    programs: 'xfreerdp3?|wlfreerdp|cmdkey|schtasks|psexec(?:64)?(?:\\.exe)?|plink',
    options: '/(?:p|pass|rp)',
    attached: true,
  }),
  taking({ clue: '-p', programs: 'xcrun (?:altool|notarytool)|altool', options: '-p|--password' }),
  taking({ clue: '-pw', programs: 'plink|pscp|psftp|putty', options: '-pw' }),
];

export function given(clue: string, source: string, believes: Rule['believes'] = notSaid, flags = 'dgi'): Rule {
  return { category: 'password', clue, pattern: new RegExp(source, flags), believes };
}

const PAIR = String.raw`[^\s:"'\x60%,/]{1,200}`;

/** A name and a password in one word. */
const PAIRS: readonly Rule[] = [
  given(
    '"',
    String.raw`(?<![\w.-])(?:curl|wget|https?|xh)\b${WITHIN}\s(?:-u|--user|--proxy-user|-a|--auth)[ =]?"${PAIR}:${NOT}(?<secret>[^"\n\\]{3,200})"`,
    undefined,
    'dg',
  ),
  given(
    '-',
    String.raw`(?<![\w.-])(?:curl|wget|https?|xh|httpie|ab|siege)\b${WITHIN}\s(?:-u|--user|-U|--proxy-user|-a|--auth|-A)[ =]?\\?["']?${PAIR}:["']?${NOT}(?<secret>[^\s"'\x60\\]{3,500})`,
    undefined,
    'dg',
  ),
  given('-auth', String.raw`\s-auth[ =]\\?["']?${PAIR}:["']?${NOT}(?<secret>[^\s"'\x60\\]{3,500})`),
  given(
    '%',
    String.raw`\b(?:smbclient|rpcclient|net|smbmap|smbget|wmic|winexe|smbcacls|mount\.cifs|samba-tool)\b${WITHIN}\s(?:-U|--user)[ =]?\\?["']?${PAIR}%["']?${NOT}(?<secret>[^\s"'\x60\\]{3,500})`,
  ),
  given(
    'lftp',
    String.raw`\blftp\b${WITHIN}\s(?:-u|--user)[ =]?\\?["']?${PAIR},["']?${NOT}(?<secret>[^\s"'\x60\\]{3,500})`,
  ),
  given(
    '/',
    String.raw`\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman(?: target)?|sqlcl)\b(?:\s-\w{1,4}){0,3}\s\\?["']?${PAIR}/["']?${NOT}(?<secret>[^\s"'\x60\\@]{3,200})(?=[@\s"']|$)`,
  ),
  given('jdbc:', String.raw`\bjdbc:oracle:\w{1,10}:${PAIR}/["']?${NOT}(?<secret>[^\s"'\x60\\@/]{3,200})@`),
  given(
    'htpasswd',
    String.raw`\b(?:htpasswd|mosquitto_passwd)\s(?=[^\n|;&]{0,40}?-\w{0,6}b)(?:-\w{1,8}\s{1,3}(?:\d{1,2}\s{1,3})?){1,4}(?:[^\s"'|;&]{1,100}\s{1,3}){1,2}${GIVEN}(?=["']?\s{0,3}(?:$|[\n|;&>)\x60]))`,
  ),
  given(
    'rabbitmqctl',
    String.raw`\brabbitmqctl\s(?:[-\w=]{1,30}\s){0,2}(?:add_user|change_password|authenticate_user)\s[^\s]{1,60}\s${GIVEN}`,
  ),
  given('initial-password', String.raw`\bset-initial-password\s${GIVEN}`),
  given('encrypt_string', String.raw`\bencrypt_string\s(?:--?[\w-]{1,20}(?:[ =][\w@./-]{1,60})?\s){0,3}${GIVEN}`),
  given('obscure', String.raw`\brclone\sobscure\s${GIVEN}`),
  given('wpa_passphrase', String.raw`\bwpa_passphrase\s(?:"[^"\n]{1,60}"|'[^'\n]{1,60}'|[^\s]{1,60})\s${GIVEN}`),
  given(
    'net',
    String.raw`\bnet1?(?:\.exe)?\suse\s[^\n|;&]{0,120}?\\\\[^\s]{1,100}\s(?!/)${GIVEN}|\bnet1?(?:\.exe)?\suse\s[^\n|&]{0,120}?/user:\S{1,60}\s(?!/)\\?["']?${NOT}(?<secret2>[^\s"']{3,100})`,
  ),
  given('net', String.raw`\bnet1?(?:\.exe)?\suser\s[^\s/]{1,60}\s(?![/*])${GIVEN}`),
  given('SecureString', String.raw`ConvertTo-SecureString\s(?:-(?:String|AsPlainText|Force)\s){0,3}${GIVEN}`),
  given(
    'PSCredential',
    String.raw`PSCredential\s{0,2}\(\s{0,2}["'][^"'\n]{1,80}["'],\s{0,2}["']${NOT}(?<secret>[^"'\n]{3,200})`,
  ),
];

/** Commands that are given a secret. */
export const COMMANDS: readonly Rule[] = [...TAKING, ...PAIRS];
