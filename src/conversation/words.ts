import type { ContributorType, Evidence, Via } from '../lines/origin.ts';

/** How we know, in a sentence. */
const EVIDENCE: Readonly<Record<Evidence, string>> = {
  observed: 'the file was seen before and after the edit',
  replayed: "the session's own edits, made again, give exactly this line here",
  matched: 'the content is the same; that it comes from there is not proven',
  declared: 'somebody said so; nobody saw it',
  absent: 'capture was on, and no agent touched these lines',
};

/** Of a person's lines nothing is seen but that they were there when an agent had not written them. */
const TYPED = 'it appeared between two steps of agents, and none of them wrote it';

const VIAS: Readonly<Record<Via, string>> = {
  note: 'the note of the commit itself says so',
  rewrite: 'the commit was rewritten, and it is known from which one',
  'change-id': 'a commit of the same change has the record',
  'patch-id': 'a commit that adds the same lines has the record',
  content: 'the same lines stand in the record of another commit',
  worktree: 'not committed yet: worked out from what hooks noted down',
};

export function evidenceInWords(type: string, evidence: string | null): string | null {
  if (type === 'human' && evidence === 'observed') return `${evidence}: ${TYPED}`;
  return evidence !== null && Object.hasOwn(EVIDENCE, evidence)
    ? `${evidence}: ${EVIDENCE[evidence as Evidence]}`
    : evidence;
}

export function viaInWords(via: string | null): string | null {
  return via !== null && Object.hasOwn(VIAS, via) ? VIAS[via as Via] : via;
}

export const WRITERS: Readonly<Record<ContributorType, string>> = {
  ai: 'an agent',
  human: 'a person',
  mixed: 'an agent and a person',
  unknown: 'nobody knows',
};

/** A command and what it is good for. */
export type Advice = readonly [command: string, gives: string];

export interface AdviceQuestion {
  readonly type: string;
  /** `FILE:LINE` as it was asked for. */
  readonly place: string;
  /** As short as git shows it; null where it is not committed. */
  readonly commit: string | null;
  readonly session: string | null;
  /** Whether the session can be read here. */
  readonly recorded: boolean;
}

/** Where to read on, and what can be done about what is not known. */
export function adviceFor({ type, place, commit, session, recorded }: AdviceQuestion): Advice[] {
  const about: Advice[] = commit === null ? [] : [[`git show ${commit}`, 'the commit']];
  if (type === 'unknown') {
    if (commit === null) return [['git agent doctor', 'whether anything is captured here']];
    return [
      ['git agent fetch', "brings a remote's notes, if there are any"],
      [`git agent backfill ${commit}`, 'looks for transcripts on this machine'],
      [`git agent declare ${commit} --human`, 'if you know who wrote it (or --tool NAME)'],
      ...about,
    ];
  }
  if (!session) return about;
  if (!recorded)
    return [
      ['git agent fetch', 'if a colleague has shared it'],
      [`git agent show ${quoted(session)}`, 'where it took place'],
      ...about,
    ];
  return [
    [`git agent show ${quoted(place)}`, 'this step in full'],
    [`git agent show ${quoted(session)}`, 'the whole conversation'],
    ...about,
  ];
}

/** As a shell takes it: names are strangers' words, and a person may paste them. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
