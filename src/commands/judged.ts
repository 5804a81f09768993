import type { Policy } from '../check/policy.ts';
import type { SealState, Seals } from '../check/rulings.ts';
import { judge, type Verdict } from '../check/verdict.ts';
import { SEAL_REF, TRACE_REF } from '../notes/refs.ts';
import type { Survey } from '../report/run.ts';
import type { World } from './command.ts';

export interface Judging {
  readonly policy: Policy;
  readonly commits: readonly string[];
  /** Notes that come with a push: of records, and of seals. */
  readonly notes: readonly string[];
  readonly seals: readonly string[];
  /** Refs of notes that a push takes away. */
  readonly taken?: readonly string[];
}

/** What the policy says of a survey, and of the seals where it asks for them. */
export async function judgeSurvey(world: World, survey: Survey, judging: Judging): Promise<Verdict> {
  const { seals, unread } = await readSeals(world, judging);
  const all = [...new Set([...(survey.unread ?? []), ...unread])];
  const names = (refs: readonly string[]) => [...new Set(refs.map((ref) => nameOf(ref, judging)))];
  const pushed = all.filter((ref) => judging.notes.includes(ref) || judging.seals.includes(ref));
  const { policy, taken = [] } = judging;
  return judge({ ...survey, unread: names(all), brought: names(pushed), taken }, policy, seals);
}

/** What comes with a push has no name here yet. */
function nameOf(ref: string, { notes, seals }: Judging): string {
  const pushed = notes.includes(ref) ? TRACE_REF : seals.includes(ref) ? SEAL_REF : undefined;
  return pushed ? `${pushed} of this push` : ref;
}

async function readSeals(
  world: World,
  { policy, commits, ...pushed }: Judging,
): Promise<{ readonly seals?: Seals; readonly unread: readonly string[] }> {
  if (policy.requireSeal === 'off') return { unread: [] };
  const [{ verifySeals }, { whyNot }] = await Promise.all([import('./seals.ts'), import('../seal/note.ts')]);
  const verified = await verifySeals(world, commits, pushed);
  const states = new Map<string, SealState>();
  for (const [commit, { records }] of verified.notes) {
    for (const { record, state, verdicts } of records) {
      if (state === 'unsealed') continue;
      const why = whyNot({ state, verdicts });
      states.set(`${commit} ${record.id}`, state === 'sealed' ? { ok: true } : { ok: false, why });
    }
  }
  const seals: Seals = {
    of: (record, commit) => states.get(`${commit} ${record}`),
    gone: (commit) => {
      const { gone = [], records = [] } = verified.notes.get(commit) ?? {};
      const overruled = records.flatMap(({ record, state }) => (state === 'overruled' ? [record.id] : []));
      return [...new Set([...gone.map(({ id }) => id), ...overruled])];
    },
  };
  return { seals, unread: verified.unread };
}
