import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import { isNear } from '../near.ts';
import type { Captured, Command } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { type Message, messagesOf } from './messages.ts';
import { callOf, type Span } from './tools.ts';

/** Threads of Zed's own agent: each row one document, most of them packed. Only those begun near the work trees are unpacked. */
export function decodeDatabase(file: TranscriptFile): Captured[] {
  // columns have come in the course of time
  const names = file.rows('PRAGMA table_info(threads)').flatMap(({ name }) => textOf(name) ?? []);
  const columns = ['id', 'updated_at', 'created_at', 'folder_paths', 'parent_id'].filter((name) =>
    names.includes(name),
  );
  return file.rows(`SELECT ${columns.join(', ')} FROM threads WHERE length(data) < ${MAX_PACKED}`).flatMap((row) => {
    const folders = foldersOf(row.folder_paths);
    const near = folders.length === 0 || folders.some((folder) => isNear(folder, file.worktrees));
    return near ? [decodeThread(file, row, folders)] : [];
  });
}

const MAX_PACKED = 64 << 20;

/** One to a line. */
function foldersOf(value: unknown): string[] {
  return (textOf(value) ?? '').split('\n').filter(Boolean);
}

function decodeThread(file: TranscriptFile, row: JsonObject, folders: readonly string[]): Captured {
  const skipped: Skipped = {};
  const session = plainId(row.id) ?? '';
  const thread = threadIn(file, row, skipped);
  const roots = folders.length > 0 ? folders : snapshotFolders(thread ?? {});
  // no message says when it was: none was before the first was stored, none after the last
  const [updated, created] = [timeOf(row.updated_at) ?? file.modified, timeOf(row.created_at)];
  const span: Span = { from: Math.min(created ?? updated, updated), to: updated };
  let order = 0;
  const steps = messagesOf(thread ?? {}).flatMap((message, i) => {
    const told = stepsOf(message, { id: `${session}-${i}`, at: span.from + order, span, roots });
    order += told.length;
    return told;
  });
  const captured = assemble(
    defined({
      session,
      tool: { name: 'zed' },
      cwd: roots[0],
      startedAt: created,
      endedAt: updated,
      parentSession: plainId(row.parent_id),
      tokens: tokensOf(objectOf(thread?.cumulative_token_usage)),
      // written elsewhere, and only looked at here
      steps: thread?.imported === true ? [] : steps,
      skipped,
    }),
  );
  return thread ? captured : { ...captured, commands: roots.map((cwd, i) => untold(`${session}-${i}`, cwd, span)) };
}

/** A thread that cannot be read was at work here: what changed meanwhile may be its doing. */
function untold(event: string, cwd: string, { from, to }: Span): Command {
  return { event, command: 'a thread that cannot be read', cwd, startedAt: from, endedAt: to + 1, background: false };
}

function threadIn(file: TranscriptFile, row: JsonObject, skipped: Skipped): JsonObject | undefined {
  const [{ data, data_type: kind } = {}] = file.rows('SELECT data, data_type FROM threads WHERE id = ?', [
    textOf(row.id) ?? '',
  ]);
  const text =
    kind === 'zstd'
      ? file.unpack?.(data)
      : data instanceof Uint8Array
        ? Buffer.from(data).toString('utf8')
        : textOf(data);
  if (text === undefined) skip(skipped, 'thread that cannot be unpacked (Node 22.15 can)');
  const thread = text === undefined ? undefined : objectOf(parseJsonFile(text));
  if (text !== undefined && !thread) skip(skipped, 'broken thread');
  return thread;
}

/** Older rows do not say where they were begun; a picture of the project does. */
function snapshotFolders(thread: JsonObject): string[] {
  const snapshots = listOf(objectOf(thread.initial_project_snapshot)?.worktree_snapshots);
  return snapshots.flatMap((value) => textOf(objectOf(value)?.worktree_path) ?? []);
}

interface About {
  readonly id: string;
  readonly at: number;
  readonly span: Span;
  readonly roots: readonly string[];
}

function stepsOf(message: Message, { id, at, span, roots }: About): Step[] {
  return message.parts.map((part, k): Step => {
    const moment = at + k;
    if ('text' in part) return { kind: part.kind, id: `${id}-${k}`, at: moment, text: part.text } satisfies Said;
    return callOf({ ...part, at: moment }, { span, roots });
  });
}

function tokensOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const [input, output] = [countOf(usage?.input_tokens), countOf(usage?.output_tokens)];
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cacheReadTokens: countOf(usage?.cache_read_input_tokens) ?? 0,
    cacheWriteTokens: countOf(usage?.cache_creation_input_tokens) ?? 0,
  };
}
