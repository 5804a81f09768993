import type { JsonObject } from '../../json.ts';
import { countOf, listOf, objectOf } from '../fields.ts';

/**
 * When each message was. Newer versions say so. Else the editor's own list tells, each item with the number of messages before it:
 *
 *     api_req_started    message n is sent: n - 1
 *     say, ask           message n + 1 is coming in: n
 *
 * Where nothing tells, a message is as old as the one before it, and the last as young as the file.
 */
export function timesOf(
  messages: readonly JsonObject[],
  { ui, task, modified }: { ui: unknown; task: string; modified: number },
): number[] {
  const items = listOf(ui).map((value) => objectOf(value) ?? {});
  const shown = items.flatMap((item) => {
    const [at, index] = [countOf(item.ts), indexOf(item.conversationHistoryIndex)];
    return at === undefined || index === undefined ? [] : [{ at, index, sent: item.say === 'api_req_started' }];
  });
  const firstOf = (index: number, sent: boolean) =>
    shown.find((item) => item.index === index && item.sent === sent)?.at;
  const began = /^\d{13}$/.test(task) ? Number(task) : undefined;
  const times: number[] = [];
  messages.forEach(({ ts, role }, i) => {
    const told = countOf(ts) ?? firstOf(i - 1, role === 'user');
    const last = times.at(-1) ?? began ?? modified;
    times.push(Math.max(told ?? (i > 0 && shown.length === 0 ? modified : last), last));
  });
  return times;
}

function indexOf(value: unknown): number | undefined {
  return value === -1 ? -1 : countOf(value);
}
