import fs from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from '../../src/capture/adapter.ts';
import { AGENTS } from '../../src/capture/index.ts';
import type { Captured } from '../../src/capture/session.ts';
import { openTranscript } from '../../src/pending/transcripts.ts';

/** Folders of recordings that go by another name than ours. */
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen',
};

interface Row {
  files: number;
  sessions: number;
  events: number;
  edits: number;
  commands: number;
  skipped: number;
  crashed: number;
}

const empty = (): Row => ({ files: 0, sessions: 0, events: 0, edits: 0, commands: 0, skipped: 0, crashed: 0 });

function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|db|md)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/(?:SOURCES|README|MANIFEST)\.md$/.test(file));
}

function decode(agent: AgentAdapter, file: string): readonly Captured[] {
  const { size, mtimeMs } = fs.statSync(file);
  const opened = openTranscript(
    { worktrees: [{ path: '/', name: '', head: null, bare: false }] },
    { agent, file, size, mtime: mtimeMs },
  );
  try {
    return agent.decodeTranscript(opened);
  } finally {
    opened.close();
  }
}

function count(rows: Map<string, Row>, agent: AgentAdapter, file: string): void {
  const row = (version: string) => {
    const key = `${agent.name} ${version}`;
    const known = rows.get(key) ?? empty();
    rows.set(key, known);
    return known;
  };
  try {
    const sessions = decode(agent, file).filter(({ session, events }) => session !== '' || events.length > 0);
    if (sessions.length === 0) row('(nothing of its own)').files++;
    for (const { tool, events, edits, commands, skipped } of sessions) {
      const into = row(tool.version ?? '(no version)');
      into.files++;
      into.sessions++;
      into.events += events.length;
      into.edits += edits.length;
      into.commands += commands.length;
      into.skipped += Object.values(skipped).reduce((a, b) => a + b, 0);
    }
  } catch (error) {
    row('(crashed)').crashed++;
    console.error(`${agent.name}: ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const root = process.argv[2] ?? '../shared/samples';
const rows = new Map<string, Row>();
for (const agent of AGENTS) {
  const name = FOLDERS[agent.name] ?? agent.name;
  for (const folder of new Set([name, `rehearsed/${name}`, `rehearsed/${agent.name}`])) {
    for (const file of filesBelow(path.join(root, folder))) count(rows, agent, file);
  }
}
const columns = Object.keys(empty()) as (keyof Row)[];
console.log(['agent and version'.padEnd(40), ...columns.map((one) => one.padStart(9))].join(''));
for (const [name, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log([name.padEnd(40), ...columns.map((one) => String(row[one]).padStart(9))].join(''));
if ([...rows.values()].some(({ crashed }) => crashed > 0)) process.exitCode = 1;
