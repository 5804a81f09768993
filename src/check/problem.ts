import { plain } from '../terminal/plain.ts';

/** Something wrong in a policy file; lines and columns are counted from 1. */
export interface PolicyProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What was probably meant. */
  readonly suggestion?: string;
}

/** `.agent-policy.json:3:12: there is no "maxAIShare": did you mean maxAiShare?` */
export function printProblem(file: string, { line, column, message, suggestion }: PolicyProblem): string {
  const hint = suggestion === undefined ? '' : `: did you mean ${suggestion}?`;
  return plain(`${file}:${line}:${column}: ${message}${hint}`);
}

/** From a place in the text to its line and column. */
export function placeIn(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  const line = (before.at(-1) ?? '').replace('\uFEFF', '');
  return { line: before.length, column: [...line].length + 1 };
}
