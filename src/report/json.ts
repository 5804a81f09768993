import { EVIDENCE } from '../lines/origin.ts';
import { originJson } from '../lines/origin-json.ts';
import { DIMENSIONS, type Report } from './report.ts';
import type { Run } from './run.ts';
import { type Counts, KINDS, share, VIAS } from './tally.ts';

/** One document on one line, in pieces: a large tree has more runs than one string should hold. */
export function* reportJson(report: Report): Generator<string> {
  const { schema, scope, counts, reasons, by, files, unrecorded, excluded, skipped, unread } = report;
  const head = { schema, scope: jsonScope(scope), ...figures(counts), ...howKnown(report), reasons };
  yield `${JSON.stringify(head).slice(0, -1)},"by":{`;
  for (const [i, dimension] of DIMENSIONS.entries()) {
    yield `${i === 0 ? '' : ','}${JSON.stringify(dimension)}:`;
    yield* list(by[dimension], (group) => JSON.stringify({ key: group.key, ...figures(group.counts) }));
  }
  yield '},"files":[';
  for (const [i, file] of files.entries()) {
    const about = JSON.stringify({ path: file.path, ...figures(file.counts) });
    yield `${i === 0 ? '' : ','}${about.slice(0, -1)},"runs":`;
    yield* list(file.runs, (run) => JSON.stringify(jsonRun(run)));
    yield '}';
  }
  yield '],"unrecorded":';
  yield* list(unrecorded, (commit) => JSON.stringify(commit));
  yield ',"excluded":';
  yield* list(excluded, ({ path, why, lines }) => JSON.stringify({ path, why, lines }));
  yield `,"skipped":${skipped},"unread":${JSON.stringify(unread)}}\n`;
}

function* list<T>(items: readonly T[], print: (item: T) => string): Generator<string> {
  yield '[';
  for (const [i, item] of items.entries()) yield `${i === 0 ? '' : ','}${print(item)}`;
  yield ']';
}

function jsonScope(scope: Report['scope']) {
  return scope.kind === 'added'
    ? { kind: scope.kind, range: scope.range, commits: scope.commits }
    : { kind: scope.kind, revision: scope.revision, files: scope.files };
}

/** Lines of each kind, and the same as fractions of all of them. */
export function figures(counts: Counts) {
  const { total } = counts;
  const pairs = (of: (kind: (typeof KINDS)[number]) => number) =>
    Object.fromEntries(KINDS.map((one) => [one, of(one)]));
  return { counts: { total, ...pairs((kind) => counts[kind]) }, shares: pairs((kind) => share(counts[kind], counts)) };
}

/** Null is what has no evidence, and what has no record. */
function howKnown({ evidence, via, counts }: Report) {
  const entry = (lines: number) => ({ lines, share: share(lines, counts) });
  return {
    evidence: [...EVIDENCE, null].map((one) => ({ evidence: one, ...entry(evidence[one ?? 'none']) })),
    via: [...VIAS, null].map((one) => ({ via: one, ...entry(via[one ?? 'none']) })),
  };
}

/** Lines that are in no commit yet have none, or git's zeros. */
const NO_COMMIT = /^0*$/;

/** The fields of a line of blame's JSON, with the same names and the same nulls. */
export function jsonRun(run: Run) {
  const { start, end, commit } = run;
  return { start, end, commit: NO_COMMIT.test(commit) ? null : commit, ...originJson(run) };
}
