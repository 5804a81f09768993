import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blame } from '../../src/commands/blame.ts';
import { inWorld } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { type BlameJson, openWorkshop, type Workshop } from '../support/workshop.ts';

const BASE = 'export const base = 0;\n';
const TRAILER = `Change-Id: I${'4'.repeat(40)}`;
const written = (n: number) => `export const value${n} = work(${n});\n`;

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('start');
});
afterEach(() => shop.remove());

/** A commit that no hook sees, as a server makes it. */
function plumbed(text: string, message: string): string {
  shop.human('a.ts', text);
  shop.git('add', '-A');
  const commit = shop.git('commit-tree', '-p', 'main', '-m', message, shop.git('write-tree'));
  shop.git('update-ref', 'HEAD', commit);
  return commit;
}

/** Versions of one change on branches of their own, each by a session of its own. */
async function versions(count: number, text: (n: number) => string): Promise<void> {
  for (let n = 1; n <= count; n++) {
    shop.git('checkout', '-q', '-b', `version${n}`, 'main');
    shop.ai('a.ts', text(n), `s${n}`);
    shop.commit(`version ${n}\n\n${TRAILER}`);
  }
  await shop.work();
  shop.git('checkout', '-q', '-b', 'server', 'main');
}

/** In a clone, where only the notes tell. */
async function elsewhere(): Promise<BlameJson['lines']> {
  const clone = makeFolder('clone');
  try {
    shop.git('clone', '-q', '--mirror', '.', clone);
    const { stdout } = await inWorld(blame, clone, ['--json', 'HEAD', '--', 'a.ts']);
    return JSON.parse(stdout).lines;
  } finally {
    removeFolder(clone);
  }
}

describe('a change id of Gerrit', () => {
  test('leads from a commit that nobody saw to the record of the change, over another line in between', async () => {
    await versions(1, (n) => BASE + written(n));
    plumbed(`${BASE}export const own = 'typed on the server';\n${written(1)}`, `the change\n\n${TRAILER}`);
    const lines = await elsewhere();
    expect(lines.map(({ type, via, session }) => [type, via, session])).toEqual([
      ['human', 'note', null],
      ['unknown', null, null],
      ['ai', 'change-id', 's1'],
    ]);
  });

  test('that is in the text of a message, not at the beginning of a line, is none', async () => {
    await versions(1, (n) => BASE + written(n));
    plumbed(`${BASE}export const own = 1;\n${written(1)}`, `not the change ${TRAILER}`);
    expect((await elsewhere())[2]?.via).not.toBe('change-id');
  });
});

describe('a change id that names ten commits', () => {
  test('of which one has the line: it is that one’s', async () => {
    await versions(10, (n) => BASE + written(n));
    plumbed(BASE + written(7), `the change\n\n${TRAILER}`);
    const lines = await elsewhere();
    expect(lines[1]).toMatchObject({ type: 'ai', session: 's7' });
  });

  test('of which all have it, each by another session: an answer soon, and no person is named', async () => {
    await versions(10, () => BASE + written(0));
    plumbed(BASE + written(0), `the change\n\n${TRAILER}`);
    const start = Date.now();
    const lines = await elsewhere();
    expect(['ai', 'unknown']).toContain(lines[1]?.type);
    expect(Date.now() - start).toBeLessThan(20_000);
  });

  test('of which none has it: a person may have typed it', async () => {
    await versions(10, (n) => BASE + written(n));
    plumbed(`${BASE}typed by hand, elsewhere\n`, `the change\n\n${TRAILER}`);
    expect((await elsewhere())[1]).toMatchObject({ type: 'unknown', session: null });
  });
});
