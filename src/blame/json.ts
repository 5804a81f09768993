import { originJson } from '../lines/origin-json.ts';
import { readable } from '../lines/text.ts';
import { type AnnotatedLine, summarise } from './annotate.ts';
import { rfc3339 } from './date.ts';
import { wallClock } from './moment.ts';

export const SCHEMA = 'git-agent-blame/blame@1';

export interface JsonOptions {
  /** From the top of the repository. */
  readonly file: string;
  /** The commit that was asked for; null for the work tree. */
  readonly revision: string | null;
}

/** One document on one line, so that the documents of several files are JSON Lines. */
export function* printJson(lines: readonly AnnotatedLine[], { file, revision }: JsonOptions): Generator<string> {
  yield `{"schema":"${SCHEMA}","file":${JSON.stringify(file)},"revision":${JSON.stringify(revision)},"lines":[`;
  for (const [i, line] of lines.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(jsonLine(line))}`;
  yield `],"summary":${JSON.stringify(summarise(lines))}}\n`;
}

export function jsonLine(line: AnnotatedLine) {
  const { blamed } = line;
  return {
    line: blamed.line,
    text: readable(blamed.text),
    commit: blamed.uncommitted ? null : blamed.commit,
    originalLine: blamed.originalLine,
    originalFile: blamed.originalFile,
    author: blamed.author,
    authorMail: blamed.authorMail,
    authorTime: rfc3339(wallClock({ seconds: blamed.authorTime, zone: blamed.authorZone })),
    ...originJson(line),
  };
}
