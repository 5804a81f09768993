import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../src/capture/copilot/journal.ts';
import { decodeTranscript } from '../../../src/capture/copilot/transcript.ts';
import { commandWords, editWords, linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const storage = '/home/user/.config/Code/User/workspaceStorage/ab12';
const workspace = { [`${storage}/workspace.json`]: '{"folder":"file:///repo"}' };
const session = 'de260000-0000-4000-8000-000000000001';

function chat(text: string, ending: string, beside: Record<string, string> = workspace) {
  const [captured] = decodeTranscript(transcriptOf(text, { path: `${storage}/chatSessions/7de8.${ending}`, beside }));
  if (!captured) throw new Error('a chat');
  return captured;
}

describe.each(['json', 'jsonl'])('a chat of VS Code as .%s', (ending) => {
  const captured = chat(recorded(`copilot/vscode-chat.${ending}`), ending);

  test('edits whose answers say that they were made, or whose files were edited', () => {
    expect(editWords(captured)).toEqual(['replace /repo/index.ts', 'full /repo/made.ts']);
    expect(captured.edits.map(({ event, model }) => [event, model])).toEqual([
      ['call_one', 'github-copilot/gpt-4o'],
      ['call_three', 'github-copilot/gpt-4o'],
    ]);
    expect(commandWords(captured)).toEqual(['?', 'ls ?']);
    expect(captured.commands[0]).toMatchObject({ event: 'call_four', command: '' });
  });

  test('the conversation, by the id that hooks know', () => {
    const said = captured.events.flatMap((event) => (event.type === 'message' ? [event.content] : []));
    expect(said).toEqual(['Change old to new', 'I change it.', 'Changed.', 'Thanks', 'Welcome.']);
    expect(captured).toMatchObject({ session, cwd: '/repo', tool: { version: '0.37.1' }, skipped: {} });
  });

  test('words that the other transcript tells are not told again', () => {
    const other = `${storage}/GitHub.copilot-chat/transcripts/${session}.jsonl`;
    const both = chat(recorded(`copilot/vscode-chat.${ending}`), ending, { ...workspace, [other]: '{}' });
    expect(both.events.some((event) => event.type === 'message')).toBe(false);
    expect(both.edits).toEqual(captured.edits);
  });

  test('law: spoiled anywhere it never throws', () => {
    const values =
      ending === 'json'
        ? [JSON.parse(recorded('copilot/vscode-chat.json'))]
        : recordedValues('copilot/vscode-chat.jsonl');
    fc.assert(
      fc.property(spoiled(values), (some) => chat(linesOf(some), ending).tool.name === 'copilot'),
      { numRuns: 100 },
    );
  });
});

test.each([
  ['a model of another maker', 'anthropic/claude-opus', undefined],
  ['a key of the user’s own', 'customoai/gpt-4o', undefined],
  ['whichever', 'copilot/auto', undefined],
  ['GitHub’s', 'copilot/claude-sonnet-4.5', 'github-copilot/claude-sonnet-4.5'],
])('%s', (_, modelId, model) => {
  const text = recorded('copilot/vscode-chat.json').replace('copilot/gpt-4o', modelId);
  expect(chat(text, 'json').edits[0]?.model).toBe(model);
});

test.each(['', '{', '[]', 'null', '{"requests":7}', '{"requests":[7,{}]}'])('%j is no chat', (text) => {
  expect(chat(text, 'json')).toMatchObject({ session: '', edits: [], commands: [] });
  expect(chat(text, 'jsonl')).toMatchObject({ session: '', edits: [], commands: [] });
});

describe('the journal', () => {
  const read = (...changes: object[]) => {
    const skipped = {};
    return {
      root: readJournal(linesOf([{ kind: 0, v: { a: [1, 2, 3], b: { c: 1 } } }, ...changes]).split('\n'), skipped),
      skipped,
    };
  };
  test.each([
    ['sets', { kind: 1, k: ['b', 'c'], v: 2 }, { a: [1, 2, 3], b: { c: 2 } }],
    ['sets in a list', { kind: 1, k: ['a', 1], v: 9 }, { a: [1, 9, 3], b: { c: 1 } }],
    ['lengthens', { kind: 2, k: ['a'], v: [4] }, { a: [1, 2, 3, 4], b: { c: 1 } }],
    ['cuts', { kind: 2, k: ['a'], i: 1 }, { a: [1], b: { c: 1 } }],
    ['cuts and lengthens', { kind: 2, k: ['a'], v: [9], i: 0 }, { a: [9], b: { c: 1 } }],
    ['begins a list', { kind: 2, k: ['d'], v: [1] }, { a: [1, 2, 3], b: { c: 1 }, d: [1] }],
    ['deletes', { kind: 3, k: ['b'] }, { a: [1, 2, 3], b: undefined }],
    ['begins anew', { kind: 0, v: {} }, {}],
  ])('%s', (_, change, root) => {
    expect(read(change)).toEqual({ root, skipped: {} });
  });

  test.each<[string, object]>([
    ['a path into nothing', { kind: 1, k: ['x', 'y'], v: 1 }],
    ['no path', { kind: 1, v: 1 }],
    ['a list where there is none', { kind: 2, k: ['b'], v: [1] }],
    ['far behind a list’s end', { kind: 1, k: ['a', 4e8], v: 1 }],
    ['a prototype', { kind: 1, k: ['b', '__proto__', 'evil'], v: 1 }],
    ['a constructor', { kind: 1, k: ['b', 'constructor', 'prototype', 'evil'], v: 1 }],
    ['an unknown kind', { kind: 9, k: ['b'], v: 1 }],
  ])('%s is left out and counted', (_, change) => {
    expect(read(change)).toEqual({
      root: { a: [1, 2, 3], b: { c: 1 } },
      skipped: { 'change of a chat that does not fit': 1 },
    });
    expect(Object.hasOwn(Object.prototype, 'evil')).toBe(false);
  });
});
