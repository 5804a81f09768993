import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeTranscript } from '../../../src/capture/claude-code/transcript.ts';
import { recordedLines } from '../fixtures.ts';

/** More transcripts than ours can be named here; those of others are read, never copied. */
const FOLDER = process.env.AGENT_SAMPLES;
const files = FOLDER
  ? fs.readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  : [];
const samples: [string, string[]][] = [
  ...['session.jsonl', 'subagent.jsonl', 'forked.jsonl', 'tabs.jsonl'].map((name): [string, string[]] => [
    name,
    recordedLines(name),
  ]),
  ...files.map((name): [string, string[]] => [
    name,
    fs.readFileSync(path.join(FOLDER ?? '', name), 'utf8').split('\n'),
  ]),
];

/** Ids of calls whose result says that they failed, read without the decoder. */
function failedCalls(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    try {
      const { message, toolUseResult } = JSON.parse(line);
      const blocks = Array.isArray(message?.content) ? message.content : [];
      return blocks.flatMap((block: Record<string, unknown>) =>
        block.is_error === true || typeof toolUseResult === 'string' ? [block.tool_use_id] : [],
      );
    } catch {
      return [];
    }
  });
}

test.each(samples)('%s: no failed call made an edit, ids are unique, a cut-off end loses only itself', (_, lines) => {
  const captured = decodeTranscript(lines);
  const failed = new Set(failedCalls(lines));
  expect(captured.edits.filter((edit) => failed.has(edit.event))).toEqual([]);
  const ids = captured.events.map((event) => event.id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  const cut = lines.slice(0, -2).concat((lines.at(-2) ?? '').slice(0, 50));
  expect(decodeTranscript(cut).edits.length).toBeGreaterThanOrEqual(captured.edits.length - 1);
});
