import type { Hunk } from '../session.ts';
import { parseUnified } from '../unified.ts';

/** One file of the diff that the CLI shows of an edit. */
export interface ShownDiff {
  /** Absolute. Absent: the file was not there. */
  readonly oldPath?: string;
  /** Absent: it is gone. */
  readonly newPath?: string;
  readonly hunks?: readonly Hunk[];
  /** The whole text of a file that is gone. */
  readonly removed?: string;
}

/**
 * The files of such a diff. Its paths are absolute behind `a/` and `b/`; what is not there is `a/dev/null`. It splits texts at line
 * ends, so that behind the last one it counts an empty line more, and has CR LF as LF:
 *
 *     --- a/repo/app.ts
 *     +++ b/repo/app.ts
 *     @@ -1,3 +1,3 @@
 *     -const port = 3000;
 *     +const port = 1;
 *      http.createServer();
 *                            <- the file has two lines
 */
export function shownDiffs(text: string | undefined): ShownDiff[] {
  if (!text?.includes('\ndiff --git ') && !text?.startsWith('diff --git ')) return [];
  return text
    .split(/^(?=diff --git a\/)/m)
    .slice(text.startsWith('diff --git ') ? 0 : 1)
    .map(fileOf);
}

function fileOf(text: string): ShownDiff {
  const head = text.split(/^@@ /m, 1)[0] ?? '';
  const side = (pattern: RegExp) => {
    const path = pattern.exec(head)?.[1];
    return path === undefined || path === 'dev/null' ? undefined : absolute(path);
  };
  const [oldPath, newPath] = [side(/^--- a\/(.+)$/m), side(/^\+\+\+ b\/(.+)$/m)];
  const hunks = parseUnified(text)
    ?.map(withoutEnd)
    .filter(({ lines }) => lines.some((line) => !line.startsWith(' ')));
  const removed = newPath === undefined && hunks?.length === 1 ? textOf(hunks[0]) : undefined;
  return {
    ...(oldPath !== undefined && { oldPath }),
    ...(newPath !== undefined && { newPath }),
    ...(hunks && hunks.length > 0 && { hunks }),
    ...(removed !== undefined && { removed }),
  };
}

/** On Windows a drive's letter stands where elsewhere the first slash went. */
function absolute(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path : `/${path}`;
}

function textOf(hunk: Hunk | undefined): string | undefined {
  if (hunk?.oldStart !== 1 || hunk.lines.some((line) => !line.startsWith('-'))) return undefined;
  return hunk.lines.map((line) => `${line.slice(1)}\n`).join('');
}

/** Without the empty line behind the last one. Where it was one of the file's own, the hunk has a line less to be found by. */
function withoutEnd(hunk: Hunk): Hunk {
  const lines = [...hunk.lines];
  const drop = (signs: string) => {
    const at = lines.findLastIndex((line) => signs.includes(line[0] ?? ''));
    if (at < 0 || lines[at]?.slice(1) !== '' || lines.slice(at + 1).some((line) => line.startsWith(' '))) return;
    lines.splice(at, 1);
  };
  if (lines.at(-1)?.startsWith(' ')) drop(' ');
  else {
    drop('-');
    drop('+');
  }
  const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? '')).length;
  return { ...hunk, lines, oldLines: count(' -'), newLines: count(' +') };
}
