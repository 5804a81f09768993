import type { AgentLogDocument } from '../agentlog/document.ts';
import { findDenied } from './denied.ts';
import { isOfOtherClone, placeOf, type Roots } from './place.ts';
import { isoOf, short } from './telling.ts';

/** Where what a session says of itself and what was seen do not agree. A fact, not a verdict: there may be good reasons. */
export interface Divergence {
  readonly kind: DivergenceKind;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly path: string | null;
  readonly time: string;
  /** One sentence. */
  readonly what: string;
}

export const DIVERGENCES = {
  'claimed-not-shown': 'edits that a transcript claims and neither a hook nor the disk showed',
  'shown-not-claimed': 'edits that a hook or the disk showed and no transcript claims',
  outside: 'edits outside the repository',
  'denied-and-done': 'calls that were denied and done all the same',
} as const;
export type DivergenceKind = keyof typeof DIVERGENCES;

/** One sight of an edit: by a hook, or in the agent's own transcript. */
export interface EditSight {
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly path: string;
  readonly worktree: string;
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  /** What the call was, where hooks do not tell its id. */
  readonly print?: string;
  /** Blob ids; null where there was no file. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** Between the snapshots around a shell command; `expected`: the command names the file, or git moved it about. */
  readonly shell?: { readonly command: string; readonly expected: boolean };
}

/** A command that somebody refused, and that ran: the snapshot after it is there. */
export interface CommandSight {
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly command: string;
  readonly at: number;
}

export interface Watched {
  readonly documents: readonly AgentLogDocument[];
  readonly edits: readonly EditSight[];
  readonly ranRefused: readonly CommandSight[];
  readonly roots: Roots;
  /** Agents whose hooks have been in place, and since when. */
  readonly hooks: { readonly agents: ReadonlySet<string>; readonly since: number };
  /** Whether git holds a content, or a record a line of the event. */
  isShown(edit: EditSight): boolean;
}

export function findDivergences(watched: Watched): Divergence[] {
  const found = [
    ...claimedNotShown(watched),
    ...shownNotClaimed(watched),
    ...watched.documents.flatMap((document) => outsideOf(document, watched.roots)),
    ...watched.documents.flatMap((document) => findDenied(document, watched.roots)),
    ...watched.ranRefused.map(ranRefused),
  ];
  const key = (one: Divergence) => [one.time, one.session, one.event, one.kind, one.path ?? '', one.what].join('\0');
  const unique = new Map(found.map((one) => [key(one), one]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The same call is known by its id, or by what it was where hooks tell no ids. */
function keysOf({ session, event, path, worktree, print }: EditSight): string[] {
  const where = `${path}\0${worktree}`;
  return [`${event}\0${where}`, ...(print === undefined ? [] : [`${session}\0${print}\0${where}`])];
}

/** Only where somebody looked can something not have been seen: the agent's hooks were in place. */
function claimedNotShown({ edits, hooks, isShown }: Watched): Divergence[] {
  const seen = new Set(edits.filter(({ source }) => source === 'hook').flatMap(keysOf));
  const contents = new Set(
    edits.flatMap(({ source, path, worktree, before, after }) =>
      source === 'hook' ? [before, after].flatMap((id) => (id ? [`${id}\0${path}\0${worktree}`] : [])) : [],
    ),
  );
  return edits
    .filter(({ source, agent, at }) => source === 'transcript' && hooks.agents.has(agent) && at >= hooks.since)
    .filter((edit) => !keysOf(edit).some((key) => seen.has(key)) && !isShown(edit))
    .filter(({ after, path, worktree }) => !(after && contents.has(`${after}\0${path}\0${worktree}`)))
    .map((edit) =>
      factOf('claimed-not-shown', edit, 'the transcript tells of this edit; no hook, snapshot or commit shows it'),
    );
}

/** A transcript that tells of later edits has come so far, and could have told of this one. */
function shownNotClaimed({ edits }: Watched): Divergence[] {
  const told = edits.filter(({ source }) => source === 'transcript');
  const claimed = new Set(told.flatMap(keysOf));
  const reach = new Map<string, number>();
  for (const { session, at } of told) reach.set(session, Math.max(at, reach.get(session) ?? 0));
  return edits.flatMap((edit) => {
    if (edit.source !== 'hook') return [];
    if (edit.shell) {
      if (edit.shell.expected || edit.shell.command === '') return [];
      const what = `the file changed while a command ran that does not name it: ${short(edit.shell.command)}`;
      return [factOf('shown-not-claimed', edit, what)];
    }
    const late = edit.at > (reach.get(edit.session) ?? -1);
    if (late || keysOf(edit).some((key) => claimed.has(key))) return [];
    return [
      factOf(
        'shown-not-claimed',
        edit,
        'a hook showed this edit; the transcript, which tells of later ones, does not say that it was made',
      ),
    ];
  });
}

function factOf(kind: DivergenceKind, { session, agent, event, path, at }: EditSight, what: string): Divergence {
  return { kind, session, agent, event, path, time: isoOf(at), what };
}

function outsideOf({ id, agent, project, events }: AgentLogDocument, roots: Roots): Divergence[] {
  return events.flatMap((event): Divergence[] => {
    if (event.type !== 'fileOperation' || event.operation === 'read') return [];
    const { inside, path } = placeOf(roots, project?.workingDirectory, event.path);
    if (inside || isOfOtherClone(roots, project?.workingDirectory, event.path)) return [];
    const what = `the file lies in no work tree of this repository (${event.operation})`;
    return [{ kind: 'outside', session: id, agent: agent.name, event: event.id, path, time: event.timestamp, what }];
  });
}

function ranRefused({ session, agent, event, command, at }: CommandSight): Divergence {
  const what = `the command was refused, and a hook tells of its end: ${short(command)}`;
  return { kind: 'denied-and-done', session, agent, event, path: null, time: isoOf(at), what };
}

/** Edits of the sessions in scope, each once however many have told of it. */
export interface EditCounts {
  readonly all: number;
  /** Those of which a hook or a snapshot tells, and not the transcript alone. */
  readonly seen: number;
  /** Those of them that a snapshot or a commit shows; a hook has only the agent's word. The rest may be changed or undone since. */
  readonly shown: number;
}

export function countEdits(edits: readonly EditSight[], isShown: Watched['isShown']): EditCounts {
  const seen = new Map<string, string>();
  const ownKey = (edit: EditSight) => keysOf(edit)[0] ?? '';
  const hooks = edits.filter(({ source }) => source === 'hook').sort((a, b) => (ownKey(a) < ownKey(b) ? -1 : 1));
  for (const edit of hooks) {
    const own = ownKey(edit);
    for (const key of keysOf(edit)) if (!seen.has(key)) seen.set(key, seen.get(own) ?? own);
  }
  const told = edits.filter(({ source }) => source === 'transcript');
  const known = (edit: EditSight) => keysOf(edit).flatMap((key) => seen.get(key) ?? []);
  const untold = new Set(told.filter((edit) => known(edit).length === 0).map(ownKey));
  const shown = new Set(
    [...hooks, ...told].filter((edit) => edit.shell || isShown(edit)).flatMap((edit) => known(edit)[0] ?? []),
  );
  const count = new Set(seen.values()).size;
  return { all: count + untold.size, seen: count, shown: shown.size };
}
