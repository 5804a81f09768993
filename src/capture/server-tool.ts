import type { JsonObject } from '../json.ts';

/** A tool that an MCP server brings along: it may write files, or only look something up. */
export function isServerTool(name: string): boolean {
  return /^mcp_/.test(name);
}

/** Members that name a file or a folder: `path`, `relative_path`, `filePath`, `uri`, `destination`, `paths`. */
const PLACES = /(?:path|file|filename|uri|dir|directory|folder|notebook|source|destination|target)s?$/i;
const MAX_PLACES = 50;
const MAX_DEPTH = 4;
const MAX_PATH = 1024;

/** A call of one, told as a command: its name, and the files that it names. Texts that it writes may name files of their own, and are left out. */
export function serverCommand(name: string, input: JsonObject): string {
  const places = placesIn(input, { named: false, depth: 0 }).slice(0, MAX_PLACES);
  return [name, ...places.map((place) => `'${place.replaceAll("'", '')}'`)].join(' ');
}

function placesIn(value: unknown, { named, depth }: { named: boolean; depth: number }): string[] {
  if (typeof value === 'string') return named && value.length <= MAX_PATH && !value.includes('\n') ? [value] : [];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_PLACES).flatMap((one) => placesIn(one, { named, depth: depth + 1 }));
  return Object.entries(value).flatMap(([key, one]) => placesIn(one, { named: PLACES.test(key), depth: depth + 1 }));
}
