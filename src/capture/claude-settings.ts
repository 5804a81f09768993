import {
  commentsIn,
  isSpace,
  type JsonNode,
  type Layout,
  layoutOf,
  locateJson,
  printJson,
  type Span,
  withoutComments,
} from '../json-text.ts';
import type { HookFile, HookMode, Refused } from './adapter.ts';

/** A hook that is wanted in settings of Claude Code's shape, which several agents share. */
export interface Wanted {
  readonly event: string;
  readonly matcher?: string;
  readonly mode: HookMode;
  /** In the unit that the agent counts in. */
  readonly timeout: number;
  /** What else the agent wants in a handler. */
  readonly more?: Readonly<Record<string, string>>;
}

/** How hooks go into such settings and out of them, all else byte for byte as it was. `comments`: the agent allows them there. */
export function claudeSettings(
  wanted: readonly Wanted[],
  { comments = false }: { readonly comments?: boolean } = {},
): Pick<HookFile, 'add' | 'remove'> {
  const plain: Plain = comments ? withoutComments : (text) => text;
  return {
    add: (text, command) =>
      addHooks(
        text,
        wanted.map((one) => ({ ...one, command: command(one.mode) })),
        plain,
      ),
    remove: (text, isOurs) => removeHooks(text, isOurs, plain),
  };
}

/** A text as JSON, everything where it was. */
type Plain = (text: string) => string;

function addHooks(
  text: string | undefined,
  wanted: readonly (Wanted & { command: string })[],
  plain: Plain,
): { readonly text: string } | Refused {
  const problem = text === undefined ? undefined : problemOf(plain(text));
  if (problem) return { refused: problem };
  const rest = text !== undefined && hasOlder(text, wanted, plain) ? withoutThem(text, wanted, plain) : text;
  return { text: wanted.reduce<string | undefined>((so, one) => addOne(so, one, plain), rest) ?? '' };
}

/** Whether hooks of ours are there that are wanted no more, as an older version put them there: a tool would be told of twice. */
function hasOlder(text: string, wanted: readonly (Wanted & { command: string })[], plain: Plain): boolean {
  const root = locateJson(plain(text));
  const hooks = root && memberOf(root, 'hooks');
  if (hooks?.kind !== 'object') return false;
  const commands = new Set<unknown>(wanted.map(({ command }) => command));
  return hooks.members.some(({ key, value }) =>
    itemsOf(value).some((group) => {
      const own = commandsOf(group).filter((command) => commands.has(command));
      const isWanted = (command: unknown) =>
        wanted.some(
          (one) => one.event === key && one.command === command && one.matcher === scalarOf(group, 'matcher'),
        );
      return !own.every(isWanted);
    }),
  );
}

function withoutThem(text: string, wanted: readonly { command: string }[], plain: Plain): string | undefined {
  const left = removeHooks(text, (command) => wanted.some((one) => one.command === command), plain);
  return 'refused' in left ? text : left.text;
}

export function problemOf(text: string): string | undefined {
  const root = locateJson(text);
  if (!root) return 'it is not JSON';
  if (root.kind !== 'object') return 'it is not a JSON object';
  const all = root.members.filter((member) => member.key === 'hooks');
  const hooks = all[0]?.value;
  if (all.length > 1) return 'it has "hooks" twice';
  if (!hooks) return undefined;
  if (hooks.kind !== 'object') return '"hooks" is not an object';
  const keys = hooks.members.map((member) => member.key);
  if (new Set(keys).size < keys.length) return '"hooks" has an event twice';
  return hooks.members.every((member) => member.value.kind === 'array')
    ? undefined
    : '"hooks" is not an object of lists';
}

function addOne(text: string | undefined, wanted: Wanted & { command: string }, plain: Plain): string {
  const { event, matcher, timeout, more, command } = wanted;
  const handler = { type: 'command', ...more, command, timeout };
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  const root = text === undefined ? undefined : locateJson(plain(text));
  if (text === undefined || !root)
    return `${printJson({ hooks: { [event]: [group] } }, { unit: '  ', newline: '\n' }, 0)}\n`;
  const layout = layoutOf(plain(text), root);
  const member = (key: string, value: unknown, depth: number) =>
    `${JSON.stringify(key)}: ${printJson(value, layout, depth)}`;
  const hooks = memberOf(root, 'hooks');
  if (!hooks) return insert(text, root, { part: member('hooks', { [event]: [group] }, 1), layout, depth: 1 });
  const groups = memberOf(hooks, event);
  if (!groups) return insert(text, hooks, { part: member(event, [group], 2), layout, depth: 2 });
  const there = itemsOf(groups).some(
    (item) => scalarOf(item, 'matcher') === matcher && commandsOf(item).includes(command),
  );
  return there ? text : insert(text, groups, { part: printJson(group, layout, 3), layout, depth: 3 });
}

/** Puts a part at the end of a container; in an empty one right behind the bracket, so that taking it out leaves what was there. */
export function insert(
  text: string,
  container: JsonNode,
  { part, layout, depth }: { part: string; layout: Layout; depth: number },
): string {
  const last = childrenOf(container).at(-1);
  const space = layout.unit === undefined ? ' ' : layout.newline + layout.unit.repeat(depth);
  const at = last ? last.end : container.start + 1;
  return text.slice(0, at) + (last ? `,${space}` : '') + part + text.slice(at);
}

/** The settings without our hooks, and without what `addHooks` made around them; no text means that the file was ours alone. */
function removeHooks(
  text: string,
  isOurs: (command: string) => boolean,
  plain: Plain,
): { readonly text: string | undefined } | Refused {
  const problem = problemOf(plain(text));
  const root = locateJson(plain(text));
  if (problem || !root) return { refused: problem ?? 'it is not JSON' };
  const verdict = judge(text, root, (member) =>
    member.key !== 'hooks'
      ? THEIRS
      : judge(text, member.value, (event) => judge(text, event.value, (item) => judgeGroup(text, item.value, isOurs))),
  );
  // somebody has written a comment into a file that was ours alone
  const commented = verdict.ours && commentsIn(text).length > 0;
  const inside = { ours: false, cuts: [{ start: root.start + 1, end: root.end - 1 }] };
  return { text: withoutOurs(text, commented ? inside : verdict) };
}

export function withoutOurs(text: string, { ours, cuts }: Verdict): string | undefined {
  if (ours) return undefined;
  const comments = commentsIn(text);
  const kept = ({ start, end }: Span) =>
    comments.flatMap((one) => (one.start >= start && one.end <= end ? [` ${text.slice(one.start, one.end)}\n`] : []));
  return [...cuts]
    .sort((a, b) => b.start - a.start)
    .reduce((so, span) => so.slice(0, span.start) + kept(span).join('') + so.slice(span.end), text);
}

interface Child extends Span {
  readonly key?: string;
  readonly value: JsonNode;
}
/** `ours`: goes as a whole; else the cuts inside it. */
export interface Verdict {
  readonly ours: boolean;
  readonly cuts: readonly Span[];
}
export const THEIRS: Verdict = { ours: false, cuts: [] };

export function judge(text: string, container: JsonNode, childVerdict: (child: Child) => Verdict): Verdict {
  const children = childrenOf(container);
  const verdicts = children.map(childVerdict);
  const ours = verdicts.map((verdict) => verdict.ours);
  const [first, last] = [children[0], children.at(-1)];
  if (first && last && ours.every(Boolean)) {
    // we leave white space behind a bracket of our own, and none behind one that we found
    if (isSpace(text[container.start + 1])) return { ours: true, cuts: [] };
    return { ours: false, cuts: [{ start: first.start, end: last.end }] };
  }
  const lead = ours.indexOf(false);
  const cuts = children.flatMap((child, i): readonly Span[] => {
    if (!ours[i]) return verdicts[i]?.cuts ?? [];
    // with the comma: before the first that stays the one behind, else the one in front
    return [
      i < lead
        ? { start: child.start, end: children[i + 1]?.start ?? 0 }
        : { start: children[i - 1]?.end ?? 0, end: child.end },
    ];
  });
  return { ours: false, cuts };
}

/** A group is ours when all its handlers are; one that somebody added to keeps the others. */
function judgeGroup(text: string, group: JsonNode, isOurs: (command: string) => boolean): Verdict {
  const handlers = memberOf(group, 'hooks');
  if (handlers?.kind !== 'array' || handlers.items.length === 0) return THEIRS;
  const mine = (handler: JsonNode) => {
    const command = scalarOf(handler, 'command');
    return typeof command === 'string' && isOurs(command);
  };
  if (handlers.items.every(mine)) return { ours: true, cuts: [] };
  return judge(text, handlers, (handler) => ({ ours: mine(handler.value), cuts: [] }));
}

function childrenOf(node: JsonNode): readonly Child[] {
  if (node.kind === 'object') return node.members;
  return itemsOf(node).map((value) => ({ start: value.start, end: value.end, value }));
}

export function itemsOf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' ? node.items : [];
}

export function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

export function scalarOf(node: JsonNode, key: string): unknown {
  const value = memberOf(node, key);
  return value?.kind === 'scalar' ? value.value : undefined;
}

function commandsOf(group: JsonNode): readonly unknown[] {
  const handlers = memberOf(group, 'hooks');
  return handlers ? itemsOf(handlers).map((handler) => scalarOf(handler, 'command')) : [];
}
