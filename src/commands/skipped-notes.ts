import { isPartial } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import type { Missed } from '../notes/read.ts';
import { plain } from '../terminal/plain.ts';
import type { World } from './command.ts';

type Told = Pick<World, 'err' | 'name'>;

/** Says how many notes were not read, and which refs. Only a partial clone lacks contents that a fetch brings. */
export async function tellSkippedNotes(world: Told, place: GitPlace, { skipped, unread }: Missed): Promise<void> {
  await tellUnread(world, unread);
  if (skipped === 0) return;
  const why = (await isPartial(place))
    ? 'too large or not in this clone: git agent fetch gets what is not here'
    : 'too large to be read, or damaged';
  await world.err.write(`${world.name}: ${areMany(skipped, 'note')} ${why}.\n`);
}

/** Refs of notes of which nothing, or not all, can be read. */
export async function tellUnread({ err, name }: Told, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  const what = `the notes in ${refs.map(plain).join(', ')} cannot be read, or not all of them`;
  await err.write(`${name}: ${what}: git agent doctor says what to do.\n`);
}

/** `1 note is`, `2 notes are` */
export function areMany(count: number, one: string, more = `${one}s`): string {
  return count === 1 ? `1 ${one} is` : `${count} ${more} are`;
}
