import { summarise } from '../blame/annotate.ts';
import { originJson } from '../lines/origin-json.ts';
import { readable } from '../lines/text.ts';
import type { PaintedLine } from './diff.ts';

export const DIFF_SCHEMA = 'git-agent-blame/diff@1';

export interface DiffJsonOptions {
  /** The commit of the new side; null for the index and the work tree. */
  readonly revision: string | null;
  readonly staged: boolean;
}

/** One document on one line: what is added to each file, and by whom. */
export function* printDiffJson(lines: readonly PaintedLine[], options: DiffJsonOptions): Generator<string> {
  const { revision, staged } = options;
  yield `{"schema":"${DIFF_SCHEMA}","revision":${JSON.stringify(revision)},"staged":${staged},"files":[`;
  let file: string | undefined;
  for (const line of lines) {
    if (line.file === file) yield ',';
    else yield `${file === undefined ? '' : ']},'}{"file":${JSON.stringify(line.file)},"added":[`;
    file = line.file;
    yield JSON.stringify(jsonAdded(line));
  }
  yield `${file === undefined ? '' : ']}'}],"summary":${JSON.stringify(summarise(lines))}}\n`;
}

function jsonAdded(added: PaintedLine) {
  const { line, text, commit } = added;
  return { line, text: readable(text), commit, ...originJson(added) };
}
