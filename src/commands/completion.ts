import { Command as Program } from 'commander';
import { BLAME_OPTIONS } from '../blame/options.ts';
import { AGENTS } from '../capture/index.ts';
import { Fault } from '../fault.ts';
import { DIMENSIONS } from '../report/report.ts';
import { SETTINGS, valuesOf } from '../setup/settings.ts';
import type { Command } from './command.ts';
import {
  type Next,
  type OptionWords,
  printBash,
  printFish,
  printZsh,
  type Values,
  type VerbWords,
} from './completion-scripts.ts';
import { VERBS } from './index.ts';

const TAKE_FILES = new Set(['show', 'why', 'log', 'diff', 'import', 'validate', 'seal', 'verify']);

const SHELLS = ['bash', 'zsh', 'fish'];
const WHEN = ['always', 'auto', 'never'];
const DATES = ['default', 'human', 'iso', 'raw', 'relative', 'rfc', 'short', 'unix'];

/** What can stand after an option, where its declaration does not say, and after a verb. */
const VALUES: ReadonlyMap<string, Values> = new Map<string, Values>([
  ['blame --color', WHEN],
  ['blame --hyperlinks', WHEN],
  ['log --color', WHEN],
  ['diff --color', WHEN],
  ['log --decorate', ['short', 'full', 'auto', 'no']],
  ['blame --date', DATES],
  ['log --date', DATES],
  ['report --by', DIMENSIONS],
  ['init --agents', ['all', 'none', ...AGENTS.map(({ name }) => name)]],
  ['forget --remote', 'remotes'],
  ['config', SETTINGS.map(({ name }) => name)],
  ['completion', SHELLS],
  ...['push', 'fetch', 'sync'].map((name) => [name, 'remotes'] as const),
  ...['share', 'forget', 'show', 'export'].map((name) => [name, 'sessions'] as const),
]);

/** What can stand after what stands after a verb. */
const NEXT: ReadonlyMap<string, Next> = new Map([
  ['config', SETTINGS.map((setting) => ({ name: setting.name, values: valuesOf(setting) }))],
]);

function withValues(verb: string, name: string, help: string, choices?: readonly string[]): OptionWords {
  const values = choices ?? VALUES.get(`${verb} ${name}`);
  return { name, help, ...(values && { values }) };
}

const PRINTERS = new Map([
  ['bash', printBash],
  ['zsh', printZsh],
  ['fish', printFish],
]);

export const command: Command = {
  name: 'completion',
  summary: 'print the completion script for bash, zsh or fish',
  configure(sub) {
    sub.argument('<shell>', 'bash, zsh or fish').addHelpText(
      'after',
      `
In bash:  source <(git agent completion bash), after git's own completion
In zsh:   git agent completion zsh | tee _git-agent > _git-agent-blame, in a folder of $fpath
In fish:  git agent completion fish > ~/.config/fish/conf.d/git-agent.fish`,
    );
  },
  async run({ args, world }) {
    const print = PRINTERS.get(args[0] ?? '');
    if (!print) throw new Fault('usage', `There is no completion for ${args[0]}: name bash, zsh or fish.`);
    await world.out.write(print(await readVerbs()));
    return 0;
  },
};

/** The verbs and their options, from the same table that the program is made of. */
async function readVerbs(): Promise<VerbWords[]> {
  const commands = await Promise.all(VERBS.map((verb) => verb.load()));
  return commands.filter(({ hidden }) => !hidden).map(wordsOf);
}

function wordsOf(verb: Command): VerbWords {
  const { name, summary } = verb;
  if (verb.raw)
    return {
      name,
      summary,
      files: true,
      options: BLAME_OPTIONS.flatMap(({ names, help }) => names.map((option) => withValues(name, option, help))),
    };
  const sub = new Program(name);
  verb.configure(sub);
  const options = sub.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ short, long, description, argChoices }) =>
      [short, long].flatMap((option) => (option ? [withValues(name, option, description, argChoices)] : [])),
    );
  const [values, next] = [VALUES.get(name), NEXT.get(name)];
  return {
    name,
    summary,
    files: TAKE_FILES.has(name),
    options: [...options, { name: '--help', help: 'this help' }],
    ...(values && { values }),
    ...(next && { next: next.filter((one) => one.values.length > 0) }),
  };
}
