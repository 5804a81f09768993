import { type JsonNode, layoutOf, locateJson, printJson } from '../json-text.ts';
import type { HookFile, HookMode, Refused } from './adapter.ts';
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
} from './claude-settings.ts';

/** A hook that is wanted in settings in which it is an entry of its event's list: `{"hooks": {"EVENT": [{"command": …}]}}`. */
export interface FlatHook {
  readonly event: string;
  readonly mode: HookMode;
  /** What else the agent wants in an entry. */
  readonly more?: Readonly<Record<string, string | number | boolean>>;
}

/** How hooks go into such settings and out of them, all else byte for byte as it was. */
export function flatHooks(wanted: readonly FlatHook[]): Pick<HookFile, 'add' | 'remove'> {
  return {
    add: (text, command) => {
      const problem = text === undefined ? undefined : problemOf(text);
      if (problem) return { refused: problem };
      return { text: wanted.reduce<string | undefined>((so, one) => addOne(so, one, command(one.mode)), text) ?? '' };
    },
    remove,
  };
}

function addOne(text: string | undefined, { event, more }: FlatHook, command: string): string {
  const entry = { command, ...more };
  const root = text === undefined ? undefined : locateJson(text);
  if (text === undefined || !root)
    return `${printJson({ hooks: { [event]: [entry] } }, { unit: '  ', newline: '\n' }, 0)}\n`;
  const layout = layoutOf(text, root);
  const member = (key: string, value: unknown, depth: number) =>
    `${JSON.stringify(key)}: ${printJson(value, layout, depth)}`;
  const hooks = memberOf(root, 'hooks');
  if (!hooks) return insert(text, root, { part: member('hooks', { [event]: [entry] }, 1), layout, depth: 1 });
  const entries = memberOf(hooks, event);
  if (!entries) return insert(text, hooks, { part: member(event, [entry], 2), layout, depth: 2 });
  const there = itemsOf(entries).some((item) => scalarOf(item, 'command') === command);
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
  const verdict = judge(text, root, (member) =>
    member.key === 'hooks'
      ? judge(text, member.value, (event) => judge(text, event.value, (entry) => mine(entry.value)))
      : THEIRS,
  );
  return { text: withoutOurs(text, verdict) };
}
