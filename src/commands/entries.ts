import fs from 'node:fs';
import type { Entry } from '../audit/entry.ts';
import { byTime, EVENT_NAMES, type EventKind, findEntries, findEventKind, type Query } from '../audit/find.ts';
import { narrowDocument } from '../audit/narrow.ts';
import type { Roots } from '../audit/place.ts';
import { Fault } from '../fault.ts';
import { refuseOddDates } from '../git/dates.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { listWorktrees } from '../git/worktrees.ts';
import { type Glob, type ParsedGlob, parseGlob, parseNamePattern } from '../report/glob.ts';
import { scanSessions } from '../sessions/scan.ts';
import { findSince, storeOf } from '../sessions/store.ts';
import { suggest } from '../suggest.ts';
import type { Call, World } from './command.ts';
import { pendingView } from './pending-view.ts';

const FILTERS = ['since', 'until', 'event', 'tool', 'path', 'text'] as const;

/** What the options ask for; undefined where none of them does. */
export async function queryOf(options: Call['options'], place: GitPlace): Promise<Query | undefined> {
  const said = (name: (typeof FILTERS)[number]) => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (FILTERS.every((name) => said(name) === undefined)) return undefined;
  const [event, tool, path, text] = [said('event'), said('tool'), said('path'), said('text')];
  return {
    ...(await timesOf(place, said('since'), said('until'))),
    ...(event !== undefined && { events: event.split(',').map(kindOf) }),
    ...(tool !== undefined && { tool: globOf('tool', parseNamePattern(tool)) }),
    ...(path !== undefined && { path: globOf('path', parseGlob(path.replace(/^(?:\.\/)+/, ''))) }),
    ...(text !== undefined && { words: text.toLowerCase().split(/\s+/).filter(Boolean) }),
  };
}

function kindOf(name: string): EventKind {
  const kind = findEventKind(name.trim());
  if (kind) return kind;
  const near = suggest(name.trim(), EVENT_NAMES);
  const hint = near ? `did you mean ${near}?` : `there are ${EVENT_NAMES.join(', ')}.`;
  throw new Fault('usage', `There is no event of type ${name.trim()}: ${hint}`);
}

function globOf(option: string, parsed: ParsedGlob): Glob {
  if ('glob' in parsed) return parsed.glob;
  throw new Fault('usage', `--${option} is no pattern: ${parsed.problem} (character ${parsed.column}).`);
}

/** Git itself reads the dates: `2 days ago`, `yesterday`, `2026-01-02 10:00`. */
async function timesOf(
  place: GitPlace,
  since: string | undefined,
  until: string | undefined,
): Promise<Pick<Query, 'since' | 'until'>> {
  const asked = Object.entries({ '--since': since, '--until': until });
  const dates = asked.flatMap(([option, text]) => (text === undefined ? [] : [[option, text] as const]));
  if (dates.length === 0) return {};
  await refuseOddDates(place, dates);
  const { out } = await askGit(place, ['rev-parse', ...dates.map(([option, text]) => `${option}=${text}`)]);
  const [, from] = /^--max-age=(\d+)$/m.exec(out.toString('latin1')) ?? [];
  const [, to] = /^--min-age=(\d+)$/m.exec(out.toString('latin1')) ?? [];
  // git knows seconds: the whole of the last one is meant
  return { ...(from && { since: Number(from) * 1000 }), ...(to && { until: Number(to) * 1000 + 999 }) };
}

/** Entries of all sessions, those included that no background work has stored yet; by time. */
export async function searchEntries(repository: Repository, world: World, query: Query): Promise<Entry[]> {
  const store = storeOf(repository);
  const [roots, view] = await Promise.all([rootsOf(repository), pendingView(repository, world)]);
  const pending = view.prospect?.documents ?? new Map();
  const found: Entry[] = [];
  if (pending.size > 0) {
    const { redactDocument } = await import('../redact/redact.ts');
    for (const document of pending.values())
      for (const entry of findEntries(await redactDocument(document), query, roots)) found.push(entry);
  }
  const here = new Set<string>(pending.keys());
  for (const { id, text } of scanSessions(store)) {
    here.add(id);
    const parsed = pending.has(id) ? undefined : narrowDocument(text, query);
    if (parsed?.kind !== 'document') continue;
    for (const entry of findEntries(parsed.document, query, roots)) found.push(entry);
  }
  const { openReadable } = await import('./shared-sessions.ts');
  for (const document of await (await openReadable(repository)).list()) {
    if (here.has(document.id)) continue;
    for (const entry of findEntries(document, query, roots)) found.push({ ...entry, shared: true });
  }
  view.wake();
  return found.sort(byTime);
}

/** The folders of the work trees, by every name they go by. */
export async function rootsOf(repository: Repository): Promise<Roots> {
  const trees = (await listWorktrees(repository.place)).filter(({ bare }) => !bare).map(({ path }) => path);
  const top = findSince(storeOf(repository))?.top;
  const all = [...trees, ...(top === undefined ? [] : [top]), ...(repository.worktree ? [repository.worktree] : [])];
  return [...new Set(all.flatMap((folder) => [folder, realPath(folder)]))];
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder; // a work tree that is gone
  }
}
