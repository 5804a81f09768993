import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { type Format, type Recognised, recognise } from '../foreign/recognise.ts';
import { writeAll } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { objectIn, partsOf } from './import-parts.ts';
import { NAMES, textOf } from './import-read.ts';
import { readSource, type Source } from './import-source.ts';
import { type JudgeOptions, judgeSource } from './validate-file.ts';
import { unread } from './validate-parts.ts';
import { verdictsText } from './validate-text.ts';
import { type FileVerdict, type PlacedProblem, printVerdictsJson, VERDICT_SCHEMA } from './validate-verdict.ts';

/** What a person may call a file that is too broken to be recognised. */
const KINDS = ['agentlog', 'agent-trace', 'agent_activity', 'vac', 'otlp', 'git-ai', 'agentblame'] as const;

export const command: Command = {
  name: 'validate',
  summary: 'say whether files conform to their format, and which rule they break where',
  configure(sub) {
    sub
      .argument('[file...]', 'files of any known format, - for standard input')
      .addOption(new Option('--as <kind>', 'the format, where it cannot be recognised').choices(KINDS))
      .addOption(
        new Option('--profile <name>', 'of agent_activity.v1: core asks that all nine types occur')
          .choices(['default', 'core'])
          .default('default'),
      )
      .addOption(new Option('--format <name>', 'how to print it').choices(['text', 'json', 'sarif']).default('text'))
      .option('--schema', 'print the JSON Schema of --format json');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  if (options.schema === true) {
    await world.out.write(`${JSON.stringify(VERDICT_SCHEMA, null, 2)}\n`);
    return 0;
  }
  if (args.length === 0) {
    await world.err.write(`${world.name}: name the files to be validated.\n`);
    return 2;
  }
  const profile = options.profile === 'core' ? 'core' : 'default';
  const sources = args.map((name) => readSource(world, name));
  const verdicts: FileVerdict[] = [];
  for (const source of sources) verdicts.push(await judge(world, source, { profile, as: options.as }));
  await print(world, verdicts, options.format);
  return verdicts.every(({ conforms }) => conforms) ? 0 : 1;
}

async function judge(
  world: World,
  source: Source,
  { as, ...options }: JudgeOptions & { as: unknown },
): Promise<FileVerdict> {
  const found = typeof as === 'string' ? { format: formatOf(as, source) } : recogniseAny(source);
  if (found.format !== 'none') {
    if (options.profile === 'core' && found.format !== 'agent-activity')
      throw new Fault('usage', `--profile core is of agent_activity.v1, and ${source.name} is not: leave it out.`);
    const judged = await judgeSource(source, found.format, options);
    const format = found.format === 'otlp' ? 'OTLP/JSON' : NAMES[found.format];
    return { file: source.name, format, ...judged };
  }
  const transcript = await judgeTranscript(world, source);
  if (transcript) return transcript;
  const remarks = [`${found.reason} (tried ${Object.values(NAMES).join(', ')}, and the transcripts of all agents)`];
  return {
    file: source.name,
    format: null,
    rules: null,
    parts: 0,
    conforms: false,
    problems: stopsIn(source),
    remarks,
  };
}

/** What begins like JSON was to be JSON: where it stops being it. */
function stopsIn(source: Source): PlacedProblem[] {
  if (!/^\s*[[{]/.test(source.bytes.subarray(0, 100).toString())) return [];
  const [only, more] = partsOf(textOf(source));
  return only && !more && !objectIn(only.raw) ? [unread('JSON (RFC 8259)', only)] : [];
}

/** Spans are what we print and nobody takes in: only here they are recognised. */
function recogniseAny(source: Source): Recognised | { readonly format: 'otlp' } {
  const found = recognise(source.bytes, source.name);
  if (found.format !== 'none' || source.bytes[0] !== 0x7b) return found;
  const [first] = partsOf(textOf(source));
  return first && Array.isArray(objectIn(first.raw)?.resourceSpans) ? { format: 'otlp' } : found;
}

function formatOf(kind: string, { bytes }: Source): Format | 'otlp' {
  const first = bytes.find((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));
  // behind the tag that says only that it is CBOR
  const inner = bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7 ? bytes[3] : first;
  const binary = inner === 0xd2 || inner === 0x84 ? 'vac-signed' : 'vac-cbor';
  switch (kind) {
    case 'agent-trace':
      return 'agent-trace';
    case 'agent_activity':
      return 'agent-activity';
    case 'vac':
      return first === 0x7b || first === 0x5b ? 'vac-json' : binary;
    case 'otlp':
      return 'otlp';
    case 'git-ai':
      return 'git-ai-note';
    case 'agentblame':
      return 'agentblame-note';
    default:
      return 'agentlog';
  }
}

/** An agent's own file follows no published rules: what is not understood of it is said, and it conforms to none. */
async function judgeTranscript(world: World, { name, file }: Source): Promise<FileVerdict | undefined> {
  if (file === undefined) return undefined;
  const [{ findRepository }, { openDoor }, { findTranscript }] = await Promise.all([
    import('../git/repository.ts'),
    import('./door.ts'),
    import('./import-transcript.ts'),
  ]);
  // decoders ask for the work trees of a repository; without one the file is nobody's
  const repository = await findRepository(world.cwd).catch(() => undefined);
  const found = repository && findTranscript(await openDoor(world, repository), file);
  if (!found) return undefined;
  const rule = `${found.agent.name} transcript`;
  const problems = found.sessions.flatMap(({ skipped }) =>
    Object.entries(skipped).map(([kind, count]) => {
      return { rule, path: '', message: `${count} of the kind ${plain(kind)} not understood`, kind: 'note' as const };
    }),
  );
  const parts = found.sessions.reduce((sum, { events }) => sum + events.length, 0);
  const remarks = ['No rules are published for transcripts: it is read as far as it is known.'];
  return { file: name, format: rule, rules: rule, parts, conforms: true, problems, remarks };
}

async function print(world: World, verdicts: readonly FileVerdict[], format: unknown): Promise<void> {
  if (format === 'json') await world.out.write(printVerdictsJson(verdicts));
  else if (format === 'sarif') {
    const { printVerdictsSarif } = await import('./validate-sarif.ts');
    await world.out.write(printVerdictsSarif(verdicts, world.version));
  } else await writeAll(verdictsText(verdicts), world.out);
}
