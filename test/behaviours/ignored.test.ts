import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** No snapshot shows what git ignores: who made it, nobody knows. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('.gitignore', 'build/\n*.gen\n').human('lib/.gitignore', '/made\n').commit('start');
});
afterEach(() => shop.remove());

const MAKE = "mkdir -p build lib/made && echo 'made one' > build/x.ts && echo 'made two' > lib/made/y.ts";

describe('a command of the agent ran', () => {
  test('and what it made is added against the rules', async () => {
    shop.shell(MAKE);
    shop.human('build/mine.ts', 'typed\n').human('seen.ts', 'typed\n');
    shop.git('add', '-f', 'build', 'lib', 'seen.ts');
    shop.git('commit', '-q', '-m', 'forced');
    expect(await told(shop, 'build/x.ts', 'build/mine.ts', 'lib/made/y.ts', 'seen.ts')).toEqual(['u', 'u', 'u', 'h']);
    // from then on it is tracked, and snapshots show it
    shop.shell("echo 'made three' >> build/x.ts");
    shop.human('build/mine.ts', 'typed\ntyped too\n').commit('tracked');
    expect(await told(shop, 'build/x.ts', 'build/mine.ts')).toEqual(['ua', 'uh']);
  });

  test('and another one, before the first commit was worked in', async () => {
    shop.shell("mkdir build && echo 'made one' > build/x.ts");
    shop.git('add', '-f', 'build');
    shop.git('commit', '-q', '-m', 'forced');
    shop.shell("echo 'made two' >> build/x.ts");
    shop.commit('tracked');
    expect(await told(shop, 'build/x.ts')).toEqual(['ua']);
  });

  test.each([
    ['a rule is taken away', '*.gen\n'],
    ['a rule is taken back', 'build/\n*.gen\n!build/\n'],
  ])('and %s', async (_, rules) => {
    shop.shell(MAKE);
    shop.human('.gitignore', rules);
    shop.commit('shown');
    expect(await told(shop, 'build/x.ts')).toEqual(['u']);
  });

  test('a rule is taken away in one folder: files of others are known as before', async () => {
    shop.shell(MAKE);
    shop.human('lib/.gitignore', '# nothing\n').human('mine.ts', 'typed\n').commit('shown');
    expect(await told(shop, 'lib/made/y.ts', 'mine.ts')).toEqual(['u', 'h']);
  });

  test('a new rule hides nothing that was there', async () => {
    shop.shell(MAKE);
    shop.human('.gitignore', 'build/\n*.gen\n*.tmp\n').human('mine.ts', 'typed\n').commit('more');
    expect(await told(shop, 'mine.ts')).toEqual(['h']);
  });
});

test('no command that could write has run: it is a person’s', async () => {
  shop.shell('ls');
  shop.human('build/mine.ts', 'typed\n');
  shop.git('add', '-f', 'build');
  shop.git('commit', '-q', '-m', 'forced');
  expect(await told(shop, 'build/mine.ts')).toEqual(['h']);
});
