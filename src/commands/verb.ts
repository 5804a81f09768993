import { type Command as CommanderCommand, CommanderError, Command as Program } from 'commander';
import { plainText } from '../terminal/plain.ts';
import type { Command, World } from './command.ts';

const NEWLINES = /\n+$/;

/** A verb is loaded when it is called, so that no verb pays for another one's packages. */
export interface Verb {
  readonly name: string;
  load(): Promise<Command>;
}

/** `git agent VERB ...`: only the verb that is called is loaded; the help needs them all. */
export async function callVerb(verbs: readonly Verb[], args: readonly string[], world: World): Promise<number> {
  const called = verbs.find(({ name }) => name === args[0]);
  const commands = await Promise.all((called ? [called] : verbs).map((one) => one.load()));
  const [only] = commands;
  if (called && only?.raw) return only.run({ args: args.slice(1), options: {}, world });
  return runCommander(commands, args, world);
}

/** Commander drops the `--` that tells revisions from paths. */
function dividePaths(commands: readonly Command[], args: readonly string[]) {
  const at = commands.length === 1 && commands[0]?.takesPaths ? args.indexOf('--') : -1;
  return at === -1 ? { words: args, paths: undefined } : { words: args.slice(0, at), paths: args.slice(at + 1) };
}

/** Commander takes whatever word comes next for the value. */
function attachValues([only, ...others]: readonly Command[], words: readonly string[]): string[] {
  const optional = (others.length === 0 && only?.optional) || {};
  return words.map((word, i) => {
    const values = Object.hasOwn(optional, word) ? optional[word] : undefined;
    return values && !values.includes(words[i + 1] ?? '') ? `${word}=${values[0]}` : word;
  });
}

async function runCommander(commands: readonly Command[], args: readonly string[], world: World): Promise<number> {
  const { words, paths } = dividePaths(commands, args);
  let code = 0;
  const said: Promise<unknown>[] = [];
  const program = prepare(new Program('git agent'), world, said)
    .description('Says of every line which agent, which model and which conversation wrote it.')
    .version(world.version, '--version')
    .helpCommand(false);
  for (const command of commands) {
    const sub = prepare(program.command(command.name, command.hidden ? { hidden: true } : {}), world, said);
    command.configure(sub.summary(command.summary).description(command.summary));
    sub.action(async () => {
      code = await command.run({ args: sub.args, options: sub.opts(), world, paths });
    });
  }
  try {
    if (args.length === 0) program.help({ error: true });
    await program.parseAsync(attachValues(commands, words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode === 0 ? 0 : 2;
  }
  await Promise.all(said);
  return code;
}

function prepare(command: CommanderCommand, world: World, said: Promise<unknown>[]): CommanderCommand {
  return command
    .helpOption('-h, --help', 'this help')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void said.push(world.out.write(text)),
      writeErr: (text) => void said.push(world.err.write(text)),
      outputError: (text, write) => write(`${world.name}: ${plainText(oneSentence(text, command))}\n`),
      getOutHelpWidth: () => world.out.columns ?? 80,
    });
}

/** error: unknown command 'blam'\n(Did you mean blame?) -> one line in our own form. */
function oneSentence(text: string, command: CommanderCommand): string {
  const words = text
    .replace(/^error: /, '')
    .replace(NEWLINES, '')
    .replaceAll('\n', ' ');
  // what may be said is said already
  if (/Did you mean|Allowed choices/.test(words)) return words;
  const [whole, what] = command.parent ? [`git agent ${command.name()}`, 'how to call it'] : ['git agent', 'the verbs'];
  return `${words.replace(/\.$/, '')}: ${whole} -h shows ${what}.`;
}
