// Before each test file. Starting a process copies the page tables of the one that starts it: with 400 MB a git call costs several times what it does
// with 100, and node keeps what one large test left behind. So it is given back as soon as it is seen.
import { afterEach } from 'vitest';

const MUCH = 32 << 20;
/** What a test has used may still be held when it ends, and pages go back a little later: the next tests look again. */
const LOOKS = 3;
let least = Number.POSITIVE_INFINITY;
let looks = 0;

afterEach(() => {
  const now = process.memoryUsage.rss();
  if (now < least + MUCH) {
    least = Math.min(least, now);
    looks = 0;
  } else if (++looks <= LOOKS) globalThis.gc?.();
  else least = now;
});
