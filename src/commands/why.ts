import { jsonLine } from '../blame/json.ts';
import { tellLine } from '../conversation/line.ts';
import { printWhy } from '../conversation/why.ts';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { writeAll } from '../terminal/output.ts';
import { blameLines } from './blame-lines.ts';
import type { Call, Command } from './command.ts';
import { parseLine } from './one-line.ts';
import { openRecorded } from './recorded.ts';
import { readSettings } from './settings.ts';
import { tellSkippedNotes } from './skipped-notes.ts';

export const command: Command = {
  name: 'why',
  summary: 'tell on one screen why a line is there: who wrote it, and what was asked for',
  configure(sub) {
    sub.argument('<file:line>', 'a line of the work tree');
  },
  run,
};

/** A line that is wider is hard to read. */
const WIDTH = { least: 40, usual: 80, most: 100 } as const;

async function run({ args, world }: Call): Promise<number> {
  const named = parseLine(args[0] ?? '');
  if (!named) throw new Fault('usage', 'Name a line: git agent why FILE:LINE');
  const { file, line: number } = named;
  if (number === 0) throw new Fault('usage', 'Lines count from 1.');
  const [repository, { files, abbrev, ...missed }, settings] = await Promise.all([
    findRepository(world.cwd),
    blameLines(world, { files: [file], revisions: [], gitArgs: [`-L${number},${number}`] }),
    readSettings(world.cwd, '^color\\.ui$'),
  ]);
  await tellSkippedNotes(world, repository.place, missed);
  const line = files[0]?.lines[0];
  if (!line) throw new Fault('usage', `${file} has no line ${number}.`);
  const session = line.origin.agent?.session;
  const document = session ? await (await openRecorded(repository, world)).find(session) : undefined;
  const { blamed } = line;
  const told = {
    ...jsonLine(line),
    ...tellLine(line.origin, document),
    // as it was asked for: what is advised is to be typed in the same folder
    file,
    summary: blamed.summary,
    short: blamed.uncommitted ? null : blamed.commit.slice(0, abbrev + 1),
  };
  const configured = settings.get('color.ui');
  const colours = wantsColour({ asked: undefined, configured, isTTY: world.out.isTTY, env: world.env });
  const width = Math.min(Math.max(world.out.columns ?? WIDTH.usual, WIDTH.least), WIDTH.most);
  await writeAll(printWhy(told, { width, rows: world.out.rows, paint: paintWith(colours) }), world.out);
  return 0;
}
