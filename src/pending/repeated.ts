import { reachableFrom } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import { lineHash } from '../lines/hash.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { isText } from './join-one.ts';
import { type AnchorWorld, MAX_BYTES, type Related, type Search } from './search.ts';

/**
 * A commit that adds just what one of its ancestors has added: brought back, if it was gone in between and says enough. Where it still
 * stood, somebody has written the same once more, and the ancestor tells nothing of it.
 */
export async function withoutRepeated(world: AnchorWorld, related: readonly Related[]): Promise<Related[]> {
  // git, or an id of its own, tells better
  const told = new Set(related.filter(({ via }) => via !== 'patch-id').map(({ search }) => search));
  const alike = related.filter(({ via, search }) => via === 'patch-id' && !told.has(search));
  if (alike.length === 0) return [...related];
  const tips = alike.map(({ search }) => search.commit.id);
  const standing = await reachableFrom(
    world.place,
    tips,
    alike.flatMap(({ ids }) => ids),
  );
  return Promise.all(
    related.map(async (one) => {
      const suspects = alike.includes(one) ? one.ids.filter((id) => standing.has(id)) : [];
      if (suspects.length === 0 || (isTelling(one.search) && !(await stoodBefore(world, one.search)))) return one;
      const ancestors = await reachableFrom(world.place, [one.search.commit.id], suspects);
      return { ...one, ids: one.ids.filter((id) => !ancestors.has(id)) };
    }),
  );
}

/** What many write is written anew after it was gone. */
function isTelling({ files }: Search): boolean {
  const lines = files.flatMap((file) => file.lines);
  return lines.some(({ distinct }) => distinct) || lines.filter(({ informative }) => informative).length >= 3;
}

/** Whether most of what the commit adds, and says something, was in its files before. */
async function stoodBefore({ place }: AnchorWorld, { diff, files }: Search): Promise<boolean> {
  const blobs = diff.files.filter(isText).flatMap(({ oldBlob }) => oldBlob ?? []);
  const objects = await readObjects(place, blobs, { maxBytes: MAX_BYTES });
  const texts = [...objects.values()].flatMap((one) => (one && !isBinary(one.bytes) ? [one.bytes] : []));
  const had = new Set(texts.flatMap((bytes) => splitBytes(bytes).map(lineHash)));
  const telling = files.flatMap(({ lines }) => lines.filter(({ informative }) => informative));
  return telling.filter(({ hash }) => had.has(hash)).length * 2 > telling.length;
}
