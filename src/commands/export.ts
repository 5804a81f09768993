import path from 'node:path';
import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { escaped } from '../json.ts';
import { writeNamed } from '../sessions/disk.ts';
import { writeAll } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { runsCsv } from './export-csv.ts';
import { type Printed, printSessions, SESSION_FORMATS, type SessionFormat } from './export-print.ts';
import { tellSessions } from './export-sessions.ts';
import {
  type Archive,
  findSubject,
  openArchive,
  readSessionRecords,
  readStanding,
  type Subject,
} from './export-subject.ts';
import { surveyRange } from './survey.ts';

const FORMATS = ['agent-trace', ...SESSION_FORMATS, 'csv'] as const;
type Format = (typeof FORMATS)[number];

export const command: Command = {
  name: 'export',
  summary: 'print sessions or trace records in an open format',
  configure(sub) {
    sub
      .argument('[what]', 'a session, a commit, or commits as git log takes them; without it all that HEAD reaches')
      .addOption(new Option('--format <name>', 'agentlog for a session, else agent-trace').choices(FORMATS))
      .option('-o, --output <file>', 'write to a file')
      .option('--content', 'otlp: also what tools were given and gave back')
      .option('--endpoint <url>', 'otlp: send it to a collector (headers from OTEL_EXPORTER_OTLP_HEADERS)');
  },
  run,
};

async function run({ args: [what], options, world }: Call): Promise<number> {
  const endpoint = typeof options.endpoint === 'string' ? options.endpoint : undefined;
  const output = typeof options.output === 'string' ? options.output : undefined;
  const asked = options.format as Format | undefined;
  if (endpoint !== undefined && asked !== 'otlp') throw new Fault('usage', '--endpoint goes with --format otlp.');
  if (endpoint !== undefined && output !== undefined) throw new Fault('usage', 'Choose --endpoint or --output.');
  const archive = await openArchive(world);
  const subject = await findSubject(world, archive, what);
  const format = asked ?? (subject.kind === 'session' ? 'agentlog' : 'agent-trace');
  const { pieces, remarks } = await printAs(format, { world, archive, subject, content: options.content === true });
  if (format === 'vac-cbor' && output === undefined && world.out.isTTY)
    throw new Fault('usage', 'CBOR is not for a terminal: write it to a file with --output.');
  const refused = await deliver(world, pieces, { endpoint, output });
  for (const remark of [...remarks, ...(refused ? [refused] : [])])
    await world.err.write(`${world.name}: ${plain(remark)}.\n`);
  archive.pending.wake();
  return refused ? 1 : 0;
}

interface Delivery {
  readonly endpoint: string | undefined;
  readonly output: string | undefined;
}

async function deliver(
  world: World,
  pieces: Printed['pieces'],
  { endpoint, output }: Delivery,
): Promise<string | undefined> {
  const whole = () => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  if (endpoint !== undefined) return (await import('./export-otlp.ts')).sendTraces(world, endpoint, `${whole()}`);
  // seals are of the bytes that notes have: only what nobody can take further is changed
  if (output === undefined) await writeAll(world.out.isTTY ? pieces.map(shown) : pieces, world.out);
  else writeNamed(path.resolve(world.cwd, output), whole());
  return undefined;
}

const shown = (piece: string | Uint8Array) => (typeof piece === 'string' ? escaped(piece) : piece);

interface Printing {
  readonly world: World;
  readonly archive: Archive;
  readonly subject: Subject;
  readonly content: boolean;
}

async function printAs(format: Format, { world, archive, subject, content }: Printing): Promise<Printed> {
  if (format === 'agent-trace') return printTrace(archive, subject);
  if (format === 'csv') return { pieces: [...runsCsv(await runsOf(world, archive, subject))], remarks: [] };
  return printTold({ world, archive, subject, content }, format);
}

/** Records go out as their notes have them. */
async function printTrace(archive: Archive, subject: Subject): Promise<Printed> {
  const records =
    subject.kind === 'session'
      ? await readSessionRecords(archive, subject.document)
      : await readStanding(archive, subject.commits);
  const told = new Set(records.map(({ commit }) => commit));
  const bare = subject.kind === 'range' ? subject.commits.filter((commit) => !told.has(commit)).length : 0;
  const remark = `${bare} of the commits have no record of their own; git agent reanchor writes those of rewritten ones`;
  return { pieces: records.map(({ raw }) => `${raw}\n`), remarks: bare > 0 ? [remark] : [] };
}

async function printTold({ world, archive, subject, content }: Printing, format: SessionFormat): Promise<Printed> {
  const { sessions, missing } = await tellSessions(archive, subject);
  const { pieces: printed, remarks } = await printSessions(sessions, format, { world, content });
  const pieces = printed.map(shown);
  const lacking = `${missing.length} sessions that lines name are not recorded in this clone`;
  return { pieces, remarks: [...remarks, ...(missing.length > 0 ? [lacking] : [])] };
}

async function runsOf(world: World, archive: Archive, subject: Subject) {
  const session = subject.kind === 'session' ? subject.document.id : undefined;
  const records = subject.kind === 'session' ? await readSessionRecords(archive, subject.document) : [];
  const commits = subject.kind === 'range' ? subject.commits : [...new Set(records.map(({ commit }) => commit))];
  const range = subject.kind === 'range' ? subject.range : subject.document.id;
  const { runs } = await surveyRange(world, archive.repository, {
    range,
    commits,
    excluder: async () => () => undefined,
  });
  return session === undefined ? runs : runs.filter(({ origin }) => origin.agent?.session === session);
}
