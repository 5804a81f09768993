import { isObject, type JsonObject } from '../json.ts';
import { HASH_LENGTH } from '../lines/hash.ts';
import { type ContributorType, EVIDENCE, type Evidence } from '../lines/origin.ts';
import { timeOf } from '../shape.ts';
import { OWN_KEY, type OwnRange, type TraceRecord, type Vcs } from './record.ts';

export const TYPES = ['human', 'ai', 'mixed', 'unknown'] as const satisfies readonly ContributorType[];

/** Our own part of a record's metadata, whatever it holds: nobody keeps another tool from writing there. */
export function ownPart(metadata: unknown): JsonObject | undefined {
  if (!isObject(metadata) || !Object.hasOwn(metadata, OWN_KEY)) return undefined;
  const own = metadata[OWN_KEY];
  return isObject(own) && typeof own.schema === 'number' ? own : undefined;
}

/** Whether the record is our own word on this commit, from what was seen: a person's declaration is not. */
export function isJoined(record: TraceRecord, commit: string): boolean {
  const own = ownPart(record.metadata);
  return own?.commit === commit && own.declared === undefined;
}

/** When the record's commit was made, in milliseconds since 1970, as far as the record tells: a declaration may come long after it. */
export function committedAt({ timestamp, metadata }: TraceRecord): number | undefined {
  const declared = ownPart(metadata)?.declared;
  const committed = isObject(declared) ? declared.committed : undefined;
  return typeof committed === 'number' && Number.isFinite(committed) ? committed : timeOf(timestamp);
}

/** Whether a note speaks of its commit in our own words: a look at the text tells, and then it needs no other. Git may have copied it here. */
export function hasOwnWords(lines: readonly string[], commit: string): boolean {
  return lines.some((line) => line.includes(OWN_MARK) && line.includes(commit));
}

const OWN_MARK = `"${OWN_KEY}":`;

export interface OwnFileRead {
  readonly blob?: string;
  readonly ranges: readonly OwnRange[];
  /** Of each range `lineHash` of every line, one after the other; none where the record is too short for them. */
  readonly hashes: readonly (string | undefined)[];
}

/** What we noted about one file of the record; ranges that make no sense are left out. */
export function findOwnFile(record: TraceRecord, path: string): OwnFileRead | undefined {
  const files = ownPart(record.metadata)?.files;
  if (!isObject(files) || !Object.hasOwn(files, path)) return undefined;
  const file = files[path];
  if (!isObject(file) || !Array.isArray(file.ranges)) return undefined;
  const lines = typeof file.lines === 'string' ? file.lines : '';
  const [ranges, hashes] = [[] as OwnRange[], [] as (string | undefined)[]];
  let at = 0;
  for (const item of file.ranges) {
    const range = parseOwnRange(item);
    if (!range) return undefined; // the hashes after it would belong to other lines
    const end = at + (range.end - range.start + 1) * HASH_LENGTH;
    ranges.push(range);
    hashes.push(end <= lines.length ? lines.slice(at, end) : undefined);
    at = end;
  }
  return typeof file.blob === 'string' ? { blob: file.blob, ranges, hashes } : { ranges, hashes };
}

/** The object itself where all of it is as it should be: nearly always. */
function parseOwnRange(value: unknown): OwnRange | undefined {
  if (!isObject(value)) return undefined;
  const { start, end, type, evidence, session, event, reason } = value;
  if (!isLine(start) || !isLine(end) || start > end || !isType(type)) return undefined;
  const known = evidence === undefined || isEvidence(evidence);
  if (known && isText(session) && isText(event) && isText(reason)) return value as unknown as OwnRange;
  return {
    ...{ start, end, type },
    ...(isEvidence(evidence) && { evidence }),
    ...textField(value, 'session'),
    ...textField(value, 'event'),
    ...textField(value, 'reason'),
  };
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function textField<K extends string>(value: JsonObject, key: K): { readonly [P in K]?: string } {
  const text = value[key];
  return (typeof text === 'string' ? { [key]: text } : {}) as { readonly [P in K]?: string };
}

export function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

export function isType(value: unknown): value is ContributorType {
  return TYPES.includes(value as ContributorType);
}

function isEvidence(value: unknown): value is Evidence {
  return EVIDENCE.includes(value as Evidence);
}

/** Ids of the records that this one replaces. */
export function supersededBy(record: TraceRecord): readonly string[] {
  const ids = ownPart(record.metadata)?.supersedes;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && id !== record.id) : [];
}

/** The revision whose lines the record counts, as it says itself; our own metadata names the commit of a jj change. */
export function revisionOf(record: TraceRecord): Vcs | undefined {
  const commit = ownPart(record.metadata)?.commit;
  return typeof commit === 'string' ? { type: 'git', revision: commit } : record.vcs;
}

/** The change that the record's commit was one version of, as our own metadata says, or a record that speaks of jj itself. */
export function changeIdOf(record: TraceRecord): string | undefined {
  const own = ownPart(record.metadata)?.change_id;
  if (typeof own === 'string' && own !== '') return own;
  return record.vcs?.type === 'jj' && record.vcs.revision !== '' ? record.vcs.revision : undefined;
}

/** A revision of another system that Agent Trace knows: a number of Subversion, a node of Mercurial, a change of jj. */
export function isElsewhere({ type, revision }: Vcs): boolean {
  return type === 'hg' || type === 'svn' || (type === 'jj' && !/^[0-9a-f]{7,64}$/i.test(revision));
}

/**
 * How a record found in the note of `commit` names its revision. Several tools write HEAD at the time of the edit, which is the parent
 * of the commit that will hold it, with the line numbers of the text after it. Ours never do: one that names another commit was copied
 * here, by git with a rewrite or by somebody who wants its words, and its seal, to be about other lines.
 */
export function speaksOf(
  record: TraceRecord,
  commit: string,
  parents: readonly string[],
): 'commit' | 'parent' | 'other' {
  const own = ownPart(record.metadata)?.commit;
  if (typeof own === 'string') return own === commit ? 'commit' : 'other';
  // it cannot name a commit of git: whoever put it into the note did
  if (record.vcs && isElsewhere(record.vcs)) return 'commit';
  const revision = record.vcs?.revision.toLowerCase() ?? '';
  if (!/^[0-9a-f]{7,64}$/.test(revision)) return 'other';
  if (commit.startsWith(revision)) return 'commit';
  return parents.some((parent) => parent.startsWith(revision)) ? 'parent' : 'other';
}

/** Which commit the record's own words tie it to: `open` where they do not, as with tools that name the parent, a change of jj, or nothing. */
export function namedCommit({ metadata, vcs }: TraceRecord, commit: string): 'commit' | 'other' | 'open' {
  const own = ownPart(metadata)?.commit;
  if (typeof own === 'string') return own === commit ? 'commit' : 'other';
  return vcs?.type === 'git' && vcs.revision.toLowerCase() === commit ? 'commit' : 'open';
}

/** Without those of ours that speak of another commit: git copies notes along with a rewrite (`notes.rewriteRef`), and they count its lines. */
export function withoutCopied(records: readonly TraceRecord[], commit: string): readonly TraceRecord[] {
  return records.filter((record) => namedCommit(record, commit) !== 'other');
}
