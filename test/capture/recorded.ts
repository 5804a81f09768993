import fs from 'node:fs';
import fc from 'fast-check';
import type { TranscriptFile } from '../../src/capture/adapter.ts';
import type { Captured } from '../../src/capture/session.ts';

const FOLDER = new URL('../../fixtures/', import.meta.url);

/** A file of `fixtures/`. */
export function recorded(name: string): string {
  return fs.readFileSync(new URL(name, FOLDER), 'utf8');
}

export function recordedValues(name: string): unknown[] {
  return recorded(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A transcript as harvest gives it to an adapter; `beside`: the files around it. */
export function transcriptOf(text: string, more: Partial<TranscriptFile> & { beside?: Record<string, string> } = {}) {
  const { beside = {}, ...rest } = more;
  const file: TranscriptFile = {
    path: '/home/user/transcript',
    modified: 0,
    worktrees: ['/repo'],
    lines: () => text.split('\n'),
    text: () => text,
    read: (name) => beside[name],
    rows: () => [],
    ...rest,
  };
  return file;
}

export const linesOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

/** Each edit as a word: its kind and its file; `!` where it is of another call than one of these. */
export function editWords({ edits }: Pick<Captured, 'edits'>): string[] {
  return edits.map(({ path, change }) => `${change.kind} ${path}`);
}

export function commandWords({ commands }: Pick<Captured, 'commands'>): string[] {
  return commands.map(({ command, exitCode, refused }) =>
    [command.slice(0, 20), exitCode ?? '?', refused ? 'refused' : ''].join(' ').trim(),
  );
}

/** Values in which one member, wherever it stands, has been replaced by something that has no business there. */
export function spoiled(values: readonly unknown[]): fc.Arbitrary<unknown[]> {
  const odd = fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1e300,
    '',
    'x',
    '../../x',
    '\uD800',
    [],
    [null],
    {},
    { type: {} },
  );
  return fc
    .tuple(fc.nat(values.length - 1), fc.array(fc.nat(12), { maxLength: 8 }), odd)
    .map(([at, path, value]) => values.map((one, i) => (i === at ? replaceAt(one, path, value) : one)));
}

function replaceAt(value: unknown, [step, ...rest]: readonly number[], by: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[step % keys.length] ?? '';
  const inner = replaceAt((value as Record<string, unknown>)[key], rest, by);
  return Array.isArray(value) ? value.map((one, i) => (String(i) === key ? inner : one)) : { ...value, [key]: inner };
}
