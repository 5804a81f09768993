import { type JsonNode, layoutOf, locateJson, printJson } from '../../json-text.ts';
import type { HookFile, HookMode, Refused } from '../adapter.ts';
import {
  insert,
  itemsOf,
  judge,
  memberOf,
  problemOf,
  scalarOf,
  THEIRS,
  type Verdict,
  withoutOurs,
} from '../claude-settings.ts';
import { cursorHome } from './locate.ts';

interface Wanted {
  readonly event: string;
  readonly matcher?: string;
  readonly mode: HookMode;
  /** Seconds. */
  readonly timeout: number;
}

/** Not what the agent says and thinks: with so many calls Cursor has lost its stream. Edits are told after the tool and after the edit. */
const WANTED: readonly Wanted[] = [
  { event: 'beforeSubmitPrompt', mode: 'event', timeout: 10 },
  { event: 'preToolUse', matcher: 'Shell', mode: 'before', timeout: 15 },
  { event: 'postToolUse', matcher: 'Shell', mode: 'after', timeout: 15 },
  { event: 'postToolUse', matcher: 'Write|Delete', mode: 'event', timeout: 10 },
  { event: 'postToolUseFailure', matcher: 'Shell', mode: 'after', timeout: 15 },
  { event: 'afterFileEdit', mode: 'event', timeout: 10 },
  { event: 'stop', mode: 'end', timeout: 10 },
  { event: 'sessionEnd', mode: 'end', timeout: 10 },
];

/** Settings in which a hook is an entry of its event's list; all else stays byte for byte as it was. */
export const settings: HookFile = {
  name: 'hooks',
  user: (place) => `${cursorHome(place)}/hooks.json`,
  project: '.cursor/hooks.json',
  add: (text, command) => {
    const problem = text === undefined ? undefined : problemOf(text);
    if (problem) return { refused: problem };
    return {
      text: WANTED.reduce<string | undefined>((so, wanted) => addOne(so, wanted, command(wanted.mode)), text) ?? '',
    };
  },
  remove,
};

function addOne(text: string | undefined, { event, matcher, timeout }: Wanted, command: string): string {
  const entry = { command, ...(matcher === undefined ? {} : { matcher }), timeout };
  const root = text === undefined ? undefined : locateJson(text);
  // ours stands behind the hooks: a `version` that the user wrote is known by its place
  if (text === undefined || !root)
    return `${printJson({ hooks: { [event]: [entry] }, version: 1 }, { unit: '  ', newline: '\n' }, 0)}\n`;
  const layout = layoutOf(text, root);
  const member = (key: string, value: unknown, depth: number) =>
    `${JSON.stringify(key)}: ${printJson(value, layout, depth)}`;
  const hooks = memberOf(root, 'hooks');
  if (!hooks) {
    const space = layout.unit === undefined ? ' ' : layout.newline + layout.unit;
    const version = memberOf(root, 'version') ? '' : `,${space}${member('version', 1, 1)}`;
    return insert(text, root, { part: member('hooks', { [event]: [entry] }, 1) + version, layout, depth: 1 });
  }
  const entries = memberOf(hooks, event);
  if (!entries) return insert(text, hooks, { part: member(event, [entry], 2), layout, depth: 2 });
  const there = itemsOf(entries).some(
    (item) => scalarOf(item, 'command') === command && scalarOf(item, 'matcher') === matcher,
  );
  return there ? text : insert(text, entries, { part: printJson(entry, layout, 3), layout, depth: 3 });
}

function remove(text: string, isOurs: (command: string) => boolean): { readonly text: string | undefined } | Refused {
  const problem = problemOf(text);
  const root = locateJson(text);
  if (problem || !root) return { refused: problem ?? 'it is not JSON' };
  const mine = (entry: JsonNode): Verdict => {
    const command = scalarOf(entry, 'command');
    return { ours: typeof command === 'string' && isOurs(command), cuts: [] };
  };
  const hooks = memberOf(root, 'hooks');
  const inHooks = hooks && judge(text, hooks, (event) => judge(text, event.value, (entry) => mine(entry.value)));
  const keys = root.kind === 'object' ? root.members.map(({ key }) => key) : [];
  const follows = keys.at(-1) === 'version' && keys.at(-2) === 'hooks' && scalarOf(root, 'version') === 1;
  const verdict = judge(text, root, ({ key }) => {
    if (key === 'hooks') return inHooks ?? THEIRS;
    return { ours: key === 'version' && follows && inHooks?.ours === true, cuts: [] };
  });
  return { text: withoutOurs(text, verdict) };
}
