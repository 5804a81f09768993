import { Fault } from '../fault.ts';
import type { Repository } from '../git/repository.ts';
import { advised } from '../git/said.ts';
import { resolveWord } from './revisions.ts';

/** What a diff compares: the new side is a commit, the index or the work tree. */
export interface Sides {
  /** For git diff: none, one or two commits. */
  readonly revisions: readonly string[];
  readonly fresh: 'index' | 'worktree' | { readonly commit: string };
}

/** As git diff reads it: `A..B` and `A B` are two commits, `A...B` begins where they part, `A` alone is compared with what is here. */
export async function readSides(
  repository: Repository,
  { revisions, staged }: { readonly revisions: readonly string[]; readonly staged: boolean },
): Promise<Sides> {
  const here = staged ? 'index' : 'worktree';
  const named = await Promise.all(revisions.map(async (word) => ({ word, ids: await resolveWord(repository, word) })));
  const nothing = named.find(({ ids }) => ids.length === 0);
  if (nothing) throw new Fault('usage', advised(`${nothing.word} names no commit`));
  const without = named.flatMap(({ ids }) => ids.filter((id) => id.startsWith('^')));
  const ids = named.flatMap((one) => one.ids.filter((id) => !id.startsWith('^')));
  const [first, second, third] = ids;
  if (without.length > 0) {
    // of a range git names its end first, and leaves out where it begins
    const [begin] = without;
    if (named.length > 1 || !first || !begin || staged) throw tooMany();
    return { revisions: [begin.slice(1), first], fresh: { commit: first } };
  }
  if (third !== undefined || (second !== undefined && staged)) throw tooMany();
  if (first !== undefined && second !== undefined) return { revisions: [first, second], fresh: { commit: second } };
  return { revisions: first === undefined ? [] : [first], fresh: here };
}

function tooMany(): Fault {
  return new Fault('usage', 'Name one range, two commits, or one commit to compare with what is here.');
}
