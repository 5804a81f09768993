import { isPager, openPager, type PagerOptions } from './pager.ts';

/** Where results go, a piece at a time. */
export interface Destination {
  write(text: string | Uint8Array): Promise<unknown>;
}

/** Enough for one write to be worth its while, little enough to be on the screen at once. */
const PIECE = 64 * 1024;

/** Writes all pieces in writes of a fair size; ends early when the reader has gone. */
export async function writeAll(pieces: Iterable<string | Uint8Array>, to: Destination): Promise<boolean> {
  let held: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    const taken = size === 0 ? true : await to.write(Buffer.concat(held));
    held = [];
    size = 0;
    return taken !== false;
  };
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    held.push(bytes);
    size += bytes.length;
    if (size >= PIECE && !(await flush())) return false;
  }
  return flush();
}

/** Runs `print` with the pager as its destination, or with `plain` where there is no pager to be used. */
export async function paged(
  plain: Destination,
  pager: PagerOptions | undefined,
  print: (to: Destination) => Promise<unknown>,
): Promise<void> {
  if (!pager || !isPager(pager.command)) {
    await print(plain);
    return;
  }
  const opened = openPager(pager);
  try {
    await print(opened);
  } finally {
    await opened.close();
  }
}
