import { Fault } from '../fault.ts';
import { listRefs } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { type Report, reportOf } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import { readJournal } from '../sessions/journal.ts';
import { readState } from '../sessions/state.ts';
import { storeOf } from '../sessions/store.ts';
import type { World } from './command.ts';
import { surveyFor } from './surveyed.ts';

/** A report on the lines that stand at a commit, and what it was made of. */
export interface Standing {
  readonly survey: Survey;
  readonly report: Report;
}

/** How far the counting is that is still going on. */
export interface Counting {
  readonly done: number;
  readonly of: number;
}

export interface StandingCache {
  /** The report, or how far it is: nobody waits long for a page. */
  find(commit: string): Promise<Standing | Counting>;
}

interface Entry {
  readonly standing: Promise<Standing>;
  /** When it was first asked for. */
  readonly since: number;
  progress: Counting;
}

/** Reports of so many commits are kept: each holds every run of lines. */
const MOST_KEPT = 3;
/** Small repositories are counted within it. */
const PATIENCE = 2500;

/** Counts once per commit and state of the notes, one commit after the other: it takes all cores. */
export function openStandings(world: World, repository: Repository): StandingCache {
  const entries = new Map<string, Entry>();
  let last: Promise<unknown> = Promise.resolve();
  const start = (commit: string, key: string): Entry => {
    const count = async () => {
      // by the time it was its turn, others were asked for
      if (!entries.has(key)) throw new Fault('surroundings', 'Too much was asked for at once: look again.');
      const onProgress = (done: number, of: number) => {
        entry.progress = { done, of };
      };
      const survey = await surveyFor(world, repository, { commit, onProgress });
      return { survey, report: reportOf(survey) };
    };
    const entry: Entry = { progress: { done: 0, of: 0 }, since: world.now(), standing: last.then(count) };
    last = entry.standing.catch(() => entries.delete(key)); // the next one tries again
    return entry;
  };
  return {
    async find(commit) {
      const key = `${commit} ${await stateOf(world, repository)}`;
      const entry = entries.get(key) ?? start(commit, key);
      keep(entries, key, entry);
      // who looks a second time knows already that it takes long
      const patience = Math.max(100, entry.since + PATIENCE - world.now());
      const done = await Promise.race([entry.standing, pause(Math.min(patience, PATIENCE))]);
      return done ?? entry.progress;
    },
  };
}

function keep(entries: Map<string, Entry>, key: string, entry: Entry): void {
  entries.delete(key);
  entries.set(key, entry);
  for (const old of entries.keys()) if (entries.size > MOST_KEPT) entries.delete(old);
}

/** Changes whenever something new may be known of a commit: notes that were written or fetched, and what hooks have told beside edits. */
async function stateOf(world: World, repository: Repository): Promise<string> {
  const refs = await listRefs(repository.place, ['refs/notes/**']);
  const store = storeOf(repository);
  const { facts } = readJournal(store, readState(store), world.now());
  return JSON.stringify([...refs, ...facts.flatMap(({ fact, seq }) => (fact === 'payload' ? [] : [seq]))]);
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds).unref();
  });
}
