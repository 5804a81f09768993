import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { inWorld, type Outcome } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** Clears the screen, sets the title, writes to the clipboard, turns the direction of writing. */
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u009b31m\u202eevil\u2066';
const HTML = '<img src=x onerror=alert(1)>"\'&<script>alert(1)</script>';
/** All of what a name may contain that a program, a terminal or a page would obey. */
const FILES = [
  '-rf',
  '--output=owned',
  `escape${ESCAPES}.txt`,
  'two\nlines.txt',
  '__proto__',
  'constructor/toString',
  `page${HTML.replaceAll('/', '')}.txt`,
  ':(exclude)magic',
  '$(touch owned).txt',
  '=cmd|calc!A1.csv',
];
const BRANCHES = ['-rf', '--output=owned', '__proto__', '\u202eevil', ['$(touch$', '{IFS}owned)'].join('')];

let shop: Workshop;
let commits: readonly string[];

/** A hook, filters and drivers that the repository names: whatever runs leaves a mark. */
const DRIVERS = ['diff.evil.textconv', 'diff.evil.command', 'diff.external', 'core.pager', 'pager.log', 'gpg.program'];

beforeAll(async () => {
  shop = await openWorkshop();
  for (const [i, file] of FILES.entries()) {
    shop.human(file, `person ${i} ${HTML}\n`);
    shop.ai(file, `person ${i} ${HTML}\nagent ${ESCAPES}\n`, i % 2 ? '__proto__' : `s1${ESCAPES}`);
  }
  shop.prompt(`Please ${HTML} ${ESCAPES}`, '__proto__');
  shop.human('.gitattributes', '* diff=evil merge=evil\n');
  const first = shop.commit(
    `subject ${HTML} ${ESCAPES}`,
    `--author=Ada ${ESCAPES.replace(/[\n<>]/g, '')} <a@example.com>`,
  );
  await shop.work();
  for (const name of BRANCHES) shop.git('update-ref', `refs/heads/${name}`, first);
  for (const file of FILES) shop.human(file, `${shop.read(file)}person again\n`);
  const second = shop.commit('-m');
  note(second, hostileRecord());
  commits = [first, second];
  for (const key of DRIVERS) shop.git('config', key, `touch '${shop.home}/owned-${key}'; cat`);
}, 120_000);
afterAll(() => shop.remove());

function note(commit: string, text: string): void {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: shop.dir, input: text }).toString().trim();
  shop.git('notes', '--ref=agent/trace', 'add', '-f', '-C', blob, commit);
}

/** Escapes and markup in every field that is a string, and keys that are no keys. */
function hostileRecord(): string {
  const evil = `${HTML}${ESCAPES}`;
  const ranges = [{ start_line: 1, end_line: 9, content_hash: evil, contributor: { type: 'ai', model_id: evil } }];
  const record = {
    version: '0.1.0',
    id: evil,
    timestamp: evil,
    vcs: { type: evil, revision: evil },
    tool: { name: evil, version: evil },
    files: FILES.map((file) => ({
      path: file,
      conversations: [
        {
          url: `javascript:alert(1)//${evil}`,
          contributor: { type: 'ai', model_id: evil },
          ranges,
          related: [{ type: evil, url: evil }],
        },
      ],
    })),
    metadata: { 'dev.git-agent-blame': { evidence: evil, files: evil } },
  };
  const text = JSON.stringify(record);
  const polluted = text.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},');
  return `${text}\n${polluted}\n`;
}

function run(...args: string[]): Promise<Outcome> {
  return inWorld(agent, shop.dir, args, { home: shop.home, env: { ...process.env, HOME: shop.home } });
}

const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Nothing of our own went wrong, nothing that a terminal obeys came out, nothing was started or polluted. */
function expectHarmless(outcome: Outcome, codes: readonly number[] = [0, 1]): void {
  const { status, stdout, stderr } = outcome;
  expect(stderr).not.toMatch(OBEYED);
  expect(toldTo(stdout)).not.toMatch(OBEYED);
  expect(codes, stderr).toContain(status);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  const marks = [shop.dir, shop.home].flatMap((folder) => fs.readdirSync(folder).filter((name) => /^owned/.test(name)));
  expect(marks).toEqual([]);
}

/** Machines get data as it is: of git's porcelain only our lines count, in JSON no escape stands as such. */
function toldTo(stdout: string): string {
  const porcelain = /^[0-9a-f]{40} \d+ \d+/.test(stdout);
  if (porcelain)
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('agent-'))
      .join('\n');
  const text = stdout.replaceAll('\r\n', '\n');
  return text.startsWith('{') ? text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '') : text;
}

describe('a repository of a stranger: names, notes, drivers', () => {
  test.each(FILES)('blame in every form: %j', async (file) => {
    for (const form of [[], ['--porcelain'], ['--line-porcelain']]) {
      expectHarmless(await run('blame', ...form, '--', file), [0]);
    }
    const told = await run('blame', '--json', '--', file);
    expectHarmless(told, [0]);
    expect(JSON.parse(told.stdout).lines).toHaveLength(3);
  });

  test.each([
    ['show', ['HEAD'], ['HEAD^']],
    ['log', [], ['--json']],
    ['diff', ['HEAD^', 'HEAD'], ['--json', 'HEAD^', 'HEAD']],
    ['sessions', [], ['--json']],
    ['status', [], []],
    ['verify', ['HEAD'], ['HEAD^..HEAD']],
    ['doctor', [], []],
  ])('%s', async (verb, plainly, otherwise) => {
    for (const args of [plainly, otherwise]) expectHarmless(await run(verb, ...args), [0, 1, 2, 3]);
  });

  test.each(FILES)('show, why, log and diff of %j', async (file) => {
    expectHarmless(await run('show', `${file}:2`), [0, 1, 2]);
    expectHarmless(await run('why', `${file}:2`), [0, 1, 2]);
    expectHarmless(await run('log', '--', file));
    expectHarmless(await run('diff', 'HEAD^', 'HEAD', '--', file));
  });

  test.each(['text', 'json', 'markdown', 'html', 'sarif'])('report in %s', async (format) => {
    for (const which of [['HEAD^..HEAD'], ['--standing', 'HEAD']]) {
      const told = await run('report', '--format', format, ...which);
      expectHarmless(told, [0]);
      // what stands between backticks is text in Markdown
      const markup = format === 'markdown' ? told.stdout.replace(/`[^`\n]*`/g, '') : told.stdout;
      if (format === 'html' || format === 'markdown')
        expect(markup).not.toMatch(/<img|<script>alert|(?:href=|\]\()"?javascript:/i);
      if (format === 'json' || format === 'sarif') JSON.parse(told.stdout);
    }
  });

  test.each(['text', 'json', 'sarif'])('check in %s', async (format) => {
    expectHarmless(await run('check', '--format', format, 'HEAD^..HEAD'));
  });

  test.each(['agent-trace', 'csv', 'otlp', 'agentlog', 'agent_activity', 'vac'])('export as %s', async (format) => {
    const told = await run('export', '--format', format, 'HEAD^..HEAD');
    expectHarmless(told, [0, 1, 2]);
    if (format === 'csv') expect(told.stdout).not.toMatch(/(?:^|,)"?[=+@-][^,\n]*[|!(]/m);
  });

  test.each(BRANCHES)('a branch %j is a revision or refused, never an option', async (name) => {
    for (const verb of ['log', 'report', 'check', 'export', 'show', 'verify', 'audit', 'reanchor', 'join']) {
      const told = await run(verb, '--', name);
      expectHarmless(told, [0, 1, 2, 3]);
    }
    expectHarmless(await run('blame', name, '--', 'constructor/toString'), [0, 2, 3]);
    expectHarmless(await run('check', '--policy-from', name), [0, 1, 2, 3]);
  });
});

test('bombs in a note: a million brackets, a line of five megabytes, fifty megabytes of nothing', async () => {
  const bombs = ['['.repeat(1_000_000), `{"version":"0.1.0","files":"${'x'.repeat(5 << 20)}`, ' '.repeat(50 << 20)];
  note(commits[1] ?? '', `${bombs.join('\n')}\n${hostileRecord()}`);
  try {
    const started = performance.now();
    for (const args of [
      ['blame', '--', '-rf'],
      ['log'],
      ['report', 'HEAD^..HEAD'],
      ['verify', 'HEAD'],
      ['show', 'HEAD'],
    ])
      expectHarmless(await run(...args), [0, 1, 2]);
    expect(performance.now() - started).toBeLessThan(30_000);
  } finally {
    note(commits[1] ?? '', hostileRecord());
  }
});
