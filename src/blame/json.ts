import { originJson } from '../lines/origin-json.ts';
import { readable } from '../lines/text.ts';
import type { AnnotatedLine } from './annotate.ts';
import { rfc3339 } from './date.ts';
import { wallClock } from './moment.ts';
import { printWhole, type Slice, Tally } from './slices.ts';

export const SCHEMA = 'git-agent-blame/blame@1';

export interface JsonOptions {
  /** From the top of the repository. */
  readonly file: string;
  /** The commit that was asked for; null for the work tree. */
  readonly revision: string | null;
}

/** One document on one line, so that the documents of several files are JSON Lines. */
export function jsonPrinter({ file, revision }: JsonOptions) {
  const tally = new Tally();
  let separator = '';
  return {
    begin: () =>
      `{"schema":"${SCHEMA}","file":${JSON.stringify(file)},"revision":${JSON.stringify(revision)},"lines":[`,
    *some({ lines }: Slice): Generator<string> {
      for (const line of lines) {
        tally.add(line.origin);
        yield `${separator}${JSON.stringify(jsonLine(line))}`;
        separator = ',';
      }
    },
    end: () => `],"summary":${JSON.stringify(tally.summary)}}\n`,
  };
}

export function printJson(lines: readonly AnnotatedLine[], options: JsonOptions): Generator<string> {
  return printWhole(jsonPrinter(options), { lines });
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
