import { plain } from '../terminal/plain.ts';
import { cut, widthOf } from '../terminal/width.ts';

/** More than any line shows. Combining characters take no cells, so characters are counted as well; and measuring takes its time. */
const LENGTH = 300;
/** A blank name would be overlooked. */
const BLANK = '(no name)';

/** A stranger's text as it may be printed. */
export function nameOf(text: string): string {
  return plain(text.slice(0, LENGTH)) || BLANK;
}

/** The same for a path, the end of which says more than its beginning. */
export function pathOf(path: string): string {
  return plain(path.slice(-LENGTH)) || BLANK;
}

/** `…/report/names.ts`: as many of the last folders as there is room for. */
export function cutPath(path: string, width: number): string {
  if (widthOf(path) <= width) return path;
  let fits: string | undefined;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const end = `…${path.slice(at)}`;
    if (widthOf(end) > width) break;
    fits = end;
  }
  return fits ?? cut(path, width);
}

/** What could end the span, the cell of a table or a hidden comment. */
const RISKY = /[`|]|<(?=!--)/g;

/**
 * A printable name as a code span of Markdown: forges look for no mentions, references, links, HTML or emphasis in there. They
 * disagree on how a pipe or a backtick is escaped inside one, so none is left: they are in the octal escapes that git prints odd names with.
 */
export function code(name: string): string {
  return `\`${name.replace(RISKY, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)}\``;
}
