export type Topic = (typeof TOPICS)[number];
const TOPICS = ['commands', 'stores', 'headers', 'addresses', 'speech', 'made', 'foreign'] as const;

/**
 * What texts have, in any case of letters, that the slower tables may find something in: programs that take a secret, words that people say
 * beside one. Each stands at the beginning of a word and has three letters at least. One look for all of them is cheaper than a look for
 * each rule, and only what is near one of them is looked at again.
 */
const CLUES: readonly (readonly [Topic, string])[] = [
  // programs, as they stand in commands
  [
    'commands',
    'redis-cli|valkey-cli|keydb-cli|ldap|keytool|jarsigner|apksigner|openssl|mongo|sqlcmd|bcp |osql|isql|tsql|ipmitool|mosquitto|zip |zip"|unzip|zipcloak|7z |7za|7zr|rar |unrar|gpg|useradd|usermod|adduser|cypher-|cqlsh|couchbase|cbq|evil-winrm|rdesktop|hydra|twine|nxc|crackmap|netexec|neo4j|nats |ncftp|clickhouse|ssh-keygen|sshpass|security add|security un|security create|security import|pdftk|pdfto|pdfi|qpdf|xfreerdp|wlfreerdp|cmdkey|schtasks|psexec|plink|pscp|psftp|altool|xcrun|mysql|mariadb|docker login|docker", "login|podman|buildah|nerdctl|skopeo|oras |az login|oc login|cf login|argocd|helm registry|crane auth',
  ],
  [
    'commands',
    'curl|wget|http -|http get|http post|https -|xh |siege|auth |smb|rpcclient|net use|net user|net ads|net rpc|wmic|winexe|mount.cifs|samba|lftp|sqlplus|sqlldr|expdp|impdp|rman|sqlcl|jdbc|htpasswd|rabbitmqctl|set-initial|encrypt_string|rclone|wpa_pass|convertto|pscredential',
  ],
  [
    'stores',
    'sudo|chpasswd|passwd|cryptsetup|kinit|smbpasswd|stdin|with-token|passphrase-fd|password-fd|send |sendline|secret set|secrets set|secrets import|secret create|create secret|secret put|secret generic|from-literal|secret-string|secret-binary|secret-value|variable set|variables |config:set|config:add|config set|vault |eb setenv|set env|env:set|env set|env add|env-set|keyvault|put-parameter|jwt.|createhmac|identified|crypt(|encrypt(|password(|hashbytes|http-basic|authtoken|cargo login|npm login|gem login|login ',
  ],
  // what requests carry
  ['headers', 'curl|authorization|proxy-auth|bearer|cookie|set-cookie|x-api|x-auth|x-access'],
  // addresses that let in, hashes that are stated
  [
    'addresses',
    'discord|hooks.slack|webhook|sentry|ingest|otpauth|atlasv1|scram-sha|with password|password \'|auth_string|authentication_string|auth"|identitytoken|registrytoken|userpassword:|password::',
  ],
  // said
  [
    'speech',
    'log in|log-in|logged in|sign in|sign-in|login:|login is|login=|logins|creds|credential|account is|account:|account for|zugang|anmeld|identifiant|connexion|credenci|acceso|accesso|inloggeg|dane logowania|connect with|user:|user |username|user=|user"|benutzer|utilisateur|usuario|utente|gebruiker|email:|e-mail:|email ',
  ],
  [
    'speech',
    'admin/|admin:|admin /|root/|root:|root /|administrator|postgres:|superuser|code to|code for|code of|pin:|pin |pin-|pin=|pincode|puk|cvv|cvc|tan:|tan |otp|totp|2fa|mfa|sms |verification|one-time|one time|confirmation|access code|unlock|geheimzahl|codice|code pin|code de|card |door |gate |alarm |phone |safe |is your|is the|ist ihr|ist dein|recovery|backup c|backup k|backup p|backup-c|rescue|emergency|scratch|reset code|wiederherst|notfall|seed |seed:|mnemonic|wallet|security q|security a|security c|secret q|secret a|sicherheits|pregunta|question secr|mother|maiden|first pet|erstes haus',
  ],
  // programs that make secrets
  [
    'made',
    'openssl rand|openssl", "rand|dev/random|dev/urandom|urandom|random |pwgen|apg |gpw |mkpasswd|makepasswd|secrets.token|randombytes|uuidgen|head -c|rake secret|rails secret|artisan key|wg gen|age-keygen|generate_secret|get_random_secret|bcrypt|gen_random',
  ],
  // names of secrets in other languages
  [
    'foreign',
    'kennwor|contrase|senha|palavra|wachtw|haslo|losenord|adgangsk|salasana|heslo|jelszo|lozink|kata sandi|mot de passe|mots de passe|parola|mdp|jeton|clave|chave|chiave|cle api',
  ],
];

interface Clue {
  readonly rest: string;
  readonly topic: number;
}

/** By their first three letters, seven bits for each. */
const BY_START = new Map<number, Clue[]>();
/** Whether a word that begins so may be one of them. */
const STARTS = new Uint8Array(1 << 21);
for (const [topic, words] of CLUES) {
  for (const word of words.split('|')) {
    const start = startAt(word, 0);
    STARTS[start] = 1;
    BY_START.set(start, [...(BY_START.get(start) ?? []), { rest: word.slice(3), topic: 1 << TOPICS.indexOf(topic) }]);
  }
}

function startAt(text: string, at: number): number {
  return (fold(text.charCodeAt(at)) << 14) | (fold(text.charCodeAt(at + 1)) << 7) | fold(text.charCodeAt(at + 2));
}

/** Capitals as small letters; of what ASCII does not have nothing is left. */
function fold(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code < 128 ? code : 0;
}

/** Letters of other languages: that such a text names a secret is seen no sooner. Signs and arrows are no letters. */
function isForeign(code: number): boolean {
  return code > 0xbf && (code < 0x2000 || (code >= 0x3040 && code < 0xd800));
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** The topics that a word here speaks of, as bits. */
function topicsAt(text: string, at: number): number {
  const start = startAt(text, at);
  if (!STARTS[start]) return 0;
  let topics = 0;
  for (const { rest, topic } of BY_START.get(start) ?? [])
    if ((topics & topic) === 0 && goesOn(text, at + 3, rest)) topics |= topic;
  return topics;
}

function goesOn(text: string, at: number, rest: string): boolean {
  for (let i = 0; i < rest.length; i++) if (fold(text.charCodeAt(at + i)) !== rest.charCodeAt(i)) return false;
  return true;
}

const AFTER = 700;
const BEFORE = 200;

interface Region {
  readonly start: number;
  readonly end: number;
  readonly topics: number;
}

const FOREIGN = (1 << TOPICS.indexOf('foreign')) | (1 << TOPICS.indexOf('speech'));
const STORES = 1 << TOPICS.indexOf('stores');

/** The lines about each clue, those that touch as one. */
function regions(text: string): Region[] {
  const found: Region[] = [];
  let [start, end, topics, inside] = [0, -1, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const word = isWord(code);
    let here = 0;
    if (word) here = inside ? 0 : topicsAt(text, at);
    else if (code > 0xbf) here = isForeign(code) ? FOREIGN : 0;
    else if (code === 60 && text.startsWith('<<<', at)) here = STORES;
    inside = word;
    if (here === 0) continue;
    if (end < 0 || at > end + BEFORE) {
      if (end >= 0) found.push({ start, end, topics });
      [start, topics] = [Math.max(lineStart(text, at - BEFORE), end), 0];
    }
    topics |= here;
    if (at > end - AFTER / 2) end = lineEnd(text, at + AFTER);
  }
  if (end >= 0) found.push({ start, end, topics });
  return found;
}

/** Lines without an end are cut where a word ends. */
const MAX_LINE = 2000;

function lineStart(text: string, at: number): number {
  if (at <= 0) return 0;
  return Math.max(text.lastIndexOf('\n', at) + 1, text.lastIndexOf(' ', at - MAX_LINE) + 1, 0);
}

function lineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = text.indexOf('\n', at);
  if (end >= 0 && end - at < MAX_LINE) return end;
  const space = text.indexOf(' ', at + MAX_LINE);
  return space < 0 ? text.length : space;
}

/** The text with what is near a clue changed; the change is told what is spoken of. */
export function changeNearClues(
  text: string,
  change: (part: string, speaksOf: (topic: Topic) => boolean) => string,
): string {
  let out = '';
  let from = 0;
  for (const { start, end, topics } of regions(text)) {
    out +=
      text.slice(from, start) +
      change(text.slice(start, end), (topic) => (topics & (1 << TOPICS.indexOf(topic))) !== 0);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}
