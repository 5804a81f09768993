import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command as config } from '../../src/commands/config.ts';
import { isValid, parseSettings, readSettings, SETTINGS, valuesOf } from '../../src/setup/settings.ts';
import { gits, type Machine, makeMachine } from './support.ts';

const [git] = gits();
if (!git) throw new Error('the tests need git');
let machine: Machine;
beforeEach(() => {
  machine = makeMachine(git);
});
afterEach(() => machine.remove());

const DEFAULTS = {
  shellSeconds: 10,
  transcripts: true,
  conversationUrl: '',
  filters: [],
};

test('set, read, list, unset', async () => {
  const place = { cwd: machine.repo, env: machine.env };
  expect(await readSettings(place)).toEqual(DEFAULTS);
  expect(await machine.run(config, { args: ['agent.shellSeconds', '5'] })).toEqual({ code: 0, out: '', err: '' });
  expect(await machine.run(config, { args: ['transcripts', 'off'], global: true })).toMatchObject({ code: 0 });
  expect(await readSettings(place)).toEqual({ ...DEFAULTS, transcripts: false, shellSeconds: 5 });
  expect((await machine.run(config, { args: ['SHELLSECONDS'] })).out).toBe('5\n');
  const list = (await machine.run(config, { list: true })).out;
  expect(list).toContain('agent.shellSeconds=5\n    default: 10; ');
  for (const { name, meaning } of SETTINGS) {
    expect(list).toContain(`${name}=`);
    expect(list).toContain(`; ${meaning}\n`);
  }
  // nobody should wait for a setting to change what is committed
  expect(list).toMatch(/^agent\.conversationUrl=\n.*; notes that are written keep theirs$/m);
  expect((await machine.run(config, { args: ['shellSeconds'], unset: true })).code).toBe(0);
  expect((await machine.run(config, { args: ['shellSeconds'] })).out).toBe('10\n');
});

test.each([
  [['agent.transcrits'], 'did you mean agent.transcripts?'],
  [['nonsense'], 'there are: agent.shellSeconds, '],
  [['shellSeconds', 'many'], 'agent.shellSeconds cannot be "many": it takes a number (a shell command'],
  [
    ['conversationUrl', 'no placeholders'],
    'agent.conversationUrl cannot be "no placeholders": it takes an address with {session}',
  ],
  [['conversationUrl', 'https://example.com/'], 'it takes an address with {session}'],
  [['transcripts', 'perhaps'], 'agent.transcripts cannot be "perhaps"'],
])('%j is a wrong call', async (args, said) => {
  const answer = await machine.run(config, { args });
  expect(answer).toMatchObject({ code: 2, out: '' });
  expect(answer.err).toContain(said);
});

test('filters that change what is staged: not those that are empty, nor Git LFS', async () => {
  const place = { cwd: machine.repo, env: machine.env };
  for (const name of ['lfs.clean', 'One.two.clean', 'three.process', 'three.clean', 'four.smudge'])
    machine.git('config', `filter.${name}`, 'cat');
  machine.git('config', 'filter.five.clean', '');
  expect((await readSettings(place)).filters).toEqual(['One.two', 'three']);
});

test('a value that makes no sense counts as not said', async () => {
  const nonsense = { transcripts: 'perhaps', shellSeconds: '-1' };
  for (const [name, value] of Object.entries(nonsense)) machine.git('config', `agent.${name}`, value);
  expect(await readSettings({ cwd: machine.repo, env: machine.env })).toEqual(DEFAULTS);
});

test('law: whatever is said, the number of seconds is a whole number', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const { shellSeconds } = parseSettings(new Map([['agent.shellseconds', [value]]]));
      expect(Number.isInteger(shellSeconds) && shellSeconds >= 0).toBe(true);
    }),
  );
});

test('what is offered for a setting can be set', () => {
  for (const setting of SETTINGS)
    for (const value of valuesOf(setting)) expect([value, isValid(setting, value)]).toEqual([value, true]);
});
