import { parseGitAiNote, undescribedKeys } from '../foreign/git-ai.ts';
import { lineAt } from './import-parts.ts';
import { unread } from './validate-parts.ts';
import type { PlacedProblem } from './validate-verdict.ts';

const RULE = 'git-ai authorship/3.0.0';
/** Nobody reads more. */
const MAX_PROBLEMS = 1000;

/** Its makers publish no schema: what its notes are made of is asked for. */
export function problemsOfGitAi(text: string): PlacedProblem[] {
  const parsed = parseGitAiNote(text);
  if (parsed.kind === 'foreign') return [brokenNote(text, parsed.problem)];
  const { note } = parsed;
  const other = note.schemaVersion === 'authorship/3.0.0' ? [] : [note.schemaVersion];
  const version = lineAt(text, text.lastIndexOf('"schema_version"'));
  const lines = linesOfKeys(text);
  return [
    ...other.map((one) =>
      broken(`must be authorship/3.0.0, and is ${one}`, { path: '/schema_version', line: version }),
    ),
    ...note.broken.slice(0, MAX_PROBLEMS).map((line) => broken('must be a path, or a key and its lines', { line })),
    ...undescribedKeys(note)
      .slice(0, MAX_PROBLEMS)
      .map((key) =>
        broken(`the key ${key} is in none of sessions, humans and prompts`, {
          kind: OLDER.test(key) ? 'note' : 'value',
          line: lines.get(key) ?? 1,
        }),
      ),
  ];
}

/** Without its dividing line a note is none from its first line on; else the second part is not what it should be. */
function brokenNote(text: string, problem: string): PlacedProblem {
  const divider = /^---\r?$/m.exec(text);
  const from = divider ? divider.index + divider[0].length : 0;
  const line = lineAt(text, from);
  if (!divider || !problem.endsWith('not JSON')) return broken(`must be a note: ${problem}`, { line });
  return unread(RULE, { raw: text.slice(from), line });
}

/** Where each key is met first. */
function linesOfKeys(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [i, line] of text.split('\n').entries()) {
    const key = /^\s{1,8}(\S{1,200})\s/.exec(line)?.[1];
    if (key !== undefined && !lines.has(key)) lines.set(key, i + 1);
  }
  return lines;
}

/** Older notes have such keys, and nothing about them. */
const OLDER = /^(?:[0-9a-f]{16}|[0-9a-f]{7})$/;

function broken(message: string, more: Partial<PlacedProblem> = {}): PlacedProblem {
  return { rule: RULE, path: '', message, kind: 'shape', ...more };
}
