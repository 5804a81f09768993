import { grade, isSaid } from './looks.ts';
import { NOT, type Rule } from './rule.ts';

function typed(value: string): boolean {
  const bare = value.replace(/[.,;:!?)]{1,3}$/, '');
  const so = grade(bare);
  return (so === 'typed' || so === 'random') && !/^\d{1,5}$/.test(bare);
}

const WORD = String.raw`${NOT}(?<secret>[^\s"'\x60<>,;\\]{3,100}[^\s"'\x60<>,;.:)!?\\])`;
const IS = '(?:is|are|was|=|:|：|ist|sind|lautet|lauten|est|sont|es|son|é|è|sono|to|är|jest)';

/** Letters of all languages. */
const L = String.raw`A-Za-z\xaa-\u1fff\u3040-\ud7ff`;

/** Who somebody is, and how he proves it, in one breath. */
const LOGINS: readonly Rule[] = [
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b(?:log ?-?in|log(?:ged)? in|sign ?-?in|creds?|credentials?|account|zugangsdaten|anmeldung|zugang|identifiants?|connexion|credenciales|credenziali|acceso|accesso|inloggegevens|dane logowania|anmelden|connect)\b(?:[ \t][\w'’.-]{1,20}){0,6}?[ \t]?(?:${IS}|with|as|avec|mit|con|con el|using)?:?[ \t]{1,2}["'\x60]?[\w.+@-]{2,60}["'\x60]?(?:[ \t]?[/|][ \t]?|:|[ \t](?:and|und|et|y|e|with|mit|avec|con|en)[ \t]|,[ \t])["'\x60]?${WORD}`,
      'dgi',
    ),
    believes: (value) => typed(value) && !/\//.test(value),
  },
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b(?:user(?:name)?|benutzer(?:name)?|utilisateur|usuario|utente|login|e-?mail|gebruiker|użytkownik|användare)\s{0,2}[:=]?\s{1,2}["'\x60]?[\w.+@-]{2,60}["'\x60]?[ \t]{0,2}[,;/|]?[ \t]{0,2}(?:and|und|et|y|e|with|mit)?[ \t]{0,2}(?:the[ \t])?(?:pw|pass(?:wor[dt])?|pwd|p|mdp|kennwort|clave)[:=]?[ \t]{1,2}["'\x60]?${WORD}`,
      'dgi',
    ),
    believes: (value) => !isSaid(value) && grade(value) !== 'none' && value.length >= 4,
  },
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`(?<![\w/.@-])(?:admin|root|administrator|postgres|sa|sysadmin|superuser)[ ]?[/:][ ]?${WORD}!?`,
      'dg',
    ),
    believes: (value, match) =>
      typed(value) &&
      /[a-z]/.test(value) &&
      /\d/.test(value) &&
      !/[/:]/.test(value) &&
      (/[!#$%&*@?]/.test(match[0]) || (match[0].includes(':') && /[A-Z]/.test(value))),
  },
];

const NUMBERED = String.raw`(?:${IS}[ \t]|[:：=][ \t]{0,2}|[ \t]|は|是)`;
const FILL = String.raw`(?:[ \t][\w'’.-]{1,20}){0,6}?[ \t]?`;

/** Short numbers and codes that open something once, or when all else is lost. */
const CODES: readonly Rule[] = [
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`(?<![\w-])(?:PIN|pin[ -]?code|(?:SIM|card|door|gate|alarm|phone|safe)[ -](?:pin|code)|TAN|PUK|CVV2?|CVC|otp|totp|code (?:to|for|of) the (?:alarm|door|gate|safe|card|phone|lock|house)|(?:2fa|mfa|sms|login|verification|security|one[- ]time|confirmation|access|auth(?:entication)?|unlock)[ -](?:code|token|passcode|pin)|geheimzahl|暗証番号|ПИН(?:-код)?|código de (?:verificación|seguridad)|code (?:pin|de vérification)|codice pin)(?![\w-])${FILL}${NUMBERED}["'\x60]?(?<secret>\d{3,4}[ -]?\d{0,4})(?![\w.-]|,\d)`,
      'dgi',
    ),
    believes: (value, match) =>
      value.replace(/\D/g, '').length >= 3 && /PIN|code|TAN|PUK|CV|otp|mfa|2fa|token|番号|ПИН|zahl/i.test(match[0]),
  },
  {
    category: 'password',
    pattern:
      /\b(?<secret>\d{6})\s(?:is|ist|est|es)\s(?:your|the|my|dein|ihr|votre|tu|su)\b[^\n]{0,40}\b(?:code|otp|pin|passcode|código)/dgi,
  },
  {
    category: 'password',
    within:
      /\b(?:recovery|backup|rescue|emergency|scratch|reset|wiederherstellungs|notfall|de secours|de récupération|de recuperación)[ -]?(?:codes?|keys?|phrase|schlüssel)?\b[^\n]{0,80}(?:\n[^\n]{0,80}){0,12}/gi,
    pattern:
      /(?<![\w/.#-])(?<secret>(?=[\w-]{0,50}\d)[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,9}|(?=[a-z]{0,8}\d)[a-z0-9]{8,12}|\d{4} \d{4})(?![\w/.-])/dg,
    believes: (value) => !/^(?:19|20)\d\d-|^[a-z]{4,8}-\d{1,4}$|^[0-9a-f]{8}$/.test(value) || /^\d{8}$/.test(value),
  },
  {
    category: 'password',
    pattern: new RegExp(
      String.raw`\b(?:security (?:question|answer)|secret (?:question|answer)|sicherheits(?:frage|antwort)|question secrète|pregunta de seguridad|maiden name|first pet|erstes haustier|mädchenname)\b(?:[^\n.]{0,60}?\?)?(?:[^\n.?]{0,60}?\b(?:answer|antwort|réponse|respuesta))?(?:[ \t][\w'’]{1,15}){0,4}?[ \t]?(?:is|was|ist|lautet|est|es|:|=)[ \t]{1,2}["'\x60„“«]?${NOT}(?<secret>[${L}][${L}\d '-]{1,40}[${L}\d])`,
      'dgi',
    ),
    believes: (value) => !isSaid(value.split(' ')[0] ?? ''),
  },
  // of a wallet: whoever has these words has the money
  {
    category: 'password',
    pattern:
      /\b(?:seed|mnemonic|recovery|backup|wallet)\b[ -]?(?:phrase|words?|seed)?\b[^\n:"'`]{0,40}[:="'`]?[ \t\n]{0,4}["'`]?(?<secret>[a-z]{3,8}(?:[ \t\n]{1,3}(?:\d{1,2}\.[ ])?[a-z]{3,8}){11,23})\b/dgi,
    believes: (value) =>
      !value
        .split(/\s+/)
        .some((word) => /^(?:the|and|for|with|that|this|you|are|from|not|was|have|will|can)$/.test(word)),
  },
];

/** What people say of their secrets without the name of any. */
export const SPEECH: readonly Rule[] = [...LOGINS, ...CODES];

/** Kept in files that name no secret: `host:port:database:user:password`, the data of a cluster's secrets. */
export const FILES: readonly Rule[] = [
  {
    category: 'password',
    clue: ':',
    pattern:
      /^(?:[\w.-]{1,100}|\*):(?:\d{2,5}|\*):[^\s:]{1,63}:[^\s:]{1,63}:(?!\[REDACTED:)(?<secret>[^\s:]{3,200})$/dgm,
  },
  {
    category: 'api_key',
    clue: 'Secret',
    within:
      /\bkind:\s{0,3}["']?Secret\b(?:(?!\n---)[\s\S]){0,4000}|(?:\n|^)(?:data|stringData):\n(?:[ ][^\n]{0,400}\n){1,40}(?=(?:[\s\S]){0,400}kind:\s?Secret)/g,
    pattern:
      /\n[ ]{1,8}["']?(?!name|namespace|type|app|kind|uid|resourceVersion|creationTimestamp|labels|managed|helm|chart|release)[\w./-]{1,60}["']?:[ ](?!\[REDACTED:|\$|\{|<|%)["']?(?<secret>[^\s"'#{}]{4,2000})/dg,
    believes: (value) => grade(value) !== 'none' && !/^(?:Opaque|true|false|v\d|https?:|kubernetes\.io)/.test(value),
  },
];

/** The same, where a clue is near. */
export const ENTRIES: readonly Rule[] = [
  {
    category: 'api_key',
    clue: 'auth',
    pattern: /"(?:auth|identitytoken|registrytoken)"\s{0,3}:\s{0,3}"(?!\[REDACTED:)(?<secret>[\w+/=.-]{8,4000})"/dg,
  },
  { category: 'password', clue: '::', pattern: /^(?:user)?passw(?:or)?d::\s(?<secret>[\w+/=]{6,400})/dgim },
];
