import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** The `date` of busybox and of BSD tells no milliseconds: all that happens within a second has the same time. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  const bin = path.join(shop.home, 'coarse');
  fs.mkdirSync(bin);
  const script = '#!/bin/sh\ncase $1 in *%3N) echo "$(/bin/date +%s)3N" ;; *) exec /bin/date "$@" ;; esac\n';
  fs.writeFileSync(path.join(bin, 'date'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  shop.human('first.ts', 'person one\n').commit('first');
});
afterEach(() => {
  vi.unstubAllEnvs();
  shop.remove();
});

test('the agent makes a work tree and writes there at once', async () => {
  const made = path.join(shop.home, 'made');
  shop.shell(`git worktree add -q -b made ${made} && cd ${made} && echo 'agent alpha' > b.ts`);
  shop.in(made).human('h.ts', 'typed\n').commit('there');
  expect(await told(shop.in(made), 'b.ts', 'h.ts', 'first.ts')).toEqual(['a', 'h', 'h']);
});
