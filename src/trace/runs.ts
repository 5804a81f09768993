import { Fault } from '../fault.ts';
import { type Origin, sameOrigin, type ToolInfo } from '../lines/origin.ts';
import type { OriginFile, OriginLine } from './build.ts';

/** Adjacent lines of one file with one origin. */
export interface Run {
  readonly file: OriginFile;
  readonly start: number;
  readonly lines: readonly OriginLine[];
  readonly origin: Origin;
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
  const runs: (Run & { readonly lines: OriginLine[] })[] = [];
  let before = 0;
  for (const line of [...file.lines].sort((a, b) => a.line - b.line)) {
    if (line.line <= before) throw new Fault('bug', `line ${line.line} of ${file.path} has two origins`);
    const last = runs.at(-1);
    const origin = withoutStray(line.origin);
    const adjacent = before + 1 === line.line && (last?.lines.length ?? 0) < MAX_LINES;
    if (last && adjacent && sameOrigin(last.origin, origin)) last.lines.push(line);
    else runs.push({ file, start: line.line, lines: [line], origin });
    before = line.line;
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
