import { isObject, type JsonObject, parseJson } from '../json.ts';
import type { LineRange } from '../lines/range.ts';
import { repoPath } from '../trace/path.ts';

/**
 * A note of git-ai in `refs/notes/ai`, schema `authorship/3.0.0`: paths with the lines of each key below them, a line `---`, and JSON
 * that says who the keys are. Lines under no key are not tracked: nobody's, and not a person's.
 */
export interface GitAiNote {
  readonly schemaVersion: string;
  /** Of git-ai. */
  readonly version?: string;
  readonly files: readonly GitAiFile[];
  /** By the key's part before `::`; `sessions` and, of older notes, `prompts`. */
  readonly sessions: ReadonlyMap<string, GitAiSession>;
  /** Keys of persons. */
  readonly humans: ReadonlySet<string>;
  /** The whole second part, as it came. */
  readonly metadata: JsonObject;
  /** Lines of the first part that make no sense. */
  readonly skipped: number;
}

export interface GitAiFile {
  readonly path: string;
  readonly entries: readonly GitAiEntry[];
}

export interface GitAiEntry {
  readonly key: string;
  readonly ranges: readonly LineRange[];
}

export interface GitAiSession {
  readonly tool?: string;
  /** The agent's own id of the conversation. */
  readonly id?: string;
  readonly model?: string;
  readonly messages: readonly unknown[];
}

export type ParsedGitAi =
  | { readonly kind: 'note'; readonly note: GitAiNote }
  | { readonly kind: 'foreign'; readonly problem: string };

const MAX_NOTE = 64 * 1024 * 1024;
/** Of entries, and of ranges. */
const MAX_PARTS = 200_000;

export function parseGitAiNote(text: string): ParsedGitAi {
  const foreign = (problem: string): ParsedGitAi => ({ kind: 'foreign', problem });
  if (text.length > MAX_NOTE) return foreign(`longer than ${MAX_NOTE} characters`);
  const divider = /^---\r?$/m.exec(text);
  if (!divider) return foreign('no line --- between lines and metadata');
  const json = parseJson(text.slice(divider.index + divider[0].length), MAX_NOTE);
  if ('problem' in json) return foreign(`its metadata is ${json.problem}`);
  const metadata = json.value;
  if (!isObject(metadata)) return foreign('its metadata is not an object');
  const schemaVersion = metadata.schema_version;
  if (typeof schemaVersion !== 'string' || !schemaVersion.startsWith('authorship/'))
    return foreign('its metadata names no schema authorship/...');
  const { files, skipped } = parseFiles(text.slice(0, divider.index));
  const note: GitAiNote = {
    schemaVersion,
    ...(typeof metadata.git_ai_version === 'string' ? { version: metadata.git_ai_version } : {}),
    files,
    sessions: new Map([...parseSessions(metadata.prompts), ...parseSessions(metadata.sessions)]),
    humans: new Set(isObject(metadata.humans) ? Object.keys(metadata.humans) : []),
    metadata,
    skipped,
  };
  return { kind: 'note', note };
}

/** Two spaces, by its standard; others have been seen. */
const ENTRY = /^\s{1,8}(\S{1,200})\s{1,8}([\d,-]+)\s{0,8}$/;

function parseFiles(text: string): { files: GitAiFile[]; skipped: number } {
  const files: { path: string; entries: GitAiEntry[] }[] = [];
  let skipped = 0;
  let parts = 0;
  let current: { path: string; entries: GitAiEntry[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    if (!/^\s/.test(line)) {
      current = parsePath(line);
      if (current) files.push(current);
      else skipped++;
      continue;
    }
    const [, key, spec] = ENTRY.exec(line) ?? [];
    const ranges = parts < MAX_PARTS ? parseRanges(spec ?? '', MAX_PARTS - parts) : undefined;
    if (!current || !key || !ranges) skipped++;
    else current.entries.push({ key, ranges });
    parts += 1 + (ranges?.length ?? 0);
  }
  return { files, skipped };
}

function parsePath(line: string): { path: string; entries: GitAiEntry[] } | undefined {
  const bare = /^"(.*)"$/.exec(line)?.[1] ?? line;
  const path = repoPath(bare, false);
  return path === undefined ? undefined : { path, entries: [] };
}

/** `1-4,9-10,12`; nothing where any part of it makes no sense. */
function parseRanges(spec: string, most: number): LineRange[] | undefined {
  const ranges: LineRange[] = [];
  for (const part of spec.split(',')) {
    const [, first, last] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    const start = Number(first);
    const end = Number(last ?? first);
    if (!first || start < 1 || start > end || ranges.length >= most) return undefined;
    ranges.push({ start, end });
  }
  return ranges;
}

function parseSessions(value: unknown): [string, GitAiSession][] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .map(([key, session]) => [key, parseSession(session)]);
}

function parseSession(value: unknown): GitAiSession {
  if (!isObject(value)) return { messages: [] };
  const agent = isObject(value.agent_id) ? value.agent_id : {};
  const text = (key: string) => (typeof agent[key] === 'string' && agent[key] !== '' ? { [key]: agent[key] } : {});
  return {
    ...text('tool'),
    ...text('id'),
    ...text('model'),
    messages: Array.isArray(value.messages) ? value.messages : [],
  };
}
