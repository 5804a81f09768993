import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aider } from '../../../src/capture/aider/index.ts';
import { commandWords, editWords, recorded, transcriptOf } from '../recorded.ts';

const LATE = Date.parse('2027-01-01');
const decode = (text: string, beside: Record<string, string> = {}, modified = LATE) =>
  aider.decodeTranscript(transcriptOf(text, { path: '/repo/.aider.chat.history.md', modified, beside }));

describe('what the real aider 0.86.2 wrote', () => {
  const runs = decode(recorded('aider/history.md'), {
    '/repo/.aider.input.history': recorded('aider/inputs'),
    '/repo/.git/logs/HEAD': recorded('aider/reflog'),
    '/repo/src/greet.ts': "export const greet = () => {\n  return 'Good night';\n};\n",
  });

  test('each language of edits', () => {
    expect(runs.map((run) => editWords(run).join(', '))).toEqual([
      'replace src/app.ts, full src/greet.ts',
      'replace src/app.ts, replace src/app.ts',
      'replace src/greet.ts',
      'write src/app.ts, full src/new.ts',
      'replace src/app.ts',
      'replace src/app.ts',
      'write src/app.ts',
    ]);
    expect(new Set(runs.map(({ session }) => session)).size).toBe(7);
    for (const { tool, cwd, skipped, commands, model } of runs) {
      expect({ tool, cwd, skipped, commands, model }).toEqual({
        tool: { name: 'aider', version: '0.86.2' },
        cwd: '/repo',
        skipped: {},
        commands: [],
        model: undefined,
      });
    }
  });

  test('a block that did not fit is left out; the rest came after the person’s commit', () => {
    const edits = runs[1]?.edits ?? [];
    expect(edits.map(({ change }) => change)).toMatchObject([
      { pairs: [{ old: 'http.createServer();\n', new: 'http.createServer().listen(port);\n' }] },
      { pairs: [{ old: "import http from 'node:http';\n" }] },
    ]);
    expect(edits.map(({ at }) => at)).toEqual([1794869094000, 1794869095000]);
  });

  test('lines are as far in as they were written', () => {
    expect(runs[2]?.edits[0]?.change).toMatchObject({
      pairs: [{ old: "  return 'Good day';\n", new: "  return 'Good night';\n" }],
    });
  });

  test('what an architect planned is no prompt', () => {
    const prompts = runs.map(({ events }) =>
      events.flatMap((event) => ('role' in event && event.role === 'user' ? [event.content] : [])),
    );
    expect(prompts[1]).toEqual(['Two\nlines of prompt.']);
    expect(prompts[6]).toEqual(['Architect']);
    expect(runs[6]?.events.map(({ type }) => type)).toEqual(['message', 'message', 'message', 'fileOperation']);
  });
});

const START = '\n# aider chat started at 2026-01-02 10:00:00\n\n';
const said = (...lines: string[]) => lines.map((line) => `> ${line}  \n`).join('');
const head = (format = 'diff', model = 'gpt-4o') =>
  START + said('Aider v0.86.1', `Main model: ${model} with ${format} edit format`);
const typed = (...lines: string[]) => `\n${lines.map((line) => `#### ${line}  \n`).join('')}`;
const reply = (text: string, ...after: string[]) => `\n${text}\n\n${said('Tokens: 2.1k sent, 20 received.', ...after)}`;
const block = (name: string, old: string, text: string) =>
  `${name}\n\`\`\`ts\n<<<<<<< SEARCH\n${old}=======\n${text}>>>>>>> REPLACE\n\`\`\``;
const one = (text: string, beside?: Record<string, string>) => {
  const [captured] = decode(text, beside);
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};

describe('what counts as done', () => {
  const good = block('src/a.ts', 'x\n', 'y\n');
  test.each<[string, string, string[], string[]]>([
    ['applied', good, ['Applied edit to src/a.ts'], ['replace src/a.ts 1']],
    ['nothing said', good, [], []],
    ['the file was only added to the chat', good, ['src/a.ts', 'Add file to the chat? (Y)es/(N)o [Yes]: y'], []],
    ['--dry-run', good, ['Did not apply edit to src/a.ts (--dry-run)'], []],
    ['not allowed', good, ['Skipping edits to src/a.ts'], []],
    ['by the end of its name', block('a.ts', 'x\n', 'y\n'), ['Applied edit to src/a.ts'], ['replace src/a.ts 1']],
    ['tried on another file', block('c.ts', 'x\n', 'y\n'), ['Applied edit to src/a.ts'], ['replace src/a.ts 0']],
    [
      'one of two was not allowed',
      `${good}\n${block('b.ts', 'x\n', 'y\n')}`,
      ['b.ts', 'Create new file? (Y)es/(N)o [Yes]: n', 'Skipping edits to b.ts', 'Applied edit to src/a.ts'],
      ['replace src/a.ts 1'],
    ],
    [
      'a second block of the same file',
      `${good}\n<<<<<<< SEARCH\np\n=======\nq\n>>>>>>> REPLACE`,
      ['Applied edit to src/a.ts'],
      ['replace src/a.ts 2'],
    ],
    [
      'a name in the fence',
      good.replace('src/a.ts\n```ts', '```src/a.ts'),
      ['Applied edit to src/a.ts'],
      ['replace src/a.ts 1'],
    ],
    ['cut short', good.replace(/>>>>>>> REPLACE/, ''), ['Applied edit to src/a.ts'], ['replace src/a.ts 0']],
    ['in a file (--apply)', '', ['Applied edit to src/a.ts'], ['replace src/a.ts 0']],
    [
      'none fits',
      good,
      ['The LLM did not conform to the edit format.', '# 1 SEARCH/REPLACE block failed to match!'],
      [],
    ],
    [
      'how many fitted is not what is left',
      good,
      ['The LLM did not conform to the edit format.', '# The other 2 SEARCH/REPLACE blocks were applied successfully.'],
      ['replace src/a.ts 0'],
    ],
  ])('%s', (_, text, after, expected) => {
    const { edits } = one(head() + typed('go') + (text ? reply(text, ...after) : said(...after)));
    expect(
      edits.map(({ path, change }) => `${change.kind} ${path} ${change.kind === 'replace' ? change.pairs.length : ''}`),
    ).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ['udiff', '```diff\n--- a.ts\n+++ b/a.ts\n@@ @@\n-x\n+y\n```', ['replace a.ts']],
    ['patch', '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch', ['replace a.ts']],
    ['whole', 'a.ts\n```\nx\n```', []],
  ])('%s: a failure that does not say how far it came', (format, text, expected) => {
    const captured = one(head(format) + typed('go') + reply(text, 'The LLM did not conform to the edit format.', 'x'));
    expect(editWords(captured)).toEqual(expected);
    expect(captured.edits.every(({ change }) => change.kind === 'replace' && change.pairs.length === 0)).toBe(true);
  });

  test('a fence of four where the file has one of three', () => {
    const text = 'README.md\n````md\n# A\n```\ncode\n```\n````';
    const { edits } = one(head('whole') + typed('go') + reply(text, 'Applied edit to README.md'));
    expect(edits).toMatchObject([{ change: { kind: 'write', after: '# A\n```\ncode\n```\n' } }]);
  });

  test('headings of the model are no prompts, an answer that was stopped is no edit', () => {
    const stopped = `\n#### A heading\n\n${good}\n\n${said('^C KeyboardInterrupt')}`;
    const captured = one(`${head() + typed('go')}\nSo:\n${stopped}${typed('again')}`);
    expect(captured.edits).toEqual([]);
    expect(captured.events.map((event) => ('role' in event ? event.role : ''))).toEqual(['user', 'assistant', 'user']);
  });

  test('commands that the person let run, and nothing that the person ran', () => {
    const text = reply('```bash\nmake\n```', 'make', 'Run shell command? (Y)es/(N)o [Yes]: y', 'Running make');
    expect(commandWords(one(head() + typed('/run ls') + typed('build') + text))).toEqual(['make ?']);
  });

  test('what a linter made of it is not told', () => {
    const reflog = (id: string, second: number) =>
      `${'0'.repeat(40)} ${id.padEnd(40, '0')} A <a@b> ${second} +0000\tcommit: x\n`;
    const beside = {
      '/repo/.git': 'gitdir: ../main/.git/worktrees/w\n',
      '/repo/../main/.git/worktrees/w/logs/HEAD': reflog('aaaaaaa', 1767348001) + reflog('bbbbbbb', 1767348002),
    };
    const after = ['Applied edit to src/a.ts', 'Commit aaaaaaa feat: x', 'Commit bbbbbbb style: lint'];
    const { edits } = one(head() + typed('go') + reply(good, ...after), beside);
    expect(edits).toMatchObject([
      { at: 1767348001000, change: { pairs: [{ old: 'x\n' }] } },
      { at: 1767348002000, change: { pairs: [] } },
    ]);
  });

  test('a whole file and the person’s work in it within one second', () => {
    const reflog = ['aaaaaaa', 'bbbbbbb'].map(
      (id) => `${'0'.repeat(40)} ${id.padEnd(40, '0')} A <a@b> 1767348001 +0000\tcommit: x\n`,
    );
    const after = [
      'Committing a.ts before applying edits.',
      'Commit aaaaaaa wip',
      'Applied edit to a.ts',
      'Commit bbbbbbb x',
    ];
    const text = head('whole') + typed('go') + reply('a.ts\n```\nx\n```', ...after);
    expect(one(text, { '/repo/.git/logs/HEAD': reflog.join('') }).edits).toMatchObject([{ change: { pairs: [] } }]);
    // not committed yet: right after the person's commit
    const early = head('whole') + typed('go') + reply('a.ts\n```\nx\n```', ...after.slice(0, 3));
    expect(one(early, { '/repo/.git/logs/HEAD': reflog[0] ?? '' }).edits).toMatchObject([
      { at: 1767348002500, change: { kind: 'write' } },
    ]);
  });
});

describe('times', () => {
  const wall = (text: string) => new Date(text).getTime();
  const beside = {
    '/repo/.aider.input.history': '\n# 2026-01-02 10:00:07.123456\n+one\n+two\n\n# 2026-01-02 11:00:00.5\n+go\n',
  };
  const prompts = (text: string, modified = LATE) =>
    decode(text, beside, modified).flatMap(({ events }) => events.map(({ timestamp }) => Date.parse(timestamp)));

  test('as the inputs have it; else not before what is known', () => {
    expect(prompts(head() + typed('zero') + typed('one', 'two') + typed('three'))).toEqual([
      wall('2026-01-02T10:00:00'),
      wall('2026-01-02T10:00:07.123'),
      wall('2026-01-02T10:00:07.124'),
    ]);
  });

  test('of another run they do not count, nor of a clock that goes another way', () => {
    const next = head().replace('10:00:00', '10:30:00');
    expect(prompts(head() + typed('go') + next + typed('go'))).toEqual([
      wall('2026-01-02T10:00:00'),
      wall('2026-01-02T11:00:00'),
    ]);
    expect(prompts(head() + typed('go'), 5)).toEqual([5]);
  });
});

test.each<[string, string | undefined]>([
  ['gpt-4o', 'openai/gpt-4o'],
  ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['anthropic/claude-opus-4-6', 'anthropic/claude-opus-4-6'],
  ['gemini/gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ['gemini/gemini-flash-latest', undefined],
  ['deepseek/deepseek-chat', 'deepseek/deepseek-chat'],
  ['openrouter/anthropic/claude-3.5-sonnet', undefined],
  ['bedrock/claude-x', undefined],
  ['ollama_chat/llama3', undefined],
])('the model %s', (name, expected) => {
  expect(one(head('diff', name) + typed('go') + reply('Yes.')).model).toBe(expected);
});

test('an architect’s edits are the editor’s', () => {
  const announced =
    START +
    said('Aider v1', 'Model: o3 with architect edit format', 'Editor model: gpt-4o with editor-diff edit format');
  const plan = reply('Change x.') + typed('Change x.');
  const captured = one(announced + typed('go') + plan + reply(block('a.ts', 'x\n', 'y\n'), 'Applied edit to a.ts'));
  expect(captured.edits).toMatchObject([{ model: 'openai/gpt-4o' }]);
  expect(captured.events[1]).toMatchObject({ model: 'openai/o3', content: 'Change x.' });
});

test('a history that is not in a work tree says nothing; neither does what stands before its first chat', () => {
  expect(aider.decodeTranscript(transcriptOf(head() + typed('go'), { path: '/home/u/history.md' }))).toEqual([]);
  expect(decode(`lost\n${head()}${typed('go')}`)[0]?.skipped).toEqual({ 'line before the first chat': 1 });
  expect(decode('')).toEqual([]);
});

test('law: no text is fatal, and each edit is of a file that has a name', () => {
  const lines = recorded('aider/history.md').split('\n');
  const odd = fc.constantFrom(
    '',
    '> ',
    '>',
    '#### ',
    '```',
    '<<<<<<< SEARCH',
    '=======',
    '# aider chat started at x',
    '\0\uD800',
    'x',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(lines.length - 1), odd), { maxLength: 20 }), (changes) => {
      const spoiled = [...lines];
      for (const [at, text] of changes) spoiled[at] = text;
      const paths = decode(spoiled.join('\n')).flatMap(({ edits }) => edits.map(({ path }) => path));
      expect(paths).not.toContain('');
    }),
    { numRuns: 200 },
  );
});
