/** When each text was typed, in order of time. */
export type Inputs = ReadonlyMap<string, number[]>;

/** The file of inputs: `# 2026-01-02 10:00:00.123456`, then each line behind a `+`. */
export function parseInputs(text: string): Inputs {
  const inputs = new Map<string, number[]>();
  for (const entry of text.split(/^# (?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m)) {
    const [head = '', ...rest] = entry.split(/\r?\n/);
    const at = wallTime(head);
    const typed = plain(rest.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : [])).join('\n'));
    const times = inputs.get(typed);
    if (at === undefined) continue;
    if (times) times.push(at);
    else inputs.set(typed, [at]);
  }
  return inputs;
}

/** When a text was typed between two moments. Each was typed once: it is taken out. */
export function takeInput(
  inputs: Inputs,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const times = inputs.get(plain(text)) ?? [];
  const found = times.findIndex((at) => at >= from && at <= to);
  return found < 0 ? undefined : times.splice(0, found + 1).at(-1);
}

/** Blanks at the ends of lines are aider's own. */
export function plain(text: string): string {
  return text.replace(/(?<![ \t])[ \t]+$/gm, '').trim();
}

/** Aider writes what the clock on the wall shows, which is that of this machine. */
export function wallTime(text: string): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?/.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, milli = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = new Date(year, month - 1, day, hour, minute, second, milli).getTime();
  return Number.isFinite(at) ? at : undefined;
}

/** When commits were made, in milliseconds, by the first seven digits of their ids: what git wrote down of HEAD. */
export function parseCommitTimes(reflog: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const line of reflog.split('\n')) {
    const [, id, second] = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*> (\d{1,12}) [+-]\d{4}\tcommit/.exec(line) ?? [];
    if (id !== undefined) times.set(id.slice(0, 7), Number(second) * 1000);
  }
  return times;
}

/** When an answer's edits were made, as near as can be told. */
export interface Moments {
  /** When it was asked for. */
  readonly asked: number;
  /** When the history was written last. */
  readonly modified: number;
  /** Commits by git's clock of whole seconds: a person's work before the edits, and the edits. */
  readonly dirty?: number | undefined;
  readonly own?: number | undefined;
}

export function editTime({ asked, modified, dirty, own }: Moments): number {
  if (own !== undefined) return own;
  return dirty === undefined ? asked : Math.min(dirty + 1500, modified);
}
