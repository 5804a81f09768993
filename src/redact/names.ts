/** What names of secrets are made of. Each is looked for at any place of a name: `dbPassword`, `spring.datasource.password`. */

const KEY_OF =
  '(?:api|access|secret|private|storage|account|signing|signature|encryption|encrypt|master|shared|auth|client|service|app|admin|license|session|cookie|hmac|jwt|webhook|deploy|ssh|primary|secondary|server|root|write|read|crypto|data|preshared)';

export const NAME = new RegExp(
  [
    // the word first, what stands before it later: most texts have few of them
    `(?<key>token|secret|credential|key(?<=${KEY_OF}[ _.-]?key)|key-data)`,
    // short words that others are made of: these stand alone, or at the joint of a name
    '(?<short>masterauth|pass(?:word|wd|phrase|code|wort|ort(?=[:= ]))?|pwd?|psk|pat(?![ht])|jwt|auth(?!or)|creds|apikey|dsn)',
  ].join('|'),
  'gi',
);

/** In other languages: looked for only where a clue was seen. */
export const FOREIGN =
  /(?<password>[Kk]ennwor[dt]|[Cc]ontrase(?:ñ|n|ny)[ay]|[Ss]enha|[Pp]alavra-?passe|[Ww]achtwoord|[Hh]as[lł](?:o|em)|[Ll][oö]senord(?:et)?|[Aa]dgangskode|[Ss]alasana|[Hh]eslo|[Jj]elsz[oó]|[Ll]ozinka|kata sandi|[Mm]ots? de passe|[Pp]arol[aă](?! chiave)|\b(?:mdp|MDP|Mdp)\b|[Şş]ifre(?:si)?|[Пп]арол(?:ь|я|ем|ю|а)|パスワード|合言葉|密码|密碼|口令|비밀번호|패스워드|암호|[Mm]ật khẩu|κωδικός|סיסמ[הא]|كلمة (?:المرور|السر)|รหัสผ่าน|पासवर्ड|slaptažodis|[Cc]lave(?! (?:de )?(?:la )?api))|(?<key>[Jj]eton|[Cc]l[eé] (?:d['’])?(?:api|API|secrète)|[Cc]lave (?:de )?(?:la )?(?:api|API)|[Cc]have (?:de |da )?(?:api|API)|[Cc]hiave (?:api|API|segreta)|[Ss]chlüssel|[Nn]yckel(?:n)?|[Тт]окен|[Кк]люч|[Сс]екрет|キー|トークン|シークレット|密钥|密鑰|令牌|秘钥|토큰|비밀 ?키)/g;

export type Strength = 'password' | 'key';

const JOINED = /(?:key|store|require|db|root|admin|user|bind|smtp|my|sudo|ssh|ftp|become|vault|master|wifi|mail)$/i;

/** Whether the short word at this place is a word of its own: `db_pass` and `dbPass`, not `passenger` and `bypass`. */
export function standsAlone(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  // long enough to be no part of another word
  if (word.length > 5) return true;
  const [before, first, last, after] = [text[start - 1] ?? '', text[start] ?? '', text[end - 1] ?? '', text[end] ?? ''];
  const joined = /^pass$/i.test(word) && JOINED.test(text.slice(Math.max(0, start - 8), start));
  const opens = joined || !/[a-z\d]/i.test(before) || (/[a-z\d]/.test(before) && /[A-Z]/.test(first));
  const closes = !/[a-z]/i.test(after) || (/[a-z]/.test(last) && /[A-Z]/.test(after));
  return opens && closes;
}

/**
 * What may follow in a name whose value is still the secret: `PASSWORD_PROD`, `passwordValue`, `token2`. Not `PASSWORD_FILE` and `tokenType`.
 */
export const TAIL =
  /(?:s(?![a-z]))?(?:[_.-]?(?:encrypted|enc|b64|base64|raw|plain(?:text)?|value|default|prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|root|admin|main|primary|secondary|old|new|current|previous|backup|confirm(?:ation)?|data|string|v?\d{1,3})(?![a-z])){0,2}/iy;

/** Any other end of a name in capitals: `GITHUB_TOKEN_ORG`; only what is random is believed there. */
export const LOUD_TAIL = /(?:_[A-Z0-9]{1,20}){1,4}(?=["'\]]{0,2}\s{0,3}[:=])/y;
