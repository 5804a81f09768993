/** What names of secrets are made of. Each is looked for at any place of a name: `dbPassword`, `spring.datasource.password`. */

/** In other languages, those that ASCII can write. */
const PASSWORDS =
  'pass(?:word|wd|phrase|code|wort|ord(?![a-z]))|(?:key|store|require|db|root|admin|user|bind|smtp|my|sudo|ssh|ftp|become|vault|master)_?pass(?![a-z])|passwor|kennwort|contrasen[ay]a?|senha|palavra-?passe|wachtwoord|haslo|losenord|adgangskode|salasana|heslo|jelszo|lozinka|kata sandi|mots? de passe|parola(?! chiave)';

const KEY_OF =
  '(?:api|access|secret|private|storage|account|signing|signature|encryption|encrypt|master|shared|auth|client|service|app|admin|license|session|cookie|hmac|jwt|webhook|deploy|ssh|primary|secondary|server|root|write|read|crypto|data|preshared)';

export const NAME = new RegExp(
  [
    `(?<password>${PASSWORDS})`,
    // the word first, what stands before it later: most texts have few of them
    `(?<key>token|secret|credential|key(?<=${KEY_OF}[ _.-]?key)|key-data|jeton|cl[eé] (?:d.)?api|clave (?:de )?(?:la )?api|chave (?:de )?api|chiave api)`,
    // short words that others are made of: these stand alone, or at the joint of a name
    '(?<short>pass|pwd?|mdp|psk|pat|jwt|auth|dsn|otp|pw[dn]|creds?|hmac|salt|bearer|apikey)',
  ].join('|'),
  'gi',
);

/** The same words in letters that ASCII does not have: most texts are searched for none of them. */
export const FOREIGN =
  /(?<password>contraseñ[ay]a?|hasło|hasłem|lösenord(?:et)?|jelszó|şifre|parolă|пароль|пароля|паролем|парола|パスワード|合言葉|密码|密碼|口令|비밀번호|패스워드|암호|mật khẩu|κωδικός|סיסמה|סיסמא|كلمة (?:المرور|السر)|รหัสผ่าน|पासवर्ड|slaptažodis)|(?<key>schlüssel|clé (?:d['’])?(?:api|secrète)|chiave segreta|nyckel(?:n)?|токен|ключ|секрет|キー|トークン|シークレット|密钥|密鑰|令牌|秘钥|토큰|비밀 ?키)/gi;

export type Strength = 'password' | 'key';

/** Whether the short word at this place is a word of its own: `db_pass` and `dbPass`, not `passenger` and `bypass`. */
export function standsAlone(text: string, start: number, end: number): boolean {
  const [before, first, last, after] = [text[start - 1] ?? '', text[start] ?? '', text[end - 1] ?? '', text[end] ?? ''];
  const opens = !/[a-z\d]/i.test(before) || (/[a-z\d]/.test(before) && /[A-Z]/.test(first));
  const closes = !/[a-z]/i.test(after) || (/[a-z]/.test(last) && /[A-Z]/.test(after));
  return opens && closes;
}

/**
 * What may follow in a name whose value is still the secret: `PASSWORD_PROD`, `passwordHash`, `token2`. Not `PASSWORD_FILE` and `tokenType`.
 */
export const TAIL =
  /(?:s(?![a-z]))?(?:[_.-]?(?:hash|encrypted|enc|b64|base64|raw|plain(?:text)?|value|default|prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|root|admin|main|primary|secondary|old|new|current|previous|backup|confirm(?:ation)?|data|string|v?\d{1,3})(?![a-z])){0,2}/iy;

/** Any other end of a name in capitals: `GITHUB_TOKEN_ORG`; only what is random is believed there. */
export const LOUD_TAIL = /(?:_[A-Z0-9]{1,20}){1,4}(?=["'\]]{0,2}\s{0,3}[:=])/y;
