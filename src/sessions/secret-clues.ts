/**
 * What texts have, in any case of letters, that the slower tables may find something in: programs that take a secret, words that people say
 * beside one. Each stands at the beginning of a word and has three letters at least. One look for all of them is cheaper than a look for
 * each rule, and only what is near one of them is looked at again.
 */
const CLUES = [
  // programs, as they stand in commands
  'redis-cli|valkey-cli|keydb-cli|ldap|keytool|jarsigner|apksigner|openssl|mongo|sqlcmd|bcp |osql|isql|tsql|ipmitool|mosquitto|zip |zip"|unzip|zipcloak|7z |7za|7zr|rar |unrar|gpg|useradd|usermod|adduser|cypher-|cqlsh|couchbase|cbq|evil-winrm|rdesktop|hydra|twine|nxc|crackmap|netexec|neo4j|nats |ncftp|clickhouse|ssh-keygen|sshpass|security add|security un|security create|security import|pdftk|pdfto|pdfi|qpdf|xfreerdp|wlfreerdp|cmdkey|schtasks|psexec|plink|pscp|psftp|altool|xcrun|mysql|mariadb|docker login|docker", "login|podman|buildah|nerdctl|skopeo|oras |az login|oc login|cf login|argocd|helm registry|crane auth',
  'curl|wget|http -|http get|http post|https -|xh |siege|auth |smb|rpcclient|net use|net user|net ads|net rpc|wmic|winexe|mount.cifs|samba|lftp|sqlplus|sqlldr|expdp|impdp|rman|sqlcl|jdbc|htpasswd|rabbitmqctl|set-initial|encrypt_string|rclone|wpa_pass|convertto|pscredential',
  'sudo|chpasswd|passwd|cryptsetup|kinit|smbpasswd|stdin|with-token|passphrase-fd|password-fd|send |sendline|secret set|secrets set|secrets import|secret create|create secret|secret put|secret generic|from-literal|secret-string|secret-binary|secret-value|variable set|variables |config:set|config:add|config set|vault |eb setenv|set env|env:set|env set|env add|env-set|keyvault|put-parameter|jwt.|createhmac|identified|crypt(|encrypt(|password(|hashbytes|http-basic|authtoken|cargo login|npm login|gem login|login ',
  // what requests carry
  'authorization|proxy-auth|bearer|cookie|set-cookie|x-api|x-auth|x-access',
  // addresses that let in, hashes that are stated
  'discord|hooks.slack|webhook|sentry|ingest|otpauth|atlasv1|scram-sha|with password|password \'|auth_string|authentication_string|auth"|identitytoken|registrytoken|userpassword:|password::',
  // said
  'log in|log-in|logged in|sign in|sign-in|login:|login is|login=|logins|creds|credential|account is|account:|account for|zugang|anmeld|identifiant|connexion|credenci|acceso|accesso|inloggeg|dane logowania|connect with|user:|user |username|user=|user"|benutzer|utilisateur|usuario|utente|gebruiker|email:|e-mail:|email ',
  'pin:|pin |pin-|pin=|pincode|puk|cvv|cvc|tan:|tan |otp|totp|2fa|mfa|sms |verification|one-time|one time|confirmation|access code|unlock|geheimzahl|codice|code pin|code de|card |door |gate |alarm |phone |safe |is your|is the|ist ihr|ist dein|recovery|backup c|backup k|backup p|backup-c|rescue|emergency|scratch|reset code|wiederherst|notfall|seed |seed:|mnemonic|wallet|security q|security a|security c|secret q|secret a|sicherheits|pregunta|question secr|mother|maiden|first pet|erstes haus',
  // programs that make secrets
  'dev/random|dev/urandom|urandom|random |pwgen|apg |gpw |mkpasswd|makepasswd|secrets.token|randombytes|uuidgen|head -c|rake secret|rails secret|artisan key|wg gen|age-keygen|generate_secret|get_random_secret|bcrypt|gen_random',
  // names of secrets in other languages
  'kennwor|contrase|senha|palavra|wachtw|haslo|losenord|adgangsk|salasana|heslo|jelszo|lozink|kata sandi|mot de passe|mots de passe|parola|mdp|jeton|clave|chave|chiave|cle api',
].flatMap((words) => words.split('|'));

/** By their first three letters, seven bits for each. */
const BY_START = new Map<number, string[]>();
for (const clue of CLUES) {
  const start = startAt(clue, 0);
  BY_START.set(start, [...(BY_START.get(start) ?? []), clue.slice(3)]);
}
/** Whether a word that begins so may be one of them. */
const STARTS = new Uint8Array(1 << 21);
for (const start of BY_START.keys()) STARTS[start] = 1;

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

/** Where the next clue stands, or -1. */
function nextClue(text: string, from: number): number {
  let inside = from > 0 && isWord(text.charCodeAt(from - 1));
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0xbf && isForeign(code)) return at;
    const word = isWord(code);
    if (word && !inside && isClue(text, at)) return at;
    // here strings of shells
    if (code === 60 && text.startsWith('<<<', at)) return at;
    inside = word;
  }
  return -1;
}

function isClue(text: string, at: number): boolean {
  const start = startAt(text, at);
  if (!STARTS[start]) return false;
  return BY_START.get(start)?.some((rest) => goesOn(text, at + 3, rest)) === true;
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
}

/** The lines about each clue, those that touch as one. */
function regions(text: string): Region[] {
  const found: Region[] = [];
  let start = 0;
  let end = -1;
  for (let at = nextClue(text, 0); at >= 0; at = nextClue(text, Math.max(at + 1, end - AFTER / 2))) {
    const from = lineStart(text, at - BEFORE);
    if (from > end) {
      if (end >= 0) found.push({ start, end });
      start = from;
    }
    end = Math.max(end, lineEnd(text, at + AFTER));
  }
  if (end >= 0) found.push({ start, end });
  return found;
}

/** Lines without an end are cut where a word ends. */
const MAX_LINE = 2000;

function lineStart(text: string, at: number): number {
  if (at <= 0) return 0;
  return Math.max(text.lastIndexOf('\n', at) + 1, text.lastIndexOf(' ', at - MAX_LINE) + 1);
}

function lineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = text.indexOf('\n', at);
  if (end >= 0 && end - at < MAX_LINE) return end;
  const space = text.indexOf(' ', at + MAX_LINE);
  return space < 0 ? text.length : space;
}

/** The text with what is near a clue changed. */
export function changeNearClues(text: string, change: (part: string) => string): string {
  let out = '';
  let from = 0;
  for (const { start, end } of regions(text)) {
    out += text.slice(from, start) + change(text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}
