import { Fault } from '../fault.ts';
import { readConfig, setConfig, unsetConfig } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import { findSetting, isValid, SETTINGS } from '../setup/settings.ts';
import type { Call, Command } from './command.ts';

export const command: Command = {
  name: 'config',
  summary: 'list, read and change the settings',
  configure(command) {
    command
      .argument('[name]', 'the setting, for example agent.capture')
      .argument('[value]', 'its new value')
      .option('-l, --list', 'all settings with their values, defaults and meaning')
      .option('--unset', 'go back to the default')
      .option('--global', 'for all repositories of this user');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  const place: GitPlace = { cwd: world.cwd, env: world.env };
  const [name, value] = args;
  if (name === undefined || options.list === true) {
    if (name !== undefined) throw new Fault('usage', 'config --list takes no name.');
    await world.out.write(await printList(place));
    return 0;
  }
  const setting = findSetting(name);
  const scope = options.global === true ? 'global' : 'local';
  if (options.unset === true) {
    if (value !== undefined) throw new Fault('usage', 'config --unset takes a name and no value.');
    return (await unsetConfig(place, { scope, key: setting.name })) ? 0 : 1;
  }
  if (value === undefined) {
    await world.out.write(`${(await readValue(place, setting.name)) ?? setting.default}\n`);
    return 0;
  }
  if (!isValid(setting, value)) {
    throw new Fault('usage', `${setting.name} cannot be "${value}": it takes ${setting.kind} (${setting.meaning}).`);
  }
  await setConfig(place, { scope, key: setting.name, value });
  return 0;
}

async function readValue(place: GitPlace, name: string): Promise<string | undefined> {
  return (await readConfig(place, 'agent')).get(name.toLowerCase())?.at(-1);
}

/** A table for people: the name and its value as git would print them, then what is known about it. */
async function printList(place: GitPlace): Promise<string> {
  const values = await readConfig(place, 'agent');
  return SETTINGS.map((setting) => {
    const value = values.get(setting.name.toLowerCase())?.at(-1) ?? setting.default;
    return `${setting.name}=${value}\n    default: ${setting.default || '(empty)'}; ${setting.meaning}\n`;
  }).join('');
}
