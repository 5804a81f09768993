import fs from 'node:fs';

const FOLDER = new URL('../../fixtures/claude-code/', import.meta.url);

export function recordedLines(name: string): string[] {
  return fs.readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
}

export function recordedHooks(): Record<string, unknown>[] {
  return recordedLines('hooks.jsonl')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
