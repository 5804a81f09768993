import { isPager, openPager, type Pager, type PagerOptions } from './pager.ts';

/** Where results go, a piece at a time. */
export interface Destination {
  write(text: string | Uint8Array): Promise<unknown>;
}

/** Enough for one write to be worth its while, little enough to be on the screen at once. */
const PIECE = 64 * 1024;

/** Writes all pieces in writes of a fair size; ends early when the reader has gone. */
export async function writeAll(pieces: Iterable<string | Uint8Array>, to: Destination): Promise<boolean> {
  let held: Uint8Array[] = [];
  let text = '';
  let size = 0;
  const flush = async () => {
    const taken = size === 0 ? true : await to.write(held.length === 0 ? text : Buffer.concat([...held, encode(text)]));
    held = [];
    text = '';
    size = 0;
    return taken !== false;
  };
  for (const piece of pieces) {
    // strings are encoded together: one by one takes longer than making them
    if (typeof piece === 'string') text += piece;
    else {
      held.push(encode(text), piece);
      text = '';
    }
    size += piece.length;
    if (size >= PIECE && !(await flush())) return false;
  }
  return flush();
}

const encode = (text: string) => Buffer.from(text);

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
  const opened = orElse(openPager(pager), plain);
  try {
    await print(opened);
  } finally {
    await opened.close();
  }
}

/** More than a pipe holds: once so much is taken, the pager does read. */
const PIPE = 1024 * 1024;

/** The shell has complained of a pager that cannot be started; what it was to show goes to the terminal itself, as with git. */
function orElse(pager: Pager, plain: Destination): Pager {
  let held: (string | Uint8Array)[] = [];
  let size = 0;
  let isPlain = false;
  const close = async () => {
    const started = await pager.close();
    isPlain = !started;
    const lost = started ? [] : held;
    held = [];
    for (const piece of lost) await plain.write(piece);
    return started;
  };
  return {
    async write(text) {
      if (isPlain) return (await plain.write(text)) !== false;
      if (size > PIPE) held = [];
      else held.push(text);
      size += text.length;
      return (await pager.write(text)) || !(await close());
    },
    close,
  };
}
