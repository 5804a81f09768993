import {
  CONVERSATION,
  CONVERSATIONS,
  FILE,
  HOME,
  parsePath,
  REPORT,
  STYLE_SHEET,
  TREE,
} from '../page/browse/address.ts';

/** What an address asks for. Paths are git's, of the bytes that were sent: whether there is such a thing is for others to say. */
export type Route =
  | { readonly page: 'style' }
  | { readonly page: 'folder'; readonly folder: string; readonly at: string | undefined }
  | {
      readonly page: 'file';
      readonly path: string;
      readonly at: string | undefined;
      readonly from: number;
      readonly line?: number;
    }
  | { readonly page: 'conversations'; readonly words: string | undefined }
  | { readonly page: 'conversation'; readonly session: string; readonly event: string | undefined }
  | { readonly page: 'report'; readonly at: string | undefined };

/** Of a revision, of words to look for, of an id: nobody's are longer. */
const MOST = 400;

/** Undefined: there is no such page. */
export function parseRoute({ pathname, searchParams }: URL): Route | undefined {
  const said = (key: string) => searchParams.get(key)?.slice(0, MOST) || undefined;
  const at = said('at');
  if (pathname === STYLE_SHEET) return { page: 'style' };
  if (pathname === HOME) return { page: 'folder', folder: '', at };
  if (pathname === REPORT) return { page: 'report', at };
  if (pathname === CONVERSATIONS) return { page: 'conversations', words: said('q') };
  const below = (start: string) => (pathname.startsWith(start) ? pathname.slice(start.length) : undefined);
  const folder = parsed(below(TREE)?.replace(/\/$/, ''), parsePath);
  if (folder !== undefined) return { page: 'folder', folder, at };
  const path = parsed(below(FILE), parsePath);
  const line = parseLine(searchParams.get('line'));
  if (path) return { page: 'file', path, at, from: parseLine(searchParams.get('from')) ?? 1, ...(line && { line }) };
  const session = parsed(below(CONVERSATION), decodeText);
  return session ? { page: 'conversation', session: session.slice(0, MOST), event: said('event') } : undefined;
}

function parsed<T>(text: string | undefined, parse: (text: string) => T | undefined): T | undefined {
  return text === undefined ? undefined : parse(text);
}

/** Undefined: bytes that are no UTF-8. */
function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function parseLine(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
