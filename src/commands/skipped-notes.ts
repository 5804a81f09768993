import { isPartial } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import type { World } from './command.ts';

/** Says how many notes were not read. Only a partial clone lacks contents that a fetch brings. */
export async function tellSkippedNotes({ err, name }: World, place: GitPlace, count: number): Promise<void> {
  if (count === 0) return;
  const why = (await isPartial(place))
    ? 'too large or not in this clone: git agent fetch gets what is not here'
    : 'too large to be read, or damaged';
  await err.write(`${name}: ${areMany(count, 'note')} ${why}.\n`);
}

/** `1 note is`, `2 notes are` */
export function areMany(count: number, one: string, more = `${one}s`): string {
  return count === 1 ? `1 ${one} is` : `${count} ${more} are`;
}
