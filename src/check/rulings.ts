import { matchesAny } from '../report/exclude.ts';
import { howMany } from '../report/figures.ts';
import type { Glob } from '../report/glob.ts';
import type { Run } from '../report/run.ts';
import { share, tally } from '../report/tally.ts';
import type { Level } from './field.ts';
import { type Finding, groupRuns, placesOf } from './finding.ts';
import { isAttributed, isRecorded, type JudgedCommit } from './judged.ts';
import type { Policy } from './policy.ts';

export interface Seals {
  /** Whether a record's seal is good, and if not, why; undefined where it was never sealed. */
  of(record: string, commit: string): SealState | undefined;
  /** Records of the commit that were sealed and are not there any more. */
  gone(commit: string): readonly string[];
}
export type SealState = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** What the policy says of one commit. */
export function judgeCommit(judged: JudgedCommit, policy: Policy, seals: Seals): Finding[] {
  return [
    ...attribution(judged, policy),
    ...allowed(judged, 'allowTools', policy.allowTools),
    ...allowed(judged, 'allowModels', policy.allowModels),
    ...conversations(judged, policy),
    ...sealed(judged, policy, seals),
  ];
}

function attribution(judged: JudgedCommit, { requireAttribution: level }: Policy): Finding[] {
  if (level === 'off' || isAttributed(judged)) return [];
  const { commit, runs } = judged;
  const bare = runs.filter((run) => !isRecorded(run));
  const why = commit.recorded ? 'its record speaks of none of them' : 'no record';
  const few = `no record; only ${howMany(tally(runs).total - tally(bare).total, 'line')} of it known again by content`;
  const message = `${howMany(tally(bare).total, 'line')}, ${bare.length < runs.length ? few : why}`;
  return [{ rule: 'requireAttribution', level, message, commit: commit.id, places: placesOf(bare) }];
}

const NOT_KNOWN = 'not known';

/** What is not known is allowed by `*` alone: only that matches no name at all. */
function allowed({ commit, runs }: JudgedCommit, rule: 'allowTools' | 'allowModels', list: readonly Glob[] | null) {
  if (!list) return [];
  const nameOf = ({ origin: { agent } }: Run) => (rule === 'allowTools' ? agent?.tool.name : agent?.model) ?? '';
  const groups = groupRuns(byAgents(runs), nameOf).filter(([name]) => !matchesAny(name, list));
  const what = rule === 'allowTools' ? 'the agent' : 'the model';
  return groups.map(([name, some]): Finding => {
    const lines = howMany(tally(some).total, 'line');
    const message = name === '' ? `${lines}: ${what} is ${NOT_KNOWN}` : `${lines} by ${name}`;
    return { rule, level: 'block', message, commit: commit.id, subject: name || NOT_KNOWN, places: placesOf(some) };
  });
}

function conversations({ commit, runs }: JudgedCommit, { requireConversation: level }: Policy): Finding[] {
  if (level === 'off') return [];
  const without = byAgents(runs).filter(({ origin, conversation }) => !origin.agent?.session && !conversation);
  if (without.length === 0) return [];
  const message = `${howMany(tally(without).total, 'line')} by agents without a conversation`;
  return [{ rule: 'requireConversation', level, message, commit: commit.id, places: placesOf(without) }];
}

/** A line that no record speaks of has nothing to seal: that is for `requireAttribution`. What was sealed has to be there still. */
function sealed({ commit, runs }: JudgedCommit, { requireSeal: level }: Policy, seals: Seals): Finding[] {
  if (level === 'off') return [];
  const recorded = runs.filter(isRecorded);
  const gone = seals.gone(commit.id).map((record): Finding => {
    const message = `record ${record} was sealed, and was removed, altered or replaced`;
    return { rule: 'requireSeal', level, message, commit: commit.id, subject: record, places: placesOf(runs) };
  });
  const others = groupRuns(recorded, ({ trace }) => trace ?? '').flatMap(([record, some]): Finding[] => {
    const state = record === '' ? undefined : seals.of(record, commit.id);
    if (state?.ok) return [];
    const what = record === '' ? 'a record without an id' : `record ${record}`;
    const message = state ? `${what}: ${state.why}` : `${what} is not sealed`;
    const subject = record === '' ? {} : { subject: record };
    return [{ rule: 'requireSeal', level, message, commit: commit.id, ...subject, places: placesOf(some) }];
  });
  return [...gone, ...others];
}

function byAgents(runs: readonly Run[]): Run[] {
  return runs.filter(({ origin: { type } }) => type === 'ai' || type === 'mixed');
}

/**
 * The share of agents is one of the lines whose author is known: else lines that nobody recorded would make it smaller, and leaving
 * out records would be a way through.
 */
export function judgeShares(runs: readonly Run[], { maxAiShare, maxUnknownShare }: Policy): Finding[] {
  const { total, ai, mixed, unknown } = tally(runs);
  const findings: Finding[] = [];
  const known = { total: total - unknown };
  if (maxAiShare !== null && share(ai + mixed, known) > maxAiShare) {
    const both = mixed > 0 ? `, ${howMany(mixed, 'line')} of both hands among them` : '';
    const what = `of the ${howMany(known.total, 'line')} whose author is known${both}`;
    const message = `${overLimit(share(ai + mixed, known), maxAiShare)} ${what}; ${allows(maxAiShare)}`;
    findings.push({ rule: 'maxAiShare', level: 'block', message, places: [] });
  }
  if (maxUnknownShare !== null && share(unknown, { total }) > maxUnknownShare) {
    const lines = runs.filter(({ origin }) => origin.type === 'unknown');
    const what = `${overLimit(share(unknown, { total }), maxUnknownShare)} of ${howMany(total, 'line')}`;
    const message = `${what}; ${allows(maxUnknownShare)}${mostly(lines)}`;
    findings.push({ rule: 'maxUnknownShare', level: 'block', message, places: placesOf(lines) });
  }
  return findings;
}

/** The reason behind most of them. */
function mostly(runs: readonly Run[]): string {
  const groups = groupRuns(runs, ({ origin }) => origin.reason).map(
    ([reason, some]) => [reason, tally(some).total] as const,
  );
  const [most] = groups.sort(([, a], [, b]) => b - a);
  return most ? `; mostly: ${most[0]} (${howMany(most[1], 'line')})` : '';
}

/** With as many digits as it takes to see that it is over the limit: 20.04 % where 20 % are allowed. */
function overLimit(part: number, limit: number): string {
  const printed = [0, 1, 2, 3, 4, 5].map((digits) => [(part * 100).toFixed(digits), (limit * 100).toFixed(digits)]);
  return `${(printed.find(([a, b]) => a !== b) ?? [String(part * 100)])[0]} %`;
}

function allows(limit: number): string {
  return `the policy allows ${Number((limit * 100).toFixed(5))} %`;
}

/**
 * A gate that cannot read its notes must not look as if it had: it says so at the strictest level that the policy asks for records,
 * conversations or seals, and else as a warning.
 */
export function judgeSkipped(skipped: number, commits: readonly string[], policy: Policy): Finding[] {
  if (skipped === 0 || !(asksForRecords(policy) || hasLimits(policy))) return [];
  const message = `${howMany(skipped, 'note')} could not be read${ofCommits(commits)}`;
  return [{ rule: 'unreadableNotes', level: strictest(policy), message, places: [] }];
}

/** A line of garbage beside records: where these speak of every line it stops nobody, whoever left it. */
export function judgePartly(commits: readonly string[], policy: Policy, matters: boolean): Finding[] {
  if (commits.length === 0 || !(asksForRecords(policy) || hasLimits(policy))) return [];
  const what = `${howMany(commits.length, 'note')} could not be read in full, some lines are damaged`;
  const message = `${what}${ofCommits(commits)}`;
  return [{ rule: 'unreadableNotes', level: matters ? strictest(policy) : 'warn', message, places: [] }];
}

/** The first few: with them the rest is found. */
function ofCommits(commits: readonly string[]): string {
  const [named, more] = [commits.slice(0, 3).map((id) => id.slice(0, 10)), commits.length - 3];
  return named.length === 0 ? '' : `: of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * The same of a whole ref: it is said whatever the policy asks for. Where every line has its record, what somebody left in a ref before stops
 * nobody; what cannot be read of this push does.
 */
export function judgeUnread(refs: readonly string[], policy: Policy, matters: (ref: string) => boolean): Finding[] {
  return refs.map((ref) => {
    const level = matters(ref) ? strictest(policy) : 'warn';
    const message = `the notes in ${ref} cannot be read, or not all of them`;
    return { rule: 'unreadableNotes', level, message, subject: ref, places: [] };
  });
}

/** Who asks for records keeps them: notes are only ever added to. */
export function judgeTaken(refs: readonly string[], policy: Policy): Finding[] {
  if (!asksForRecords(policy)) return [];
  return refs.map((ref) => {
    const message = `the push takes away notes that are in ${ref} here`;
    return { rule: 'takenNotes', level: strictest(policy), message, subject: ref, places: [] };
  });
}

/** Lines that nobody could look at are in no share and by no model: a limit cannot be kept there. */
export function judgeLacking(commits: number, policy: Policy): Finding[] {
  if (commits === 0 || !(asksForRecords(policy) || hasLimits(policy))) return [];
  const message = `the contents of ${howMany(commits, 'commit')} are not in this clone`;
  const level = hasLimits(policy) ? 'block' : strictest(policy);
  return [{ rule: 'unreadableCommits', level, message, places: [] }];
}

function levelsOf({ requireAttribution, requireConversation, requireSeal }: Policy): Level[] {
  return [requireAttribution, requireConversation, requireSeal];
}

function asksForRecords(policy: Policy): boolean {
  return levelsOf(policy).some((level) => level !== 'off');
}

function strictest(policy: Policy): 'block' | 'warn' {
  return levelsOf(policy).includes('block') ? 'block' : 'warn';
}

function hasLimits({ maxAiShare, maxUnknownShare, allowTools, allowModels }: Policy): boolean {
  return [maxAiShare, maxUnknownShare, allowTools, allowModels].some((limit) => limit !== null);
}
