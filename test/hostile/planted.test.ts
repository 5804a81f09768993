import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { redactTexts } from '../../src/redact/redact.ts';
import { EVERYDAY } from './everyday.ts';
import { HARMLESS } from './harmless.ts';
import { CONTEXTS } from './secret-contexts.ts';
import { ISSUED_KINDS } from './secret-issued.ts';
import { Dice, KINDS } from './secret-kinds.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** A part of a secret that still stands there: eight characters in a row are too many. */
function findLeak(secret: string, text: string): string | undefined {
  for (const line of secret.split('\n')) {
    for (let i = 0; i === 0 || i + 8 <= line.length; i++) {
      if (text.includes(line.slice(i, i + 8))) return line.slice(i, i + 8);
    }
  }
  return undefined;
}

interface Place {
  readonly kind: string;
  readonly context: string;
  readonly secret: string;
  readonly text: string;
}

const ALL_KINDS = [...KINDS, ...ISSUED_KINDS];

/** What has a name: each kind at each place. */
function plant(): Place[] {
  const dice = new Dice(20260102);
  return Array.from({ length: 3 }).flatMap(() =>
    ALL_KINDS.flatMap((kind) =>
      CONTEXTS.flatMap((context) => {
        const { text, secret } = kind.make(dice);
        if (context.oneLine && text.includes('\n')) return [];
        return [{ kind: kind.name, context: context.name, secret, text: context.write(kind.variable, text) }];
      }),
    ),
  );
}

/** What stands in one place only: a command, a file of some program, what somebody says. */
function plantEveryday(): Place[] {
  const dice = new Dice(20260103);
  return Array.from({ length: 40 }).flatMap(() =>
    EVERYDAY.map(({ name, write, make }) => {
      const secret = make(dice);
      return { kind: name, context: write, secret, text: write.replace('§', () => secret) };
    }),
  );
}

async function expectCaught(planted: readonly Place[]): Promise<void> {
  const redacted = await redactTexts(planted.map(({ text }) => text));
  const table = new Map<string, { planted: number; caught: number; missed: Set<string> }>();
  planted.forEach(({ kind, context, secret }, i) => {
    const row = table.get(kind) ?? { planted: 0, caught: 0, missed: new Set<string>() };
    table.set(kind, row);
    row.planted++;
    if (findLeak(secret, redacted[i] ?? '') === undefined) row.caught++;
    else row.missed.add(context);
  });
  const rows = [...table].map(([name, row]) => ({ name, ...row, missed: [...row.missed] }));
  const lines = rows.map(({ name, planted, caught, missed }) => `${name.padEnd(28)}${caught}/${planted} ${missed}`);
  const [all, caught] = [planted.length, rows.reduce((sum, row) => sum + row.caught, 0)];
  console.log(`${lines.join('\n')}\n${'all'.padEnd(28)}${caught}/${all} = ${((100 * caught) / all).toFixed(2)} %`);
  expect(caught / all).toBeGreaterThanOrEqual(0.99);
  expect(rows.filter((row) => row.caught / row.planted < 0.95)).toEqual([]);
  expect(await redactTexts(redacted)).toEqual(redacted);
}

test('planted secrets: of 111 kinds in 28 contexts at least 99 % are caught, of no kind less than 95 %', async () => {
  expect([ALL_KINDS.length, CONTEXTS.length]).toEqual([111, 28]);
  await expectCaught(plant());
});

test('everyday secrets: of those in 120 places the same', async () => {
  expect(EVERYDAY.length).toBe(120);
  await expectCaught(plantEveryday());
});

test.each(HARMLESS)('%j is harmless', async (text) => {
  expect(await redactTexts([text])).toEqual([text]);
});

test('the same texts without a secret: each planted text is changed only where the secret stood', async () => {
  const texts = CONTEXTS.flatMap(({ write }) =>
    ['DB_PASSWORD', 'GITHUB_TOKEN', 'API_KEY', 'PRIVATE_KEY'].map((variable) => write(variable, '$FROM_THE_VAULT')),
  );
  expect(await redactTexts(texts)).toEqual(texts);
});

test.each([
  'const token = await findToken(request2);',
  'the token is 2c965cf and the secret of it is patience',
  'password is required, passwords are hashed',
  'primary key 1234567890, foreign key users_2024_id',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  'tokens: 12345, cached tokens: 678, max_tokens=4096',
  '"integrity": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08=="',
  'secretName: my-release-postgresql',
  'token: anthropic/claude-opus-4-5-20251101',
  'a secret of google-vertex/gemini-2.5-pro-2025.06.05 and no token gpt-5.1-codex-max-2025-11-19',
  'the password is base64-encoded, passwords: sha256-hashed',
  'passphrase: argon2id, password is pbkdf2.',
  'passwordField.value = form.elements.password.value',
  'see https://example.com/docs/tokens#section-2 and http://localhost:8080/@scope/name',
])('%j is no secret', async (text) => {
  expect(await redactTexts([text])).toEqual([text]);
});

test.each([
  'token: abcd-1234-efgh-5678-9a1b',
  'secret: claude-7f3a-9b2c-4d5e-0011',
  'the password is base64secret9',
  'password: sha256x1',
])('%j is one', async (text) => {
  expect((await redactTexts([text]))[0]).toContain('[REDACTED:');
});

test.each([
  ['mysql -uroot -pMyS3cretPw99 db', 'MyS3cretPw99'],
  ["mysqldump --all-databases -h db -p'my s3cret' | gzip", 'my s3cret'],
  ['/usr/bin/mysqladmin -u root -psecret status', 'secret'],
  ['docker exec x mariadb-dump \\\n  -u root \\\n  -pQwe98zxcTT app', 'Qwe98zxcTT'],
  ['spawn("mysql", ["-u", "root", "-pQwe98zxcTT"])', 'Qwe98zxcTT'],
  ['docker login -u me -p D0ckerPw123456 reg', 'D0ckerPw123456'],
  ['podman login --username me --password "pass word" reg', 'pass word'],
  ['buildah login -u me -p=D0ckerPw reg', 'D0ckerPw'],
  ['helm registry login -u me --password D0cker/Pw reg', 'D0cker/Pw'],
  ['run(["docker", "login", "-u", "me", "-p", "D0ckerPw"])', 'D0ckerPw'],
  ["sshpass -p 'Qwe98zxcTT' ssh h", 'Qwe98zxcTT'],
  ['sh -c "sshpass -v -pQwe98 ssh -p 2222 h"', 'Qwe98'],
  ['GET /\r\nCookie: session=abc123def456ghi789jkl012mno345\r\n', 'abc123def456ghi789jkl012mno345'],
  [`curl -H 'cookie: theme=dark; sid=38afes7a8' h`, '38afes7a8'],
  ['curl -s -b "PHPSESSID=el4ukv0kqbvoirg7nkp4dncpk3" h', 'el4ukv0kqbvoirg7nkp4dncpk3'],
  ['Set-Cookie: id=abc123def456ghi789jkl012mno345; Path=/; HttpOnly', 'abc123def456ghi789jkl012mno345'],
])('%j is stored without the password or session in it', async (text, secret) => {
  const [redacted = ''] = await redactTexts([text]);
  expect(redacted).toMatch(/\[REDACTED:(?:password|api_key)\]/);
  expect(redacted).not.toContain(secret);
  expect(await redactTexts([redacted])).toEqual([redacted]);
});

test.each([
  'mkdir -p src/build2/out',
  'docker run -p 8080:80 --name login3 nginx',
  'docker run --name mysql -p3306:3306 -e X=1 mysql:8',
  'docker login reg; docker run -p 8080:80 x1',
  'docker login reg\nmkdir -p build2/out',
  'docker login -u me --password-stdin reg < file2',
  'docker login -p is not safe, and with -p flag neither',
  'docker login -u me -p "$DOCKER_PASSWORD" reg',
  'mysql -p db',
  'mysql -h h -P3306 -u root -p app1',
  'mysql --protocol=tcp1 -u root -p"$PW" app',
  'run `mysql -p`, or `mysqldump -p` and `mysqladmin -p`-style commands',
  'go run ./cmd/mysql -port=3306 -path x1',
  'sshpass -e ssh -p 2222 host1',
  'sshpass -f file1 scp -P 22 a b',
  'Cookie: theme=dark; lang=en-US; width=1280',
  'Set-Cookie: theme=dark; Expires=Thu, 21 Oct 2021 07:28:00 GMT; Path=/',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a program may say
  "res.setHeader('Set-Cookie', `session=${createSession2(user)}; Path=/`)",
  'const cookie = name=value1; document.cookie = "consent=accepted-all-2024"',
])('%j has none', async (text) => {
  expect(await redactTexts([text])).toEqual([text]);
});

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(ROOT, folder, name))
    .filter((file) => /\.(?:ts|tsx|md|json|yml|1)$/.test(file) && fs.statSync(file).size < 400_000);
}

test('false alarms: in our own sources and pages, at most one line in ten thousand', async () => {
  const files = [
    ...['src', 'docs', 'man'].flatMap(filesBelow),
    ...['README.md', 'CHANGELOG.md'].map((name) => path.join(ROOT, name)),
  ];
  const texts = files.map((file) => fs.readFileSync(file, 'utf8'));
  const redacted = await redactTexts(texts);
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
  const alarms = redacted.flatMap((text, i) => {
    const before = new Set(texts[i]?.split('\n'));
    return text.split('\n').filter((line) => !before.has(line));
  });
  console.log(`${alarms.length} false alarms in ${lines} lines:\n${alarms.map((line) => line.trim()).join('\n')}`);
  expect(lines).toBeGreaterThan(50_000);
  expect(alarms.length).toBeLessThanOrEqual(lines / 10_000);
});
