import { createHash } from 'node:crypto';

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

export function folderAddress(folder: string, at: At): string {
  return folder === '' ? `${HOME}${query({ at })}` : `${TREE}${encodedPath(folder)}${query({ at })}`;
}

export function fileAddress(path: string, at: At): string {
  return `${FILE}${encodedPath(path)}${query({ at })}`;
}

/** The part of a long file that a line is in, at that line: what follows a # never reaches us. */
export function lineAddress(path: string, at: At, line: number): string {
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

function encodedPath(path: string): string {
  return path.split('/').map(encoded).join('/');
}

/** encodeURIComponent throws at half a surrogate pair. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
