import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blame } from '../../src/commands/blame.ts';
import { inWorld } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.remove());

const REF = '--ref=agent/trace';

function record(over: Record<string, unknown>): string {
  return JSON.stringify({ version: '0.1.0', id: 'x', timestamp: 't', tool: { name: 't' }, files: [], ...over });
}

function ranges(...pairs: [unknown, unknown][]): string {
  const list = pairs.map(([start_line, end_line]) => ({ start_line, end_line }));
  const conversations = [{ url: 'u', contributor: { type: 'ai', model_id: 'm' }, ranges: list }];
  return record({ files: [{ path: 'a.txt', conversations }] });
}

const ESCAPES = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';
const hostile = {
  files: [
    {
      path: 'a.txt',
      conversations: [
        {
          url: `https://x/${ESCAPES}`,
          contributor: { type: 'ai', model_id: `model${ESCAPES}` },
          ranges: [{ start_line: 1, end_line: 2 }],
        },
      ],
    },
  ],
  tool: { name: `tool${ESCAPES}\nsecond line`, version: ESCAPES },
};

const NOTES: readonly [string, string | Buffer][] = [
  ['plain text', 'Reviewed-by: somebody\n\nno end of line'],
  ['binary', Buffer.from([0, 1, 2, 255, 254, 10, 13, 10, 0, 65])],
  ['five megabytes', `${'long '.repeat(1 << 20)}\n`],
  ['many lines', 'line\n'.repeat(100_000)],
  ['broken JSON', '{"version":"0.1.0","files":[\n{]\n'],
  [
    'prototype keys',
    '{"__proto__":{"files":[]},"version":"0.1.0","files":[{"path":"__proto__","conversations":[]}],"constructor":1}\n',
  ],
  ['deep nesting', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}\n${record({ metadata: 1 })}\n`],
  ['ranges beyond the file', `${ranges([50, 1e9], [0, 5], [-3, 2], [2, 1], ['1', '2'], [1.5, 2])}\n`],
  ['ranges across each other', `${ranges([1, 2], [2, 2], [1, 1], [1, 2])}\n${ranges([1, 9])}\n`],
  ['files of other kinds', `${record({ files: [1, null, { path: 7 }, { path: '../a.txt', conversations: {} }] })}\n`],
  ['terminal escapes', `${record(hostile)}\n`],
];

let file: string;
let count = 0;

test.each(NOTES)('a note of %s is kept byte for byte, and harms no form of blame', async (_, note) => {
  file = `${++count}.txt`;
  shop.human(file, 'person one\n');
  shop.ai(file, 'person one\nagent two\n');
  const commit = shop.commit();
  const before = Buffer.from(typeof note === 'string' ? note.replaceAll('a.txt', file) : note);
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: shop.dir, input: before })
    .toString()
    .trim();
  shop.git('notes', REF, 'add', '-C', blob, commit);
  const letters = await shop.blame(file); // ours are still pending
  await shop.work();
  const now = execFileSync('git', ['cat-file', 'blob', shop.git('notes', REF, 'list', commit)], {
    cwd: shop.dir,
    maxBuffer: 1 << 26,
  });
  expect(now.subarray(0, before.length).equals(before)).toBe(true);
  expect(now.length).toBeGreaterThan(before.length); // ours follow
  expect(await outputs()).toBe(letters);
});

/** All three forms, none with anything that a terminal would obey. */
async function outputs(): Promise<string> {
  const run = (...args: string[]) => inWorld(blame, shop.dir, [...args, file], { home: shop.home });
  const forms = await Promise.all([run(), run('--porcelain'), run('--json')]);
  for (const { status, stdout, stderr } of forms) {
    // what is damaged in it is told in one line
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^(?:[^\n]*damaged[^\n]*\n)?$/)]);
    for (const line of stdout.split('\n')) expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  }
  expect(forms[0]?.stdout.match(/ (person one|agent two)$/gm)).toHaveLength(2);
  const { lines } = JSON.parse(forms[2]?.stdout ?? '');
  expect(lines).toHaveLength(2);
  return lines.map(({ type }: { type: string }) => type.charAt(0)).join('');
}
