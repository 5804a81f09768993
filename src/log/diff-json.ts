import { summarise } from '../blame/annotate.ts';
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

function jsonAdded({ line, text, commit, origin, via, trace, conversation }: PaintedLine) {
  const { agent } = origin;
  return {
    line,
    text: readable(text),
    commit,
    type: origin.type,
    evidence: origin.evidence ?? null,
    via: via ?? null,
    reason: origin.reason ?? null,
    model: agent?.model ?? null,
    tool: agent ? { name: agent.tool.name, version: agent.tool.version ?? null } : null,
    session: agent?.session || null,
    event: agent?.event || null,
    conversation: conversation ?? null,
    trace: trace ?? null,
  };
}
