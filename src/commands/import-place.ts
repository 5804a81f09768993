import { completeRecord } from '../foreign/amend.ts';
import { placeRecord } from '../foreign/place.ts';
import { readCommits } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { isObject } from '../json.ts';
import { isElsewhere, ownPart, revisionOf } from '../trace/own.ts';
import { printRecord } from '../trace/print.ts';
import type { TraceRecord } from '../trace/record.ts';
import { validateRecord } from '../trace/validate.ts';
import { type OpenedCommit, openCommits, readChildren } from './import-candidates.ts';
import { readChanges } from './import-changes.ts';
import { objectIn } from './import-parts.ts';
import type { Trace } from './import-read.ts';

/** A record, and the commit in whose note it belongs. */
export interface PlacedTrace {
  readonly commit: string;
  readonly line: string;
  /** The record names another revision, and was placed by what it says. */
  readonly moved: boolean;
  readonly odd?: string;
}

export interface Placed {
  readonly placed: readonly PlacedTrace[];
  /** Why records belong nowhere, a reason for each. */
  readonly left: readonly string[];
}

/** So many revisions are looked at in one go. */
const AT_ONCE = 100;

/**
 * Finds the commit of each record. Our own records name theirs, which need not be here; what others name may be the parent of the commit
 * that they mean, so that the lines decide. `fallback`: the commit of records that name none.
 */
export async function placeTraces(
  repository: Repository,
  traces: readonly Trace[],
  fallback: string | undefined,
): Promise<Placed> {
  const placed: PlacedTrace[] = [];
  const left: string[] = [];
  const byRevision = new Map<string, Trace[]>();
  for (const trace of traces) {
    const own = ownCommit(trace, repository);
    const revision = nameOf(trace, fallback);
    if (own !== undefined) placed.push({ commit: own, line: trace.raw, moved: false, ...oddOf(trace) });
    else if (typeof revision === 'object') left.push(revision.reason);
    else if (byRevision.has(revision)) byRevision.get(revision)?.push(trace);
    else byRevision.set(revision, [trace]);
  }
  const groups = [...byRevision];
  const kin = await readKin(
    repository,
    groups.map(([revision]) => revision),
  );
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const answers = await placeSome(repository, kin, groups.slice(at, at + AT_ONCE));
    for (const one of answers) if (typeof one === 'string') left.push(one);
    for (const one of answers) if (typeof one !== 'string') placed.push(one);
  }
  return { placed, left };
}

/** Such a record has hashes of its lines: it is of use also where the commit is gone. One that breaks a rule is not of our writing. */
function ownCommit({ record, raw }: Trace, { objectFormat }: Repository): string | undefined {
  const commit = ownPart(record.metadata)?.commit;
  const length = objectFormat === 'sha256' ? 64 : 40;
  if (typeof commit !== 'string' || commit.length !== length || !/^[0-9a-f]+$/.test(commit)) return undefined;
  return validateRecord(objectIn(raw)).length === 0 ? commit : undefined;
}

function nameOf({ record, found }: Trace, fallback: string | undefined): string | { readonly reason: string } {
  const vcs = revisionOf(record);
  if (!vcs) return found ?? fallback ?? { reason: 'it names no revision: say which with --commit' };
  if (isElsewhere(vcs)) {
    const told = found ?? fallback ?? (vcs.type === 'jj' ? JJ + vcs.revision.toLowerCase() : undefined);
    return told ?? { reason: `it names a revision of ${vcs.type}: say with --commit which commit of git that is` };
  }
  if (vcs.type !== 'git' || !/^[0-9a-f]{7,64}$/i.test(vcs.revision))
    return { reason: `it names a revision of ${vcs.type} that is no commit of git` };
  return vcs.revision.toLowerCase();
}

/** Begins the name of a change of jj, which no revision of git does. */
const JJ = 'jj ';
/** A shorter beginning of a change's id is a slip. */
const LEAST_CHANGE = 4;

type Group = readonly [revision: string, traces: readonly Trace[]];

/** A named revision's commit and the children of that; none where it is not here. */
type Kin = ReadonlyMap<string, readonly string[]>;

async function readKin({ place }: Repository, revisions: readonly string[]): Promise<Kin> {
  const named = await readCommits(
    place,
    revisions.filter((one) => !one.startsWith(JJ)),
  );
  const children = await readChildren(place, new Set([...named.values()].map(({ id }) => id)));
  const changes = revisions.filter((one) => one.startsWith(JJ)).map((one) => one.slice(JJ.length));
  const changed = await readChanges(place, new Set(changes.filter(({ length }) => length >= LEAST_CHANGE)));
  return new Map<string, readonly string[]>([
    ...[...named].map(([revision, { id }]) => [revision, [id, ...(children.get(id) ?? [])]] as const),
    ...[...changed].map(([change, commits]) => [JJ + change, commits] as const),
  ]);
}

async function placeSome({ place }: Repository, kin: Kin, groups: readonly Group[]): Promise<(PlacedTrace | string)[]> {
  const family = (revision: string) => kin.get(revision) ?? [];
  const records = groups.flatMap(([, traces]) => traces.map(({ record }) => record));
  const paths = new Set(records.flatMap(({ files }) => files.map(({ path }) => path)));
  const ids = new Set(groups.flatMap(([revision]) => family(revision)));
  const opened = await openCommits(place, [...ids], paths);
  return groups.flatMap(([revision, traces]) => {
    const [id] = family(revision);
    const candidates = family(revision).flatMap((one) => opened.get(one) ?? []);
    const change = revision.startsWith(JJ);
    return traces.map((trace) => placeOne(trace, { id, change }, candidates));
  });
}

/** The record's place, or why it has none. */
function placeOne(
  trace: Trace,
  { id, change }: { readonly id: string | undefined; readonly change: boolean },
  candidates: readonly OpenedCommit[],
): PlacedTrace | string {
  const { record, raw } = trace;
  if (id === undefined) return 'the revision that it names is not here';
  const vcs = revisionOf(record);
  const named: TraceRecord = vcs ? record : { ...record, vcs: { type: 'git', revision: id } };
  const placement = placeRecord(
    // of a change there may be several commits; else it was said which one is meant
    vcs && isElsewhere(vcs) && !change ? { ...record, vcs: { type: 'git', revision: id } } : named,
    candidates.map(({ commit, findFile }) => ({ commit: commit.id, parents: commit.parents, findFile })),
  );
  if (placement.commit === undefined) return placement.reason;
  const home = candidates.find(({ commit }) => commit.id === placement.commit);
  if (!home) return 'the revision that it names is not here';
  const moved = placement.by === 'content';
  if (isCompleteFor(raw, placement.commit)) return { commit: placement.commit, line: raw, moved, ...oddOf(trace) };
  const time = home.commit.committer.time * 1000;
  const whole = completeRecord(named, raw, { commit: placement.commit, time, findFile: home.findFile });
  const [problem] = validateRecord(whole);
  if (problem) return `it breaks ${problem.rule} at ${problem.path}`;
  return { commit: placement.commit, line: printRecord(whole), moved, ...oddOf(trace) };
}

function oddOf({ odd }: Trace): Pick<Trace, 'odd'> {
  return odd === undefined ? {} : { odd };
}

/** A record that says everything as it should is kept byte for byte. */
function isCompleteFor(raw: string, commit: string): boolean {
  const value = objectIn(raw);
  if (!value || validateRecord(value).length > 0) return false;
  return isObject(value.vcs) && value.vcs.type === 'git' && value.vcs.revision === commit;
}
