import { createHash } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from '../../json.ts';
import type { CommandFor, FilesBefore, HookFile, HookMode, Refused } from '../adapter.ts';
import { listOf, objectOf, textOf } from '../fields.ts';
import { codexFolder } from './locate.ts';

/** Codex keeps the hooks that its user has approved in its settings, each by its place and by a hash of what it does. */
export const trust: HookFile = {
  name: 'trust',
  user: (place) => `${codexFolder(place)}/config.toml`,
  asks: 'Codex runs only hooks that you have approved: do that with /hooks in Codex, or with git agent init --trust-hooks.',
  add: approve,
  remove: (text, isOurs) => withdraw(text, ({ command }) => isOurs(command)),
};

/** One hook of ours: where it stands (a link may give the file two names), and its hash. */
interface Approval {
  readonly keys: readonly string[];
  readonly hash: string;
  readonly command: string;
}

const MODES: readonly HookMode[] = ['event', 'before', 'after', 'end', 'pre', 'post'];

function approve(
  text: string | undefined,
  command: CommandFor,
  before: FilesBefore,
): { readonly text: string } | Refused {
  const hooks = before.get('hooks');
  if (!hooks) return { refused: 'the hooks that it would approve are not there' };
  const paths = [...new Set([hooks.named ?? hooks.path, hooks.path])];
  const ours = new Set(MODES.map(command));
  const approvals = handlersIn(hooks.text).flatMap((handler): Approval[] => {
    if (!ours.has(handler.command)) return [];
    return [{ keys: paths.map((path) => `${path}:${handler.place}`), hash: handler.hash, command: handler.command }];
  });
  const wanted = new Map(approvals.flatMap(({ keys, hash }) => keys.map((key) => [key, hash])));
  // hooks that have moved in their file since, or are not ours any more
  const { text: kept } = withdraw(text ?? '', ({ key, hash }) => wanted.get(key) !== hash);
  const rest = text === undefined ? undefined : kept;
  const problem = problemOf(rest ?? '', wanted);
  if (problem) return { refused: problem };
  const missing = approvals.filter(({ keys, hash }) => !keys.some((key) => hashAt(rest ?? '', key) === hash));
  const blocks = missing.flatMap((one) => one.keys.map((key) => printApproval(key, one)));
  // a file of our own begins with a comment, one that was empty with our line end
  const whole = (rest ?? '') + blocks.join('');
  return { text: rest === undefined ? whole.slice(1) : whole };
}

interface Handler {
  /** EVENT:GROUP:HANDLER, as Codex counts them. */
  readonly place: string;
  readonly hash: string;
  readonly command: string;
}

function handlersIn(text: string): Handler[] {
  const parsed = parseJson(text, 4 << 20);
  const events = 'value' in parsed ? objectOf(objectOf(parsed.value)?.hooks) : undefined;
  return Object.entries(events ?? {}).flatMap(([name, groups]) => {
    const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return listOf(groups).flatMap((group, i) =>
      listOf(objectOf(group)?.hooks).flatMap((handler, j): Handler[] => {
        const command = textOf(objectOf(handler)?.command);
        if (command === undefined || !isObject(handler)) return [];
        const hash = hookHash(event, { matcher: textOf(objectOf(group)?.matcher), handler });
        return [{ place: `${event}:${i}:${j}`, hash, command }];
      }),
    );
  });
}

/** Codex goes on while such a hook runs. */
const UNWAITED = 'async';

/** Codex looks for no matcher there. */
const WITHOUT_MATCHER = new Set(['user_prompt_submit', 'stop']);

/**
 * What Codex 0.129 and later take a hook for: SHA-256 of compact JSON, keys in order, of the values that count in the end. Measured with
 * 0.166: an empty matcher counts as written, the end of a session waits for one second, or three at most.
 */
export function hookHash(
  event: string,
  { matcher, handler }: { readonly matcher: string | undefined; readonly handler: JsonObject },
): string {
  const ending = event === 'session_end';
  const timeout = typeof handler.timeout === 'number' ? handler.timeout : ending ? 1 : 600;
  const statusMessage = textOf(handler.statusMessage);
  const told = {
    event_name: event,
    hooks: [
      {
        [UNWAITED]: handler[UNWAITED] === true,
        command: handler.command,
        ...(statusMessage !== undefined && { statusMessage }),
        timeout: ending ? Math.min(timeout, 3) : timeout,
        type: 'command',
      },
    ],
    ...(matcher !== undefined && !WITHOUT_MATCHER.has(event) && { matcher }),
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(told)).digest('hex')}`;
}

/** A table of its own for each, so that Codex may write its own between them; the line end in front of it is ours too. */
function printApproval(key: string, { hash, command }: Approval): string {
  const words = command.replace(/[^\x20-\x7E\x80-\uFFFF]/g, ' ');
  return `\n${NOTE}${words}\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`;
}

const NOTE = '# approved by git agent init --trust-hooks: ';

/** Codex itself may add keys to a table, `enabled` for one. */
const BLOCK = new RegExp(
  `(?:^|\\n)${NOTE}([^\\n]*)\\n\\[hooks\\.state\\.("(?:[^"\\\\\\n]|\\\\[^\\n])*")\\]\\r?\\n((?:[a-z_]+ = [^\\n]*(?:\\n|$))*)`,
  'g',
);

interface OwnTable {
  readonly command: string;
  readonly key: string;
  readonly hash: string | undefined;
}

/** The text without those tables of ours; none where the file began with us and has nothing else. */
function withdraw(text: string, goes: (table: OwnTable) => boolean): { readonly text: string | undefined } {
  const spans: { start: number; end: number }[] = [];
  for (const { index: start, 0: block, 1: command = '', 2: key = '', 3: body = '' } of text.matchAll(BLOCK)) {
    const parsed = parseJson(key, 1 << 16);
    const table = { command, key: ('value' in parsed && textOf(parsed.value)) || '', hash: HASH.exec(body)?.[1] };
    if (!goes(table)) continue;
    const last = spans.at(-1);
    if (last?.end === start) last.end += block.length;
    else spans.push({ start, end: start + block.length });
  }
  const rest = spans.reduceRight((so, span) => so.slice(0, span.start) + between(so, span) + so.slice(span.end), text);
  return { text: rest === '' && text.startsWith(NOTE) ? undefined : rest };
}

/** Somebody may have put something right in front of us and right behind us: that stays on two lines. */
function between(text: string, { start, end }: { start: number; end: number }): string {
  const apart = start === 0 || text[start - 1] === '\n' || end === text.length || /^\r?\n/.test(text.slice(end));
  return apart ? '' : '\n';
}

const HASH = /^trusted_hash = "([^"\n]*)"/m;

/** What Codex has approved under this key. */
function hashAt(text: string, key: string): string | undefined {
  const headers = [JSON.stringify(key), `'${key}'`].map((name) => `[hooks.state.${name}]`);
  const at = headers.map((header) => indexOfLine(text, header)).find((index) => index >= 0);
  if (at === undefined) return undefined;
  const [, ...lines] = text.slice(at).split('\n');
  const end = lines.findIndex((line) => line.startsWith('['));
  return HASH.exec(lines.slice(0, end < 0 ? undefined : end).join('\n'))?.[1];
}

function indexOfLine(text: string, line: string): number {
  return text.startsWith(line) ? 0 : text.indexOf(`\n${line}`) + 1 || -1;
}

/** A line that begins a table; in a list over several lines one may begin with a bracket too. */
const TABLE = /^[ \t]*\[\[?[ \t]*[A-Za-z_][\w-]*[ \t]*[.\]]/m;

/** Where a table of ours would make the whole file invalid, or say two things of one hook. */
function problemOf(text: string, wanted: ReadonlyMap<string, string>): string | undefined {
  const top = text.slice(0, TABLE.exec(text)?.index);
  const [, own = ''] = text.split(/^[ \t]*\[[ \t]*hooks[ \t]*\]/m);
  const state = own.slice(0, TABLE.exec(own)?.index);
  if (/^[ \t]*["']?hooks["']?[ \t]*[.=]/m.test(top) || /^[ \t]*["']?state["']?[ \t]*[.=]/m.test(state))
    return 'it has hooks in a form to which no approval can be added; approve ours with /hooks in Codex';
  for (const [key, hash] of wanted) {
    const said = text.includes(JSON.stringify(key)) || text.includes(`'${key}'`);
    if (said && hashAt(text, key) !== hash)
      return 'it has another approval in the place of ours; approve our hooks with /hooks in Codex';
  }
  return undefined;
}
