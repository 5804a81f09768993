import { parseGitAiNote, undescribedKeys } from '../foreign/git-ai.ts';
import type { PlacedProblem } from './validate-verdict.ts';

const RULE = 'git-ai authorship/3.0.0';
/** Nobody reads more. */
const MAX_PROBLEMS = 1000;

/** Its makers publish no schema: what its notes are made of is asked for. */
export function problemsOfGitAi(text: string): PlacedProblem[] {
  const parsed = parseGitAiNote(text);
  if (parsed.kind === 'foreign') return [broken(`must be a note: ${parsed.problem}`)];
  const { note } = parsed;
  const other = note.schemaVersion === 'authorship/3.0.0' ? [] : [note.schemaVersion];
  return [
    ...other.map((version) => broken(`must be authorship/3.0.0, and is ${version}`, { path: '/schema_version' })),
    ...note.broken.slice(0, MAX_PROBLEMS).map((line) => broken('must be a path, or a key and its lines', { line })),
    ...undescribedKeys(note)
      .slice(0, MAX_PROBLEMS)
      .map((key) =>
        broken(`the key ${key} is in none of sessions, humans and prompts`, {
          kind: OLDER.test(key) ? 'note' : 'value',
        }),
      ),
  ];
}

/** Older notes have such keys, and nothing about them. */
const OLDER = /^(?:[0-9a-f]{16}|[0-9a-f]{7})$/;

function broken(message: string, more: Partial<PlacedProblem> = {}): PlacedProblem {
  return { rule: RULE, path: '', message, kind: 'shape', ...more };
}
