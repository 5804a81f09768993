import { describe, expect, test } from 'vitest';
import { calledToolOf } from '../../../src/agentlog/call-name.ts';
import { isOpen } from '../../../src/agentlog/open-call.ts';
import { decodeTranscript } from '../../../src/capture/claude-code/transcript.ts';
import type { Captured } from '../../../src/capture/session.ts';
import { recordedLines } from '../fixtures.ts';

const session = decodeTranscript(recordedLines('session.jsonl'));
const MODEL = 'anthropic/claude-opus-4-5-20251101';

function eventOf(captured: Captured, id: string) {
  return captured.events.filter((event) => event.id === id);
}

function editsOf(captured: Captured, path: string) {
  return captured.edits.filter((edit) => edit.path === path);
}

describe('a recorded session', () => {
  test('says where, when and with what it ran', () => {
    expect(session).toMatchObject({
      tool: { name: 'claude-code', version: '2.1.197' },
      cwd: '/repo',
      branch: 'main',
      model: MODEL,
      skipped: {},
    });
    expect(session.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(session.forkedFrom).toBeUndefined();
    expect(session.startedAt).toBeLessThan(session.endedAt ?? 0);
  });

  test('has one edit per successful call and none for the failed one', () => {
    expect(session.edits.map((edit) => [edit.path, edit.change.kind])).toEqual([
      ['/repo/src/app.ts', 'full'],
      ['/repo/src/greet.ts', 'full'],
      ['/repo/src/greet.ts', 'full'],
      ['/repo/src/greet.ts', 'full'],
      ['/repo/src/app.ts', 'full'],
      ['/repo/crlf.txt', 'full'],
      ['/repo/same.txt', 'full'],
      ['/repo/big.txt', 'hunks'],
      ['/repo/book.ipynb', 'full'],
      ['/repo/src/app.ts', 'full'],
    ]);
    expect(session.edits.every((edit) => edit.model === MODEL)).toBe(true);
  });

  test('every call is an event that names its tool, also one that became a file, a command or a plan', () => {
    const called = session.edits.flatMap(({ event }) => eventOf(session, event).map(calledToolOf));
    expect(new Set(called)).toEqual(new Set(['Edit', 'Write', 'NotebookEdit']));
    const commands = session.events.filter(({ type }) => type === 'terminalCommand');
    expect(new Set(commands.map(calledToolOf))).toEqual(new Set(['Bash']));
  });

  test('an edit begins where the one before it left the file', () => {
    for (const path of ['/repo/src/app.ts', '/repo/src/greet.ts']) {
      let text: string | null | undefined;
      for (const { change } of editsOf(session, path)) {
        if (change.kind !== 'full') throw new Error(`not full: ${path}`);
        if (text !== undefined) expect(change.before).toBe(text);
        text = change.after;
      }
      expect(text).toBeTypeOf('string');
    }
    expect(editsOf(session, '/repo/src/greet.ts')[0]?.change).toMatchObject({ before: null });
    expect(editsOf(session, '/repo/same.txt')[0]?.change).toMatchObject({
      before: 'a\nx\na\ny\na\n',
      after: 'b\nx\nb\ny\nb\n',
    });
  });

  test('tells shell commands that ran, failed, go on and never ran', () => {
    const told = session.commands.map(({ command, background, refused, exitCode, endedAt }) => [
      command.split(' ')[0],
      { background, refused, exitCode, ended: endedAt !== undefined },
    ]);
    expect(told).toEqual([
      ['echo', { background: false, refused: undefined, exitCode: 3, ended: true }],
      ['sleep', { background: true, refused: undefined, exitCode: undefined, ended: false }],
      ['curl', { background: false, refused: true, exitCode: undefined, ended: true }],
      ['git', { background: false, refused: undefined, exitCode: 0, ended: true }],
    ]);
  });

  test('has what people typed as prompts, and nothing else', () => {
    const prompts = session.events.flatMap((event) =>
      event.type === 'message' && event.role === 'user' ? [event.content] : [],
    );
    expect(prompts).toEqual(['Make the port configurable and tidy up around it.', 'And the host as well.']);
  });

  test('every event has an id of its own, and the edit’s event is its tool call', () => {
    const ids = session.events.map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { event } of session.edits)
      expect(eventOf(session, event).map(({ type }) => type)).toEqual(['fileOperation']);
    for (const { event, refused } of session.commands) {
      expect(eventOf(session, event).map(({ type }) => type)).toEqual([refused ? 'toolCall' : 'terminalCommand']);
      if (refused)
        expect(eventOf(session, `${event}/1`)).toMatchObject([
          { type: 'approval', decision: 'denied', approver: 'policy', parentId: event },
        ]);
    }
  });

  test('events are in order and of the kinds that happened', () => {
    const times = session.events.map((event) => event.timestamp);
    expect(times).toEqual([...times].sort());
    const kinds = new Set(session.events.map((event) => event.type));
    for (const kind of [
      'message',
      'reasoning',
      'toolCall',
      'fileOperation',
      'terminalCommand',
      'handoff',
      'approval',
      'checkpoint',
    ])
      expect(kinds).toContain(kind);
  });

  test('an edit’s event has a diff and counts its lines', () => {
    const [edit] = editsOf(session, '/repo/crlf.txt');
    expect(eventOf(session, edit?.event ?? '')[0]).toMatchObject({
      type: 'fileOperation',
      operation: 'edit',
      path: 'crlf.txt',
      diff: '--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
      linesAdded: 1,
      linesRemoved: 1,
      model: MODEL,
    });
  });

  test('counts tokens once per message', () => {
    // 29 answers of 100 tokens in and 20 out; one of them in three lines
    const answers = (session.tokens?.inputTokens ?? 0) / 100;
    expect(session.tokens).toEqual({
      inputTokens: answers * 100,
      outputTokens: answers * 20,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
    const lines = recordedLines('session.jsonl').filter(
      (line) => line.includes('"type":"assistant"') && !line.includes('<synthetic>'),
    );
    expect(answers).toBe(lines.length - 3); // two lines more for the message of three blocks, one more for that of two edits
  });

  test('says what a message cost at its first event, and nowhere else', () => {
    const told = session.events.flatMap((event) => ('tokenUsage' in event && event.tokenUsage) || []);
    expect(told).toHaveLength((session.tokens?.inputTokens ?? 0) / 100);
    expect(new Set(told.map((usage) => JSON.stringify(usage)))).toEqual(
      new Set(['{"inputTokens":100,"outputTokens":20,"cacheReadTokens":0,"cacheWriteTokens":0}']),
    );
  });

  test('gives the same whatever the order of results, and when lines are repeated', () => {
    const lines = recordedLines('session.jsonl');
    const results = lines.filter((line) => line.includes('"tool_result"'));
    const rest = lines.filter((line) => !line.includes('"tool_result"'));
    const shuffled = decodeTranscript([...results.reverse(), ...rest, ...rest]);
    expect(shuffled.edits).toEqual(session.edits);
    expect(shuffled.commands).toEqual(session.commands);
    expect(shuffled.events).toEqual(session.events);
    expect(shuffled.tokens).toEqual(session.tokens);
  });
});

describe('a sub-agent', () => {
  const sub = decodeTranscript(recordedLines('subagent.jsonl'));

  test('speaks for its parent’s session and names itself', () => {
    expect(sub.session).toBe(session.session);
    expect(sub.events.length).toBeGreaterThan(0);
    for (const event of sub.events)
      expect(event).toHaveProperty(['properties', 'claude-code:agentId'], expect.stringMatching(/^a[0-9a-f]+$/));
    const handoff = session.events.find((event) => event.type === 'handoff');
    expect(handoff).toMatchObject({
      toAgent: 'general-purpose',
      status: 'completed',
      result: expect.stringContaining('The guide is written.'),
    });
    expect(handoff).toHaveProperty(
      ['properties', 'claude-code:agentId'],
      sub.events[0]?.type === 'opaque' ? '' : sub.events[0]?.properties?.['claude-code:agentId'],
    );
  });

  test('has its edits from the calls alone, and not the failed one', () => {
    expect(sub.edits.map(({ change }) => change)).toEqual([
      { kind: 'full', before: null, after: '# Guide\n\nRun it.\n' },
      { kind: 'replace', pairs: [{ old: 'Run it.', new: 'Set PORT and run it.', all: false }] },
    ]);
    expect(sub.commands.map(({ command, exitCode }) => [command, exitCode])).toEqual([['echo sub > sub.txt', 0]]);
  });
});

test('a fork repeats the tool call ids of the session it came from under its own id', () => {
  const fork = decodeTranscript(recordedLines('forked.jsonl'));
  const first = new Set(session.edits.map((edit) => edit.event));
  const shared = fork.edits.filter((edit) => first.has(edit.event));
  expect(fork.session).not.toBe(session.session);
  expect(shared.length).toBe(9);
  expect(fork.edits.length).toBe(10);
});

test('edits of tab-indented, emptied, large and new files are whole, whatever the patch shows', () => {
  const { edits } = decodeTranscript(recordedLines('tabs.jsonl'));
  const texts = edits.map(({ change }) => (change.kind === 'full' ? [change.before, change.after] : change.kind));
  expect(texts.slice(0, 3)).toEqual([
    ['int main() {\n\tdrop();\n\treturn a & b;\n}\n', 'int main() {\n\tdrop();\n\treturn a $& b;\n}\n'],
    ['int main() {\n\tdrop();\n\treturn a $& b;\n}\n', 'int main() {\n\treturn a $& b;\n}\n'],
    ['int main() {\n\treturn a $& b;\n}\n', 'int main() {\n\t\treturn 0;\n}\n'],
  ]);
  // the second write's result has no former text: it is worked out from the patch
  expect(texts[4]?.[0]).toBe(texts[3]?.[1]);
  expect(texts[5]).toEqual(['', 'made by edit\n']);
});

describe('a session that was cut off', () => {
  const answer = (name: string, input: object) =>
    JSON.stringify({
      type: 'assistant',
      uuid: `u-${name}`,
      sessionId: 's',
      cwd: '/repo',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { id: `m-${name}`, role: 'assistant', content: [{ type: 'tool_use', id: `t-${name}`, name, input }] },
    });
  const asked = { Write: { file_path: '/repo/a', content: 'a' }, Read: { file_path: '/repo/b' }, mcp__db__drop: {} };
  const cut = decodeTranscript(Object.entries(asked).map(([name, input]) => answer(name, input)));

  test('still has the calls that nobody knows the end of: own tools changed nothing, a server’s may still be at it', () => {
    expect(cut.events.map(({ type, id }) => `${type} ${id}`)).toEqual(
      Object.keys(asked).map((name) => `toolCall t-${name}`),
    );
    expect(cut.events.every(isOpen)).toBe(true);
    expect([cut.edits, cut.commands]).toMatchObject([[], [{ event: 't-mcp__db__drop', command: 'mcp__db__drop' }]]);
    expect(cut.commands[0]).not.toHaveProperty('endedAt');
  });
});
