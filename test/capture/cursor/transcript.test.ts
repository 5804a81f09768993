import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/capture/adapter.ts';
import { decodeHook } from '../../../src/capture/cursor/hook.ts';
import { locate } from '../../../src/capture/cursor/locate.ts';
import { stampOf, typedText } from '../../../src/capture/cursor/prompts.ts';
import { decodeTranscript } from '../../../src/capture/cursor/transcript.ts';
import { linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const home = '/home/user/.cursor';
const path = `${home}/projects/repo/agent-transcripts/abc/abc.jsonl`;
const began = Date.UTC(2026, 6, 31, 22, 10);
const modified = began + 300_000;
const hooks = { [`${home}/hooks.json`]: '{"hooks":{"stop":[{"command":"sh agent-hook cursor end"}]}}' };

function decode(text = recorded('cursor/transcript.jsonl'), more: Parameters<typeof transcriptOf>[1] = {}) {
  const [captured] = decodeTranscript(transcriptOf(text, { path, modified, ...more }));
  if (!captured) throw new Error('a session');
  return captured;
}

describe('a transcript', () => {
  test('has words, and no edits: nothing proves that they were made', () => {
    const { session, cwd, edits, events, skipped } = decode();
    expect({ session, cwd, edits, skipped }).toEqual({ session: 'abc', cwd: '/repo', edits: [], skipped: {} });
    const said = events.map((event) => (event.type === 'message' ? `${event.role} ${event.content}` : event.type));
    expect(said).toEqual([
      'user Write a note and run the script.',
      'assistant I write it.',
      'assistant Written.',
      'user Thanks.\nReally.',
      'assistant Gladly.',
    ]);
  });

  test('a prompt is the one that the hook told', () => {
    const prompt = recordedValues('cursor/hooks.jsonl')[1];
    const [told] = decodeHook(prompt, { at: began + 30_500 }).events;
    expect(decode().events[0]?.id).toBe(told?.id);
    expect(told?.timestamp).toBe('2026-07-31T22:10:30.500Z');
  });

  test('without our hooks what changed in such a turn is nobody’s', () => {
    expect(decode('', { beside: hooks }).commands).toEqual([]);
    expect(decode(undefined, { beside: hooks }).commands).toEqual([]);
    expect(decode(undefined, { beside: { '/repo/.cursor/hooks.json': 'agent-hook' } }).commands).toEqual([]);
    const window = { startedAt: began, endedAt: began + 3 * 60_000, background: false };
    expect(decode(undefined, { beside: { [`${home}/hooks.json`]: '{}' } }).commands).toEqual([
      { event: 'line-000002/1', command: 'echo made > made.txt', ...window },
      { event: 'line-000003/1', command: 'Write /repo/note.txt', ...window },
      { event: 'line-000005/0', command: 'StrReplace /repo/note.txt', ...window },
    ]);
  });

  const older = recorded('cursor/transcript.jsonl').replace(/<timestamp>[^<]*<\/timestamp>\\n/g, '');
  const words = ({ events }: ReturnType<typeof decode>) => events.map((one) => one.type === 'message' && one.content);

  test('of an older one, without times, the words are known and their order, and no beginning', () => {
    const { events, commands, skipped } = decode(older);
    expect([words(decode(older)), skipped]).toEqual([words(decode()), {}]);
    const times = events.map(({ timestamp }) => Date.parse(timestamp) - modified);
    expect(times).toEqual([-5, -4, -3, -2, -1]);
    expect(new Set(commands.map(({ startedAt, endedAt }) => `${startedAt} ${endedAt}`))).toEqual(
      new Set([`0 ${modified + 60_000}`]),
    );
  });

  test('a prompt without a time is the hook’s where there is one', () => {
    const { events, skipped } = decode(older, { beside: hooks });
    expect(events.map((event) => event.type === 'message' && event.role)).toEqual(Array(3).fill('assistant'));
    expect(skipped).toEqual({ 'prompt without a time': 2 });
  });

  test('turns without a time come before the next one that has one', () => {
    const text = recorded('cursor/transcript.jsonl').replace(/<timestamp>[^<]*<\/timestamp>\\n/, '');
    expect(words(decode(text))).toEqual(words(decode()));
  });

  test.each([
    ['by its folder’s name', `${home}/projects/work-my-repo/agent-transcripts/a/a.jsonl`, '/work/my.repo'],
    ['by a file that a tool names', `${home}/projects/work/agent-transcripts/a/a.jsonl`, '/repo'],
    ['of another folder', `${home}/projects/work/agent-transcripts/a/a.jsonl`, undefined],
  ])('the work tree %s', (_, at, tree) => {
    expect(decode(undefined, { path: at, worktrees: ['/other', ...(tree ? [tree] : [])] }).cwd).toBe(tree);
  });

  test('a sub-agent below its session', () => {
    const at = `${home}/projects/repo/agent-transcripts/abc/subagents/def.jsonl`;
    expect(decode(undefined, { path: at })).toMatchObject({ session: 'def', parentSession: 'abc' });
  });

  test('what is not known is counted', () => {
    const text = linesOf([{ role: 'x' }, 7, { role: 'assistant', message: { content: [{ type: 'new' }, null] } }]);
    expect(decode(text).skipped).toEqual({
      'line of nobody': 1,
      'broken line': 1,
      'block new': 1,
      'block of no type': 1,
    });
  });

  test('law: spoiled anywhere it never throws', () => {
    fc.assert(
      fc.property(
        spoiled(recordedValues('cursor/transcript.jsonl')),
        (some) => decode(linesOf(some)).session === 'abc',
      ),
      { numRuns: 100 },
    );
  });
});

test.each([
  ['Friday, Jul 31, 2026, 5:10 PM (UTC-5)', '2026-07-31T22:10:00.000Z'],
  ['Friday, Jul 31, 2026, 12:05 AM (UTC)', '2026-07-31T00:05:00.000Z'],
  ['Monday, Sept 7, 2026, 12:05 PM (UTC+5:30)', '2026-09-07T06:35:00.000Z'],
  ['Friday, Foo 31, 2026, 5:10 PM (UTC-5)', undefined],
  ['', undefined],
])('%s', (text, time) => {
  const at = stampOf(`<timestamp>${text}</timestamp>`);
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(time);
});

test.each([
  ['plain words', 'plain words'],
  ['<user_query>\nfix it\n</user_query>', 'fix it'],
  ['<attached>x</attached>\n<user_query>two\nlines</user_query>\n<more/>', 'two\nlines'],
  ['<system_reminder>x</system_reminder>', undefined],
  ['<user_query>\n\n</user_query>', undefined],
  ['', undefined],
])('%j was typed as %j', (text, typed) => {
  expect(typedText(text)).toBe(typed);
});

test('where transcripts are', () => {
  const files = [
    'work-repo/agent-transcripts/a/a.jsonl',
    'work-repo/agent-transcripts/a/subagents/b.jsonl',
    'work-repo/agent-transcripts/old.txt',
    'work-repo/agent-transcripts/old.jsonl',
    'work-repo/terminals/1.txt',
    'work-repo-src/agent-transcripts/c/c.jsonl',
    'work/agent-transcripts/d/d.jsonl',
    'work-repository/agent-transcripts/e/e.jsonl',
    'elsewhere/agent-transcripts/f/f.jsonl',
  ].map((name) => `${home}/projects/${name}`);
  const list = (folder: string): Entry[] => {
    const below = files.flatMap((file) => (file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : []));
    const names = new Map(below.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/')]));
    return [...names].map(([name, isFolder]) => ({ name, folder: isFolder }));
  };
  const place = { home: '/home/user', env: {}, worktrees: ['/Work/repo'], list, read: () => undefined };
  expect(locate(place).map((file) => file.slice(home.length + 10))).toEqual([
    'work-repo/agent-transcripts/old.jsonl',
    'work-repo/agent-transcripts/a/a.jsonl',
    'work-repo/agent-transcripts/a/subagents/b.jsonl',
    'work-repo-src/agent-transcripts/c/c.jsonl',
    'work/agent-transcripts/d/d.jsonl',
  ]);
});
