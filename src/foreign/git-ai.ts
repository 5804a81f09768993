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
  /** Persons by their keys: a name, where it is told. */
  readonly humans: ReadonlyMap<string, string | undefined>;
  /** The whole second part, as it came. */
  readonly metadata: JsonObject;
  /** Lines of the first part that make no sense, counted from 1. */
  readonly broken: readonly number[];
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
  /** What else is told of it, and is no text of a conversation. */
  readonly more: JsonObject;
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
  const { files, broken } = parseFiles(text.slice(0, divider.index));
  const note: GitAiNote = {
    schemaVersion,
    ...(typeof metadata.git_ai_version === 'string' ? { version: metadata.git_ai_version } : {}),
    files,
    sessions: new Map([...parseSessions(metadata.prompts), ...parseSessions(metadata.sessions)]),
    humans: parseHumans(metadata.humans),
    metadata,
    broken,
  };
  return { kind: 'note', note };
}

/** Two spaces, by its standard; others have been seen. */
const ENTRY = /^\s{1,8}(\S{1,200})\s{1,8}([\d,-]+)\s{0,8}$/;

function parseFiles(text: string): { files: GitAiFile[]; broken: number[] } {
  const files: { path: string; entries: GitAiEntry[] }[] = [];
  const broken: number[] = [];
  let parts = 0;
  let current: { path: string; entries: GitAiEntry[] } | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    if (!/^\s/.test(line)) {
      current = parsePath(line);
      if (current) files.push(current);
      else broken.push(i + 1);
      continue;
    }
    const [, key, spec] = ENTRY.exec(line) ?? [];
    const ranges = parts < MAX_PARTS ? parseRanges(spec ?? '', MAX_PARTS - parts) : undefined;
    if (!current || !key || !ranges) broken.push(i + 1);
    else current.entries.push({ key, ranges });
    parts += 1 + (ranges?.length ?? 0);
  }
  return { files, broken };
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

/** Whether a key names an agent by its form alone: a session and a checkpoint, or a prompt of older notes. */
export function isAgentKey(key: string): boolean {
  return /^(?:s_[0-9a-f]{14}(?:::t_[0-9a-f]{14})?|[0-9a-f]{16}|[0-9a-f]{7})$/.test(key);
}

/** Keys that the note does not say anything of. */
export function undescribedKeys({ files, sessions, humans }: GitAiNote): string[] {
  const keys = new Set(files.flatMap(({ entries }) => entries.map(({ key }) => key)));
  return [...keys].filter((key) => {
    const name = key.split('::', 1)[0] ?? '';
    return !sessions.has(name) && !humans.has(name);
  });
}

function parseSessions(value: unknown): [string, GitAiSession][] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .map(([key, session]) => [key, parseSession(session)]);
}

/** `Name <mail>`: the name; addresses are nobody's business here. */
function parseHumans(value: unknown): Map<string, string | undefined> {
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value)
      .slice(0, MAX_PARTS)
      .map(([key, human]) => {
        const author = isObject(human) && typeof human.author === 'string' ? nameOf(human.author) : '';
        return [key, author === '' ? undefined : author];
      }),
  );
}

function nameOf(author: string): string {
  return author
    .slice(0, 500)
    .replace(/<[^>]*>?/g, '')
    .trim();
}

const MORE = ['custom_attributes', 'human_author'] as const;

function parseSession(value: unknown): GitAiSession {
  if (!isObject(value)) return { messages: [], more: {} };
  const agent = isObject(value.agent_id) ? value.agent_id : {};
  const text = (key: string) => (typeof agent[key] === 'string' && agent[key] !== '' ? { [key]: agent[key] } : {});
  return {
    ...text('tool'),
    ...text('id'),
    ...text('model'),
    messages: Array.isArray(value.messages) ? value.messages : [],
    more: Object.fromEntries(
      MORE.flatMap((key) => {
        const told = value[key];
        if (told === undefined || told === null) return [];
        return [[key, key === 'human_author' && typeof told === 'string' ? nameOf(told) : told]];
      }),
    ),
  };
}
