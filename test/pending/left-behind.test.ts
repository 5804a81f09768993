import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// What git takes out of the history again, and leaves standing, was written when it was committed, by whoever the record says.
let shop: Workshop;
afterEach(() => shop.remove());

const FIRST = ['person typed the first line', 'person typed another line', 'person typed the last line'];
const text = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Told alike while it is uncommitted, when it is committed anew, and once that is worked in. */
async function toldThrice(file: string, message = 'anew'): Promise<string[]> {
  const told = [await shop.blame(file)];
  shop.commit(message);
  told.push(await shop.blame(file));
  await shop.work();
  return [...told, await shop.blame(file)];
}

/** A person has committed the first lines, and an agent, in another work tree, this. */
async function openBeside(file: string): Promise<void> {
  shop = await openWorkshop();
  shop.human('f.ts', text(...FIRST)).commit('base');
  const folder = path.join(shop.home, 'side');
  shop.git('worktree', 'add', '-q', '-b', 'side', folder);
  const side = shop.in(folder);
  side.ai('f.ts', file);
  side.commit('agent');
}

const thrice = (letters: string) => [letters, letters, letters];

describe('an agent commits a line or two in another work tree', () => {
  const BOTH = text('person typed the first line', 'agent wrote one', ...FIRST.slice(1), 'agent wrote two');

  beforeEach(async () => {
    await openBeside(BOTH);
  });

  describe.each([
    ['squashed', ['merge', '-q', '--squash', 'side'], ['commit', '-q', '-m', 'squashed']],
    ['merged', ['merge', '-q', 'side'], ['status']],
    ['picked', ['cherry-pick', 'side'], ['status']],
  ])('%s here', (_, bring, commit) => {
    beforeEach(() => {
      shop.git(...bring);
      shop.git(...commit);
    });

    test.each([['--soft'], ['--mixed']])('and taken back with reset %s', async (kind) => {
      shop.git('reset', '-q', kind, 'HEAD~1');
      expect(await toldThrice('f.ts')).toEqual(thrice('hahha'));
    });

    test('and taken back once the record is written', async () => {
      await shop.work();
      shop.git('reset', '-q', '--soft', 'HEAD~1');
      expect(await toldThrice('f.ts')).toEqual(thrice('hahha'));
    });

    test('and taken out of the commit by amending it', async () => {
      shop.human('g.ts', text('person typed a file')).commit('more', '--amend');
      shop.git('reset', '-q', 'HEAD~1', '--', 'f.ts');
      // the reflog knows seconds
      await new Promise((resolve) => setTimeout(resolve, 1100));
      shop.git('commit', '-q', '--amend', '-m', 'less');
      expect(await toldThrice('f.ts')).toEqual(thrice('hahha'));
    });
  });

  test('what a person types when it was taken back is that person’s; two lines that stood there may have been typed anew', async () => {
    shop.git('merge', '-q', 'side');
    shop.git('reset', '-q', '--soft', 'HEAD~1');
    shop.human('f.ts', `${BOTH}person typed one more\n`);
    expect(await toldThrice('f.ts')).toEqual(thrice('huhhuh'));
  });

  test('of lone lines that are saved one by one nobody knows', async () => {
    shop.git('merge', '-q', 'side');
    shop.git('reset', '-q', '--mixed', 'HEAD~1');
    shop.human('f.ts', text(FIRST[0] ?? '', 'agent wrote one', ...FIRST.slice(1))).commit('a part');
    shop.human('f.ts', BOTH);
    expect(await toldThrice('f.ts', 'the rest')).toEqual(thrice('huhhu'));
  });
});

describe('an agent commits a lone line in another work tree, and it is merged', () => {
  const ALONE = text(...FIRST, 'agent wrote this line alone');

  beforeEach(async () => {
    await openBeside(ALONE);
    shop.git('merge', '-q', 'side');
  });

  test('taken back with reset --soft, and never saved since, it is the agent’s', async () => {
    shop.git('reset', '-q', '--soft', 'HEAD~1');
    expect(await toldThrice('f.ts')).toEqual(thrice('hhha'));
  });

  test('thrown away with reset --hard, and typed again, it is nobody’s', async () => {
    shop.git('reset', '-q', '--hard', 'HEAD~1');
    shop.human('f.ts', ALONE);
    expect(await toldThrice('f.ts')).toEqual(thrice('hhhu'));
  });
});

describe('an agent’s commit is thrown away with reset --hard', () => {
  const AGENTS = text(
    "import { readFile } from 'node:fs/promises';",
    'export function agentsOwnFunction() {',
    '  const agentsFirstValue = compute(1);',
    '  const agentsOtherValue = compute(2);',
    '  return null;',
    '}',
  );

  beforeEach(async () => {
    await openBeside(`${text(...FIRST)}${AGENTS}`);
    shop.git('merge', '-q', 'side');
    shop.git('reset', '-q', '--hard', 'HEAD~1');
  });

  test('what a person types in its place is not the agent’s: of what everybody writes nobody knows', async () => {
    const mine = text('export function writtenByMe() {', '  const quiteAnotherThing = 7;', '  return null;', '}');
    shop.human('f.ts', `${text(...FIRST)}${mine}`);
    expect(await toldThrice('f.ts')).toEqual(thrice('hhhhhuu'));
  });

  test('nor where nothing but what files begin with is the same', async () => {
    shop.human('f.ts', `${text(...FIRST)}${text("import { readFile } from 'node:fs/promises';")}`);
    expect(await toldThrice('f.ts')).toEqual(thrice('hhhu'));
  });

  test('nor anything else that a person types', async () => {
    shop.human('f.ts', `${text(...FIRST)}${text('person went another way', 'person typed a return')}`);
    expect(await toldThrice('f.ts')).toEqual(thrice('hhhhh'));
  });

  test('nor a line of it that a person types again', async () => {
    shop.human('f.ts', text(...FIRST, '  const agentsFirstValue = compute(1);'));
    expect(await toldThrice('f.ts')).toEqual(thrice('hhhu'));
  });

  test('a line that an agent has seen to be gone may have been typed anew', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    shop.ai('f.ts', text(...FIRST, 'agent went another way'), 's2');
    shop.human('f.ts', text(...FIRST, 'agent went another way', '  const agentsFirstValue = compute(1);'));
    const told = await toldThrice('f.ts');
    expect(told).toEqual(thrice('hhhau'));
  });
});

describe('a colleague’s agent and the colleague write, and their notes are here', () => {
  const HERS = text(FIRST[0] ?? '', 'agent of the colleague', ...FIRST.slice(1), 'typed by the colleague');

  beforeEach(async () => {
    shop = await openWorkshop();
    shop.human('f.ts', text(...FIRST)).commit('base');
    const folder = path.join(shop.home, 'colleague');
    shop.git('clone', '-q', shop.dir, folder);
    const colleague = shop.in(folder);
    colleague.git('config', 'user.name', 'Colleague');
    colleague.git('config', 'user.email', 'colleague@example.com');
    await colleague.init();
    colleague.ai('f.ts', text(FIRST[0] ?? '', 'agent of the colleague', ...FIRST.slice(1)), 's9');
    colleague.commit('agent');
    colleague.human('f.ts', HERS).commit('person');
    await colleague.work();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    shop.git('remote', 'add', 'origin', folder);
  });

  const notes = () => shop.git('fetch', '-q', 'origin', 'refs/notes/agent/trace:refs/notes/agent/trace');

  test.each([['--soft'], ['--mixed']])('pulled, and taken back with reset %s', async (kind) => {
    shop.git('pull', '-q', 'origin', 'HEAD');
    notes();
    shop.git('reset', '-q', kind, 'HEAD~2');
    expect(await toldThrice('f.ts')).toEqual(thrice('hahhh'));
  });

  test('pulled by an agent’s shell, and squashed by a person', async () => {
    shop.shell('git pull -q origin HEAD');
    notes();
    shop.git('reset', '-q', '--soft', 'HEAD~2');
    expect(await toldThrice('f.ts')).toEqual(thrice('hahhh'));
  });
});
