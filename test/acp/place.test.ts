import { expect, test } from 'vitest';
import { withUpdate } from '../../src/acp/call.ts';
import { snapshotBefore } from '../../src/acp/place.ts';
import { repeat } from '../../src/acp/repeat.ts';

test.each([
  ['the last one before the call', [{ to: 4000 }, { to: 4900 }, { to: 5001 }], {}, 4900],
  ['of those taken in between, one that no call can have begun before', idle(4000, 4900), {}, 4000],
  ['a call that was allowed has not begun before', idle(4000, 4900), { allowed: 5000 }, 4900],
  ['none', [{ to: 5001 }], {}, undefined],
])('the snapshot before a call: %s', (_, times, more, expected) => {
  const call = withUpdate(undefined, { toolCallId: 't' }, 5000);
  if (!call) throw new Error('no call');
  const snapshots = times.map((time) => ({ tree: '', from: time.to - 10, ...time }));
  expect(snapshotBefore({ snapshots }, { ...call, ...more })?.to).toBe(expected);
});

function idle(...times: number[]) {
  return times.map((to) => ({ to, idle: true }));
}

test('looking again and again, until it is stopped', async () => {
  let looks = 0;
  await new Promise<void>((resolve) => {
    const stop = repeat(async () => {
      if (++looks < 3) return;
      stop();
      resolve();
    }, 1);
    setTimeout(resolve, 5000).unref();
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks).toBe(3);
});
