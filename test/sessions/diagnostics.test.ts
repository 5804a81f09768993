import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendDiagnostic, readDiagnostics } from '../../src/sessions/diagnostics.ts';
import type { Store } from '../../src/sessions/store.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

let store: Store;
beforeEach(() => {
  store = { dir: makeFolder('store'), format: 'sha1' };
});
afterEach(() => removeFolder(store.dir));

test('a notification keeps all its fields, also those that are called like ours', async () => {
  const log = { level: 'info', message: 'm', at: 'its own time', agent: 'its own name', log: { x: 1 }, zz: [1] };
  await appendDiagnostic(store, { at: 5, agent: 'fake', log });
  expect(readDiagnostics(store)).toEqual([{ at: 5, agent: 'fake', log }]);
});

test('one that is too long leaves the fact of it', async () => {
  await appendDiagnostic(store, { at: 5, agent: 'fake', log: { level: 'error', message: 'x'.repeat(1 << 15) } });
  const log = { level: 'error', message: 'too long to be kept' };
  expect(readDiagnostics(store)).toEqual([{ at: 5, agent: 'fake', log }]);
});

test('the first form, with the fields beside ours, is still read', () => {
  const lines = ['{"at":5,"agent":"fake","level":"info","message":"m"}', '{"at":5,"agent":"fake"}', 'torn'];
  fs.writeFileSync(path.join(store.dir, 'diagnostics.jsonl'), `${lines.join('\n')}\n`);
  expect(readDiagnostics(store).map(({ log }) => log)).toEqual([{ level: 'info', message: 'm' }, {}]);
});
