import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../src/commands/command.ts';
import { sourceOf } from '../../src/commands/tui.ts';
import { findRepository } from '../../src/git/repository.ts';
import type { FileShare, ShownFile, Source } from '../../src/tui/source.ts';
import { inWorld } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const hasKeys = spawnSync('ssh-keygen', ['-?']).error === undefined;
const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

async function workshop(): Promise<Workshop> {
  const shop = await openWorkshop();
  shops.push(shop);
  return shop;
}

/** The source as the program makes it, asked from a folder of the repository. */
async function sourceIn(shop: Workshop, folder = '.', gitArgs: readonly string[] = []): Promise<Source> {
  const cwd = path.join(shop.dir, folder);
  const repository = await findRepository(cwd);
  let found: World | undefined;
  const keep = async (_: readonly string[], world: World) => {
    found = world;
    return 0;
  };
  await inWorld(keep, cwd, [], { home: shop.home, env: { ...process.env, HOME: shop.home } });
  if (!found) throw new Error('no world');
  return sourceOf(found, repository, gitArgs);
}

const kinds = ({ lines }: ShownFile) => lines.map(({ origin }) => origin.type.charAt(0)).join('');

function lineOf(file: ShownFile, number: number) {
  const line = file.lines[number - 1];
  if (!line) throw new Error(`no line ${number}`);
  return line;
}

describe('what the view asks for', () => {
  it('a file, from wherever one stands; the file before a line, at the place of the line', async () => {
    const shop = await workshop();
    shop.human('src/a.ts', 'one\ntwo\nthree\nfour\n').human('sub/b.ts', 'b\n').commit('first');
    shop.ai('src/a.ts', 'zero\none\ntwo\nTHREE\nfour\n');
    shop.commit('second');
    shop.human('src/a.ts', 'zero\none\ntwo\nTHREE\nnew\nfour\n');
    for (const folder of ['.', 'sub']) {
      const source = await sourceIn(shop, folder);
      const file = await source.file('src/a.ts', null);
      expect([file.path, file.revision, kinds(file)]).toEqual(['src/a.ts', null, 'ahhahh']);
      const before = await source.before(file, lineOf(file, 4));
      expect([before?.line, before?.file.revision, before && kinds(before.file)]).toEqual([
        3,
        shop.git('rev-parse', 'HEAD~1'),
        'hhhh',
      ]);
      const uncommitted = await source.before(file, lineOf(file, 5));
      expect([uncommitted?.line, uncommitted?.file.revision]).toEqual([5, shop.git('rev-parse', 'HEAD')]);
      expect(await source.before(file, lineOf(file, 2))).toBeUndefined();
    }
  });

  it('a line of a renamed file leads to the old name', async () => {
    const shop = await workshop();
    shop.human('old.ts', 'one\ntwo\nthree\nfour\nfive\n').commit('first');
    shop.git('mv', 'old.ts', 'new.ts');
    shop.human('new.ts', 'one\ntwo\nthree\nfour\nFIVE\n').commit('second');
    const source = await sourceIn(shop);
    const file = await source.file('new.ts', null);
    const before = await source.before(file, lineOf(file, 5));
    expect([before?.file.path, before?.line]).toEqual(['old.ts', 5]);
  });

  it('the story of a line: what was asked, what was done, how it is known', async () => {
    const shop = await workshop();
    shop.human('a.ts', 'one\n').commit('first');
    shop.prompt('Please add two');
    const event = shop.ai('a.ts', 'one\ntwo\n');
    shop.commit('second');
    const source = await sourceIn(shop);
    const file = await source.file('a.ts', null);
    expect(await source.story(file, lineOf(file, 2))).toMatchObject({
      line: 2,
      type: 'ai',
      evidence: 'observed',
      session: 's1',
      event,
      summary: 'second',
      behind: { prompt: 'Please add two', edits: [{ path: 'a.ts' }] },
    });
    expect(await source.story(file, lineOf(file, 1))).toMatchObject({
      behind: null,
      why: expect.stringContaining('person'),
    });
    await shop.work();
    const later = await sourceIn(shop);
    const again = await later.file('a.ts', null);
    expect(await later.story(again, lineOf(again, 2))).toMatchObject({ event, seal: 'unsealed' });
  });

  it.skipIf(!hasKeys)('the seal of the record behind a line (needs ssh-keygen)', async () => {
    const shop = await workshop();
    const key = path.join(shop.home, 'id');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const [type, blob] = fs.readFileSync(`${key}.pub`, 'utf8').split(' ');
    fs.writeFileSync(path.join(shop.home, 'allowed'), `ada@example.com ${type} ${blob}\n`);
    shop.git('config', 'gpg.format', 'ssh');
    shop.git('config', 'user.signingkey', `${key}.pub`);
    shop.git('config', 'gpg.ssh.allowedSignersFile', path.join(shop.home, 'allowed'));
    shop.ai('a.ts', 'one\n');
    shop.commit('first');
    await shop.work();
    expect((await shop.agent('seal')).status).toBe(0);
    const seal = async () => {
      const source = await sourceIn(shop);
      const file = await source.file('a.ts', null);
      return (await source.story(file, lineOf(file, 1))).seal;
    };
    expect(await seal()).toBe('sealed by ada@example.com');
    fs.writeFileSync(path.join(shop.home, 'allowed'), '');
    expect(await seal()).toMatch(/^refused: /);
  });

  it('shares of all files, with what is not counted', async () => {
    const shop = await workshop();
    shop.human('b.ts', 'one\ntwo\n').human('package-lock.json', '{}\n').human('sub/empty', '').commit('first');
    shop.ai('a.ts', 'one\n');
    shop.commit('second');
    const told: string[] = [];
    const shares = new Map<string, FileShare>();
    const keep = (files: readonly FileShare[]) => files.map((file) => shares.set(file.path, file));
    await (await sourceIn(shop, 'sub')).shares(null, {
      signal: new AbortController().signal,
      listed: (files) => told.push(`listed ${keep(files).length}`),
      counted: (files) => keep(files),
      progress: (done, of) => told.push(`${done}/${of}`),
    });
    expect([...shares.values()].map(({ path: name, counts, why }) => [name, counts?.ai, counts?.human, why])).toEqual([
      ['a.ts', 1, 0, undefined],
      ['b.ts', 0, 2, undefined],
      ['package-lock.json', 0, 0, 'lock file'],
      ['sub/empty', 0, 0, undefined],
    ]);
    expect([told[0], told.at(-1)]).toEqual(['listed 4', '2/2']);
  });

  it('says what cannot be opened', async () => {
    const shop = await workshop();
    shop.human('a.ts', 'one\n').commit('first');
    const source = await sourceIn(shop);
    await expect(source.file('nope', null)).rejects.toThrow(/no such path/);
  });
});
