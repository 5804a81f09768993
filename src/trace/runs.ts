import { Fault } from '../fault.ts';
import { type Origin, sameOrigin, type ToolInfo } from '../lines/origin.ts';
import type { Lines } from '../lines/text.ts';
import type { OriginFile, OriginRun } from './build.ts';

/** Adjacent lines of one file with one origin. */
export interface Run extends OriginRun {
  readonly file: OriginFile;
}

export interface ToolRuns {
  readonly tool: ToolInfo;
  readonly runs: readonly Run[];
}

/** One record stays well below the length and the number of ranges that readers accept. */
const MAX_LINES = 500_000;
const MAX_RUNS = 40_000;

/** The lines of all files, cut into runs and put to the tool that answers for them: by tool, then path, then line. */
export function runsByTool(files: readonly OriginFile[], own: ToolInfo): ToolRuns[] {
  const tools = new Map<string, { tool: ToolInfo; runs: Run[] }>();
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    for (const run of runsOf(file)) {
      const tool = toolOf(run.origin) ?? own;
      const key = JSON.stringify([tool.name, tool.version ?? '']);
      const found = tools.get(key) ?? { tool: plainTool(tool), runs: [] };
      found.runs.push(run);
      tools.set(key, found);
    }
  }
  return [...tools]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, { tool, runs }]) => portions(runs).map((portion) => ({ tool, runs: portion })));
}

function runsOf(file: OriginFile): Run[] {
  const runs: Run[] = [];
  let joined: string[] | undefined; // the lines of the last run, where it was put together here
  let before = 0;
  for (const { start, lines, origin: said } of [...file.runs].sort((a, b) => a.start - b.start)) {
    if (start <= before) throw new Fault('bug', `line ${start} of ${file.path} has two origins`);
    const last = runs.at(-1);
    const origin = withoutStray(said);
    const joins = last && before + 1 === start && sameOrigin(last.origin, origin);
    let at = joins ? Math.min(MAX_LINES - last.lines.length, lines.length) : 0;
    if (last && at > 0 && last.lines !== joined) {
      joined = [...last.lines];
      runs[runs.length - 1] = { ...last, lines: joined };
    }
    for (let i = 0; i < at; i++) joined?.push(lines[i] ?? '');
    for (; at < lines.length; at += MAX_LINES)
      runs.push({ file, start: start + at, lines: part(lines, at, at + MAX_LINES), origin });
    before = start + lines.length - 1;
  }
  return runs;
}

/** All of them as they are: what is known of a list of lines is known of this one. */
function part(lines: Lines, from: number, to: number): Lines {
  return from === 0 && to >= lines.length ? lines : lines.slice(from, to);
}

/** Who wrote each line. */
export function originsByLine({ runs }: OriginFile): Map<number, Origin> {
  return new Map(
    runs.flatMap(({ start, lines, origin }) => lines.map((_, i): [number, Origin] => [start + i, origin])),
  );
}

/** Lines that stand together, cut where their origins change. */
export function cutRuns(
  { start, lines }: { readonly start: number; readonly lines: Lines },
  originOf: (line: number) => Origin,
): OriginRun[] {
  const runs: OriginRun[] = [];
  let [from, origin] = [0, originOf(start)];
  for (let i = 1; i <= lines.length; i++) {
    const next = i < lines.length ? originOf(start + i) : undefined;
    if (next && sameOrigin(origin, next)) continue;
    runs.push({ start: start + from, lines: part(lines, from, i), origin });
    if (next) [from, origin] = [i, next];
  }
  return runs;
}

/** Only lines that an agent wrote, or had a hand in, have an agent. */
function withoutStray(origin: Origin): Origin {
  if (toolOf(origin) || !origin.agent) return origin;
  const { agent, ...rest } = origin;
  return rest;
}

function toolOf(origin: Origin): ToolInfo | undefined {
  return origin.type === 'ai' || origin.type === 'mixed' ? origin.agent?.tool : undefined;
}

function plainTool({ name, version }: ToolInfo): ToolInfo {
  return { name, ...(version ? { version } : {}) };
}

function portions(runs: readonly Run[]): Run[][] {
  const all: Run[][] = [];
  let lines = 0;
  for (const run of runs) {
    const last = all.at(-1);
    if (last && last.length < MAX_RUNS && lines + run.lines.length <= MAX_LINES) last.push(run);
    else {
      all.push([run]);
      lines = 0;
    }
    lines += run.lines.length;
  }
  return all;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
