import type { Rule } from './rule.ts';

// the letters of crypt(3), and those of base64
const CRYPT = '[./A-Za-z0-9]';
const BASE64 = String.raw`[\w+/.=-]`;

/** Passwords as systems keep them: whoever has time finds the password. In shells, the dollars may have a backslash before them. */
export const HASHES: readonly Rule[] = [
  {
    category: 'password',
    clue: '$',
    pattern: new RegExp(
      [
        String.raw`\\?\$2[abxy]?\\?\$\d\d\\?\$${CRYPT}{40,53}`,
        String.raw`\\?\$(?:1|5|6|7|y|gy|md5|sha1|apr1|sha256|sha512)\\?\$(?:rounds=\d{1,9}\\?\$)?${BASE64}{1,64}\\?\$(?:${BASE64}{1,64}\\?\$)?${BASE64}{16,128}`,
        String.raw`\\?\$[PHS]\\?\$${CRYPT}{30,56}`,
        String.raw`\\?\$(?:argon2(?:id?|d)|scrypt|pbkdf2(?:-sha\d{1,3})?|bcrypt-sha256|krb5\w{1,10}|ml|NT|DCC2)\\?\$[\w+/.=,@*:$\\-]{16,400}`,
      ].join('|'),
      'dg',
    ),
  },
  {
    category: 'password',
    pattern:
      /\b(?:pbkdf2_sha\d{1,3}|bcrypt_sha\d{1,3}|bcrypt|argon2|scrypt|md5|sha1)\$[\w$+/.=,]{24,300}|\b(?:scrypt|pbkdf2|argon2)(?::[\w.]{1,20}){1,4}\$[\w+/.=-]{4,64}\$[\w+/.=-]{16,200}/dg,
    clue: '$',
  },
  // LDAP
  {
    category: 'password',
    pattern: /\{S?(?:SHA|MD5|SMD5|CRYPT|SHA256|SHA384|SHA512|PBKDF2(?:-SHA\d{1,3})?|ARGON2)\}[\w+/.$=,-]{16,300}/dgi,
    clue: '}',
  },
  // Windows: the LAN manager's and the other half
  { category: 'password', pattern: /:(?<=\b[0-9a-f]{32}:)(?<secret>[0-9a-f]{32})\b/dgi, clue: ':' },
];

/** The same, where a clue is near. */
export const STATED_HASHES: readonly Rule[] = [
  {
    category: 'password',
    pattern: /\bSCRAM-SHA-(?:1|256|512)\$\d{1,9}:[\w+/=]{8,64}\$[\w+/=]{16,100}:[\w+/=]{16,100}/dg,
    clue: 'SCRAM-SHA',
  },
  // MySQL's and PostgreSQL's own, where a user is given one
  {
    category: 'password',
    pattern:
      /(?:\*[0-9A-F]{40}|md5[0-9a-f]{32})(?=['"])(?<=\b(?:identified|password|with|auth_string|authentication_string)\b[^\n]{0,60}?['"][*\w]{35,41})/dgi,
    clue: "'",
  },
];
