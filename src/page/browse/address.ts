import { createHash } from 'node:crypto';
import { decodePath, encodePath, type RepoPath } from '../../git/paths.ts';

/** Where things are on the pages: the one place that knows, for links and for those who answer them. */
export const HOME = '/';
export const STYLE_SHEET = '/style.css';
export const TREE = '/tree/';
export const FILE = '/file/';
export const CONVERSATIONS = '/conversations';
export const CONVERSATION = '/conversation/';
export const REPORT = '/report';

/** Of a file, on one page: what a browser opens at once. */
export const MOST_LINES = 10_000;

/** Undefined: as the person's branch stands. */
export type At = string | undefined;

export function folderAddress(folder: RepoPath, at: At): string {
  return folder === '' ? `${HOME}${query({ at })}` : `${TREE}${encodedPath(folder)}${query({ at })}`;
}

export function fileAddress(path: RepoPath, at: At): string {
  return `${FILE}${encodedPath(path)}${query({ at })}`;
}

/** The part of a long file that a line is in, at that line: what follows a # never reaches us. */
export function lineAddress(path: RepoPath, at: At, line: number): string {
  const from = line - ((line - 1) % MOST_LINES);
  return `${FILE}${encodedPath(path)}${query({ at, from })}#${lineAnchor(line)}`;
}

/** The event is named twice: for us, to show the part it is in, and for the browser, to scroll there. */
export function conversationAddress(session: string, event?: string): string {
  const place = event ? `${query({ event })}#${eventAnchor(event)}` : '';
  return `${CONVERSATION}${encoded(session)}${place}`;
}

export function reportAddress(at: At): string {
  return `${REPORT}${query({ at })}`;
}

export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}=${encoded(String(value))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export function lineAnchor(line: number): string {
  return `L${line}`;
}

/** Ids of events are the agents' own and may be anything. */
export function eventAnchor(event: string): string {
  if (/^[\w.-]{1,120}$/.test(event)) return `e-${event}`;
  return `h-${createHash('sha256').update(event).digest('hex').slice(0, 20)}`;
}

/** What an address has for a path, its bytes; undefined where it has none. */
export function parsePath(encodedPath: string): RepoPath | undefined {
  if (/%(?![\da-f]{2})/i.test(encodedPath)) return undefined;
  const bytes = encodedPath.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return decodePath(Buffer.from(bytes, 'latin1'));
}

/** Letters, digits and what else stands for itself, as encodeURIComponent has it; every other byte by its number. */
function encodedPath(path: RepoPath): string {
  const bytes = encodePath(path).toString('latin1');
  return bytes.replace(
    /[^\w.!~*'()/-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** encodeURIComponent throws at half a surrogate pair. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
