import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { redactDocument, redactEach, redactText, redactTexts } from '../../src/redact/redact.ts';
import { removeFolder } from '../support/remove.ts';

// put together here, so that no scanner takes this file for a leak
const GITHUB = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const AWS = `AKIA${'IOSFODNN7EXAMPL1'}`;
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'}`;
const SLACK = `xoxb-${'123456789012-123456789012'}-${'abcdefghijklmnopqrstuvwx'}`;
const PEM = `-----BEGIN RSA ${'PRIVATE KEY'}-----\nMIIEow\nIBAAK\n-----END RSA ${'PRIVATE KEY'}-----`;

describe('secrets', () => {
  const cases: [string, string][] = [
    [`export GITHUB_TOKEN=${GITHUB}`, 'export GITHUB_TOKEN=[REDACTED:api_key]'],
    [`key ${AWS}.`, 'key [REDACTED:api_key].'],
    [`x ${JWT} y`, 'x [REDACTED:api_key] y'],
    [SLACK, '[REDACTED:api_key]'],
    [`a\n${PEM}\nb`, 'a\n[REDACTED:api_key]\nb'],
    ['Authorization: Bearer abcdef.ghijkl-mnopqr', 'Authorization: Bearer [REDACTED:api_key]'],
    ['-H "Authorization: Basic dXNlcjpwYXNz"', '-H "Authorization: Basic [REDACTED:api_key]"'],
    ['postgres://me:hunter22@db/x', 'postgres://me:[REDACTED:password]@db/x'],
    ['https://user:pa55@example.com', 'https://user:[REDACTED:password]@example.com'],
    ['login?password=hunter2&x=1', 'login?password=[REDACTED:password]&x=1'],
    ['{"password": "hunter22"}', '{"password": "[REDACTED:password]"}'],
    ['https://h/x?a=b&token=abcdef1234567890abcdef#c', 'https://h/x?a=b&token=[REDACTED:api_key]#c'],
    ['[x](https://h/y?access_token=abcdef12345&z=1)', '[x](https://h/y?access_token=[REDACTED:api_key]&z=1)'],
    [
      'https://b.s3.example/k?X-Amz-Signature=abcdef0123456789',
      'https://b.s3.example/k?X-Amz-Signature=[REDACTED:api_key]',
    ],
    [
      'https://a.blob.example/c?sv=2024&sig=a%2Bb1c%3D%3D x',
      'https://a.blob.example/c?sv=2024&sig=[REDACTED:api_key] x',
    ],
    ["apiKey: 'abc123456'", "apiKey: '[REDACTED:api_key]'"],
    ['SLACK_SECRET=abcd\nPORT=80', 'SLACK_SECRET=[REDACTED:api_key]\nPORT=80'],
    ['sk-ant-api03-abcdefghijklmnop', '[REDACTED:api_key]'],
  ];
  test.each(cases)('%j', async (text, redacted) => {
    expect(await redactText(text)).toBe(redacted);
  });

  test.each([
    'const token = getToken();',
    'password: string',
    'api_key=os.environ["X"]',
    'f(token=token)',
    'GET /x?token=required&sig=missing',
    `https://h/x?token=\${token}&sig=%s&jwt=<yours>`,
    'TOKEN="$TOKEN"',
    'secretKey: process.env.SECRET_KEY',
    'https://example.com:8080/a@b',
    '2c965cfd-41e4-4e31-8339-2986ebced03c',
    'the password is required',
  ])('%j is left alone', async (text) => {
    expect(await redactText(text)).toBe(text);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    GITHUB,
    AWS,
    JWT,
    SLACK,
    PEM,
    'Authorization: ',
    'Bearer ',
    'Basic ',
    'password=',
    'api_key: "',
    '"',
    '_TOKEN=',
    '://u:',
    '@h',
    ' ',
    '\n',
    '[REDACTED:',
    ']',
    '=',
  ),
  fc.string({ maxLength: 12 }),
);

test('law: redacting twice is redacting once', async () => {
  const property = fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
    const once = await redactText(pieces.join(''));
    expect(await redactText(once)).toBe(once);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('law: texts do not disturb each other', async () => {
  const property = fc.asyncProperty(
    fc.array(
      fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
      { maxLength: 6 },
    ),
    async (texts) => {
      const apart = await Promise.all(texts.map(redactText));
      expect(await redactTexts(texts)).toEqual(apart);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

describe('a document', () => {
  const document: AgentLogDocument = {
    specVersion: '0.2.0',
    id: 'password=hunter2',
    startTime: '2026-10-01T10:00:00.000Z',
    status: 'completed',
    agent: { name: 'claude-code' },
    events: [
      {
        type: 'message',
        id: GITHUB,
        timestamp: '2026-10-01T10:00:00.000Z',
        role: 'user',
        content: `use ${GITHUB} and password=hunter2`,
      },
      {
        type: 'toolCall',
        id: 'b',
        timestamp: '2026-10-01T10:00:00.000Z',
        name: 'mcp__x__call',
        status: 'success',
        input: { url: 'https://example.com', headers: { 'X-Own': 'plain' }, deep: [{ env: ['A=b', null] }], id: AWS },
      },
    ],
  };

  test('loses its secrets and keeps its shape', async () => {
    const clean = await redactDocument(document);
    expect(clean.id).toBe(document.id);
    expect(clean.events).toMatchObject([
      { id: GITHUB, content: 'use [REDACTED:api_key] and password=[REDACTED:password]' },
      {
        input: {
          url: 'https://example.com',
          headers: { 'X-Own': '[REDACTED:custom]' },
          deep: [{ env: ['[REDACTED:custom]', null] }],
          id: '[REDACTED:api_key]',
        },
      },
    ]);
    expect(clean.redactions).toEqual([
      { category: 'api_key', count: 2, redactedBy: 'git-agent-blame' },
      { category: 'password', count: 1, redactedBy: 'git-agent-blame' },
    ]);
    expect(await redactDocument(clean)).toEqual(clean);
  });

  const withInput = (input: Record<string, unknown>, name = 'Fetch'): AgentLogDocument => ({
    ...document,
    events: [{ type: 'toolCall', id: 'b', timestamp: '2026-10-01T10:00:00.000Z', name, status: 'success', input }],
    properties: { environment: { os: 'linux', sandboxes: ['/s'], e: 1, vcs: { revision: 'a1'.repeat(20) } } },
  });
  const GONE = '[REDACTED:custom]';

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'of a request',
      { url: 'u', headers: { Accept: 'text/html', Authorization: 'abc', 'X-Api-Key': 'k', Cookie: 'c' } },
      { headers: { Accept: 'text/html', Authorization: GONE, 'X-Api-Key': GONE, Cookie: GONE } },
    ],
    [
      'of a process',
      { env: { CI: 'true', PORT: 80, DB_PASSWORD: 'x', GITHUB_TOKEN: 1, SOME: 'a9Xk2Lq8Zr4Tm6Wp', KEY_FILE: null } },
      { env: { CI: 'true', PORT: 80, DB_PASSWORD: GONE, GITHUB_TOKEN: GONE, SOME: GONE, KEY_FILE: null } },
    ],
    [
      'in a list',
      { env: [{ name: 'LANG', value: 'C' }, { name: 'API_KEY', value: 'x' }, 'A=b'] },
      { env: [{ name: 'LANG', value: 'C' }, { name: 'API_KEY', value: GONE }, 'A=b'] },
    ],
    [
      'of MCP servers, by whatever name',
      { mcpServers: { x: { env: { LANG: 'C' } } }, other: { command: 'x', args: [], env: { LANG: 'C' } } },
      { mcpServers: { x: { env: { LANG: GONE } } }, other: { env: { LANG: GONE } } },
    ],
    ['of a server in a list', { list: [{ type: 'http', headers: { A: 'b' } }] }, { list: [{ headers: { A: GONE } }] }],
  ])('loses the secret variables %s, and no others', async (_, input, kept) => {
    const clean = await redactDocument(withInput(input));
    expect(clean.events).toMatchObject([{ input: kept }]);
    expect(clean.properties).toEqual(withInput({}).properties);
    expect(await redactDocument(clean)).toEqual(clean);
  });

  test('without secrets stays as it is', async () => {
    const plain = { ...document, events: [] };
    expect(await redactDocument(plain)).toEqual(plain);
  });
});

test('five megabytes in many texts take seconds, not minutes', async () => {
  const texts = Array.from({ length: 5000 }, (_, i) =>
    `const value${i} = compute(options, "some text", 42);\n`.repeat(20),
  );
  const started = performance.now();
  expect(await redactTexts([...texts, GITHUB])).toEqual([...texts, '[REDACTED:api_key]']);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('one text after another leaves no work behind', async () => {
  const marks = () => performance.getEntriesByType('mark').length;
  await redactText(SLACK);
  const before = marks();
  for (let i = 0; i < 20; i++) await redactText(`${SLACK} ${i}`);
  expect(marks()).toBe(before);
});

test.each([
  'x'.repeat(1e6),
  'aB3/'.repeat(250_000),
  'password='.repeat(100_000),
  '://a:'.repeat(200_000),
  'eyJ'.repeat(300_000),
  `-----BEGIN ${'PRIVATE KEY'}-----`.repeat(30_000),
])('hostile text %#', async (text) => {
  const started = performance.now();
  await redactText(text);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('works bundled', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'redact-'));
  try {
    const entry = path.join(folder, 'entry.ts');
    const source = JSON.stringify(path.resolve('src/redact/redact.ts'));
    fs.writeFileSync(
      entry,
      `import { redactText } from ${source};\nconsole.log(await redactText(${JSON.stringify(SLACK)} + ' ' + process.argv[2]));`,
    );
    const banner = {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    };
    await build({
      entryPoints: [entry],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      banner,
      logLevel: 'error',
    });
    // a key of a kind that only the scanner knows
    const openai = `https://hooks.slack.com/services/${'T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'}`;
    expect(execFileSync(process.execPath, [path.join(folder, 'entry.mjs'), openai], { encoding: 'utf8' }).trim()).toBe(
      '[REDACTED:api_key] [REDACTED:api_key]',
    );
  } finally {
    removeFolder(folder);
  }
});

test('of many texts, some of them twice, each becomes what it becomes alone', async () => {
  const texts = ['ls', 'export API_KEY="abcdef123456"', 'ls', '', 'curl -u me:hunter22 x'];
  const redacted = await redactEach(texts);
  for (const text of texts) expect(redacted(text)).toBe(await redactText(text));
  expect(redacted('nobody asked for this')).toBe('');
});
