import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { redactTexts } from '../../src/sessions/redact.ts';
import { CONTEXTS } from './secret-contexts.ts';
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

function plant() {
  const dice = new Dice(20260102);
  return Array.from({ length: 3 }).flatMap(() =>
    KINDS.flatMap((kind) =>
      CONTEXTS.flatMap((context) => {
        const { text, secret } = kind.make(dice);
        if (context.oneLine && text.includes('\n')) return [];
        return [{ kind: kind.name, context: context.name, secret, text: context.write(kind.variable, text) }];
      }),
    ),
  );
}

test('planted secrets: of 56 kinds in 28 contexts at least 99 % are caught, of no kind less than 95 %', async () => {
  const planted = plant();
  const redacted = await redactTexts(planted.map(({ text }) => text));
  const table = new Map(KINDS.map(({ name }) => [name, { planted: 0, caught: 0, missed: new Set<string>() }]));
  planted.forEach(({ kind, context, secret }, i) => {
    const row = table.get(kind) ?? expect.fail(kind);
    row.planted++;
    if (findLeak(secret, redacted[i] ?? '') === undefined) row.caught++;
    else row.missed.add(context);
  });
  const rows = [...table].map(([name, { planted, caught, missed }]) => ({
    name,
    planted,
    caught,
    missed: [...missed],
  }));
  const lines = rows.map(({ name, planted, caught, missed }) => `${name.padEnd(28)}${caught}/${planted} ${missed}`);
  const [all, caught] = [planted.length, rows.reduce((sum, row) => sum + row.caught, 0)];
  console.log(`${lines.join('\n')}\n${'all'.padEnd(28)}${caught}/${all} = ${((100 * caught) / all).toFixed(2)} %`);
  expect([KINDS.length, CONTEXTS.length]).toEqual([56, 28]);
  expect(caught / all).toBeGreaterThanOrEqual(0.99);
  expect(rows.filter((row) => row.caught / row.planted < 0.95)).toEqual([]);
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
