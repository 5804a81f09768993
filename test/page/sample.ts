import type { Evidence, Origin, Via } from '../../src/lines/origin.ts';
import type { PageFacts } from '../../src/page/page.ts';
import { type Report, reportOf } from '../../src/report/report.ts';
import type { ReportedCommit, Run, Survey } from '../../src/report/run.ts';

/** A repository as a team would have it: thirty weeks, several agents, names from everywhere. The same every time. */
export function sample(files = 200): { readonly report: Report; readonly facts: PageFacts } {
  const survey = sampleSurvey(files);
  const facts = { repository: 'harbour', made: WEEK_ONE + 31 * WEEK, version: '0.1.0', commits: survey.commits };
  return { report: reportOf(survey), facts };
}

const WEEK = 7 * 86_400;
/** Monday, 8 September 2025. */
export const WEEK_ONE = 1_757_289_600;
const WEEKS = 30;

const FOLDERS = [
  'src/lines',
  'src/git',
  'src/capture/claude-code',
  'src/capture/codex',
  'src/notes/index',
  'src/report',
  'src/commands',
  'test/blame',
  'test/capture',
  'web/components/chart',
  'web/pages',
  'docs/Übersicht',
  'docs/日本語',
  'scripts',
  '',
];
const NAMES = ['index', 'parse', 'print', 'résumé', '概要', 'router', 'session-store', 'läufer', 'מבוא', 'queue'];
const AGENTS = [
  ['claude-code', 'anthropic/claude-opus-4-5-20251101', 9],
  ['claude-code', 'anthropic/claude-sonnet-4-5-20250929', 6],
  ['codex', 'openai/gpt-5.1-codex', 5],
  ['gemini-cli', 'google/gemini-3-pro-preview', 3],
  ['opencode', 'zhipuai/glm-4.6', 1],
  ['cursor', undefined, 1],
] as const;
const PEOPLE = [
  ['Ada', 'ada@example.com'],
  ['Zoë', 'zoe@example.com'],
  ['李雷', 'li@example.com'],
] as const;
const REASONS = ['no record', 'no record', 'no record', 'file too large to follow', 'made by a command nobody saw'];

/** Numbers that look like chance and are always the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Roll = ReturnType<typeof dice>;

function pick<T>(roll: Roll, from: readonly T[]): T {
  const found = from[roll(from.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

function sampleSurvey(files: number): Survey {
  const roll = dice(7);
  const commits = sampleCommits(roll);
  const ids = [...commits.keys()];
  const runs = Array.from({ length: files }, (_, i) => sampleFile(roll, samplePath(roll, i), ids)).flat();
  return {
    scope: { kind: 'added', range: 'v1.0..main', commits: commits.size },
    runs,
    commits,
    excluded: [
      { path: 'package-lock.json', why: 'lock file', lines: 18_204 },
      { path: 'web/öffentlich/logo.png', why: 'binary', lines: 0 },
      { path: 'src/schema/made.ts', why: 'generated', lines: 940 },
    ],
    skipped: 2,
  };
}

function sampleCommits(roll: Roll): Map<string, ReportedCommit> {
  const commits = new Map<string, ReportedCommit>();
  for (let i = 0; i < WEEKS * 6; i++) {
    const id = Array.from({ length: 40 }, () => roll(16).toString(16)).join('');
    const [author, mail] = pick(roll, PEOPLE);
    const week = Math.floor(i / 6);
    if (week === 15) continue; // everybody was away
    const time = WEEK_ONE + week * WEEK + roll(5 * 86_400);
    commits.set(id, { id, author, mail, time, subject: `topic ${i}: what it does`, recorded: roll(20) > 0 });
  }
  return commits;
}

function samplePath(roll: Roll, i: number): string {
  const folder = FOLDERS[Math.min(roll(FOLDERS.length), roll(FOLDERS.length))] ?? '';
  const name = `${NAMES[i % NAMES.length]}${i >= NAMES.length ? `-${i}` : ''}.ts`;
  return folder === '' ? name : `${folder}/${name}`;
}

function sampleFile(roll: Roll, path: string, ids: readonly string[]): Run[] {
  const runs: Run[] = [];
  let line = 1;
  for (let left = 2 + roll(12); left > 0; left--) {
    const at = roll(ids.length);
    const end = line + roll(60);
    runs.push(sampleRun(roll, { path, start: line, end, commit: ids[at] ?? '' }, at / ids.length));
    line = end + 1;
  }
  return runs;
}

type Place = Pick<Run, 'path' | 'start' | 'end' | 'commit'>;

/** The later, the more by agents. */
function sampleRun(roll: Roll, place: Place, late: number): Run {
  const die = roll(100);
  const via: Via = pick(roll, ['note', 'note', 'note', 'rewrite', 'change-id', 'patch-id', 'content']);
  if (die < 8) return { ...place, origin: { type: 'unknown', reason: pick(roll, REASONS) } };
  if (die < 55 - late * 40) return { ...place, via, origin: { type: 'human', evidence: 'absent' } };
  const weighted = AGENTS.flatMap((agent) => Array.from({ length: agent[2] }, () => agent));
  const nth = roll(weighted.length);
  const [tool, model] = weighted[nth] ?? AGENTS[0];
  // a conversation has one agent; some are longer than others
  const talk = nth * 8 + Math.min(roll(8), roll(8));
  const session = `${(Math.imul(talk + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-1111-4222-8333-444455556666`;
  const event = `toolu_${roll(9999)}`;
  const evidence: Evidence = pick(roll, ['observed', 'observed', 'observed', 'replayed', 'replayed', 'matched']);
  const agent = { session, event, tool: { name: tool, version: '2.1.0' }, ...(model ? { model } : {}) };
  const origin: Origin = { type: die > 94 ? 'mixed' : 'ai', evidence, agent };
  const conversation =
    tool === 'codex' ? `https://talk.example.com/s/${session}#${event}` : `agentlog:${session}#${event}`;
  return { ...place, via, origin, conversation, trace: session };
}
