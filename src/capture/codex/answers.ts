import { objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';

/** What the model was told of a command or a patch, taken apart. */
export interface Answer {
  readonly output: string;
  readonly exitCode?: number;
  /** How long it took, in milliseconds. */
  readonly lasted?: number;
  /** It goes on; the number that it is asked for by. */
  readonly running?: string;
}

/** Lines in front of what a command printed; a patch that came through the shell has them twice. */
const HEAD =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process|Original token count|Total output lines)\b[^\n]*\n){0,8}Output:\n/;

/** A text with lines in front, or (until early 2026) JSON. */
export function parseAnswer(text: string): Answer {
  const json = text.startsWith('{"') ? objectOf(parseJsonFile(text)) : undefined;
  const [output, metadata] = [textOf(json?.output), objectOf(json?.metadata)];
  if (output !== undefined && metadata)
    return answer(output, { exitCode: metadata.exit_code, seconds: metadata.duration_seconds, running: undefined });
  let [head, rest] = ['', text];
  for (let found = HEAD.exec(rest); found; found = HEAD.exec(rest)) {
    head += found[0];
    rest = rest.slice(found[0].length);
    if (!/^(?:Exit code|Wall time): /.test(rest)) break;
  }
  const code = /^(?:Process exited with code|Exit code:) (-?\d{1,9})$/m.exec(head)?.[1];
  return answer(rest, {
    exitCode: code === undefined ? undefined : Number(code),
    seconds: Number(/^Wall time:? (\d{1,9}(?:\.\d{1,9})?) seconds$/m.exec(head)?.[1] ?? Number.NaN),
    running: /^Process running with session ID (\d{1,10})$/m.exec(head)?.[1],
  });
}

function answer(
  output: string,
  { exitCode, seconds, running }: { exitCode: unknown; seconds: unknown; running: string | undefined },
): Answer {
  return {
    output,
    ...(typeof exitCode === 'number' && Number.isSafeInteger(exitCode) && { exitCode }),
    ...(typeof seconds === 'number' && seconds >= 0 && seconds < 1e9 && { lasted: seconds * 1000 }),
    ...(running !== undefined && { running }),
  };
}

/** Whether the patch that this answers was applied. */
export function isApplied({ output, exitCode = 0 }: Answer): boolean {
  return exitCode === 0 && /^Success\. Updated the following files:/.test(output);
}
