import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addConfig, parseConfig, readConfig, setConfig, unsetConfig } from '../../src/git/config.ts';
import { makeRepository } from '../support/repository.ts';

const repository = makeRepository();
const place = { cwd: repository.dir };
afterAll(() => repository.remove());

test('values with line ends, several values, keys without a value', async () => {
  expect(await readConfig(place, 'agent')).toEqual(new Map());
  await setConfig(place, { scope: 'local', key: 'agent.shellSeconds', value: '30' });
  await addConfig(place, { scope: 'local', key: 'agent.List', value: 'a\nb' });
  await addConfig(place, { scope: 'local', key: 'agent.list', value: '-c' });
  await setConfig(place, { scope: 'local', key: 'agentx.no', value: 'x' });
  fs.appendFileSync(path.join(repository.dir, '.git/config'), '[agent]\n\tbare\n');
  expect(await readConfig(place, 'agent')).toEqual(
    new Map([
      ['agent.shellseconds', ['30']],
      ['agent.list', ['a\nb', '-c']],
      ['agent.bare', ['true']],
    ]),
  );
});

test('taking back one value, or all', async () => {
  const key = 'remote.o.fetch';
  for (const value of ['+refs/*:x', '+refs/a:x', '+refs/*:x']) await addConfig(place, { scope: 'local', key, value });
  expect(await unsetConfig(place, { scope: 'local', key, value: '+refs/*:x' })).toBe(true);
  expect(repository.git('config', '--get-all', key)).toBe('+refs/a:x');
  expect(await unsetConfig(place, { scope: 'local', key, value: 'none' })).toBe(false);
  expect(await unsetConfig(place, { scope: 'local', key })).toBe(true);
  expect(await unsetConfig(place, { scope: 'local', key })).toBe(false);
  await setConfig(place, { scope: 'local', key, value: 'one' });
  await setConfig(place, { scope: 'local', key, value: 'two' });
  expect(repository.git('config', '--get-all', key)).toBe('two');
});

test('the global file', async () => {
  const file = path.join(repository.dir, '.gitconfig');
  const global = { ...place, env: { HOME: repository.dir, GIT_CONFIG_GLOBAL: undefined } };
  await setConfig(global, { scope: 'global', key: 'agent.x', value: '1' });
  expect(fs.readFileSync(file, 'utf8')).toMatch(/\[agent\]\n\tx = 1/);
});

test('a broken file is a fault, in the words of git', async () => {
  fs.writeFileSync(path.join(repository.dir, '.gitconfig'), '[agent\n');
  const place2 = { ...place, env: { HOME: repository.dir, GIT_CONFIG_GLOBAL: undefined } };
  await expect(readConfig(place2, 'agent')).rejects.toMatchObject({ code: 'git' });
});

test('keys of objects are nothing special', () => {
  expect(parseConfig('__proto__\nx\0__proto__\ny\0').get('__proto__')).toEqual(['x', 'y']);
});
