import { parseDateFormat } from '../blame/date.ts';
import { alone, groupPrinter } from '../blame/group.ts';
import { printBlameHelp } from '../blame/help.ts';
import { jsonPrinter } from '../blame/json.ts';
import { type Clock, printZone } from '../blame/moment.ts';
import type { BlameRequest } from '../blame/options.ts';
import { porcelainPrinter } from '../blame/porcelain.ts';
import { type Printer, printWhole, type Slice } from '../blame/slices.ts';
import { type TextOptions, textPrinter } from '../blame/text.ts';
import { refuseOddDates } from '../git/dates.ts';
import { diskPath, lookAt } from '../git/disk-path.ts';
import { pathOf } from '../git/paths.ts';
import { findRepository } from '../git/repository.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { linkWith } from '../terminal/hyperlink.ts';
import { type Destination, paged, writeAll } from '../terminal/output.ts';
import { type AskedBlames, askBlames, type LinesQuestion } from './blame-asked.ts';
import { type BegunBlame, beginBlame, type Divided, questionOf } from './blame-begin.ts';
import { blameInTurn, type Told } from './blame-turns.ts';
import type { Command, World } from './command.ts';
import { findHyperlinks } from './hyperlinks.ts';
import { findPager, isOn, readSettings, type Settings } from './settings.ts';
import { tellSkippedNotes } from './skipped-notes.ts';

export const command: Command = {
  name: 'blame',
  summary: 'say of every line of a file who wrote it',
  raw: true,
  configure(sub) {
    sub.usage('[<options>] [<rev>] [--] <file>...');
  },
  run: ({ args, world }) => blame(args, world),
};

/** `begun`: what may have been begun before all of this was loaded. */
export async function blame(
  args: readonly string[],
  world: World,
  begun: BegunBlame = beginBlame(args, world.cwd),
): Promise<number> {
  const { request } = begun;
  if (request.switches.has('help')) return say(world, printBlameHelp());
  if (request.switches.has('version')) return say(world, `git-agent-blame ${world.version}\n`);
  await refuseOddDates({ cwd: world.cwd }, datesIn(request));
  const { revisions, files } = begun.divided ?? (await divide(request.words, world.cwd));
  if (request.switches.has('tui')) {
    const { showView } = await import('./tui.ts');
    return showView(world, { request, files, revisions, clock: clockOf(world) });
  }
  const question = questionOf(begun, { files, revisions });
  const asking = begun.asking ?? askBlames(world.cwd, question);
  try {
    return await tell(world, request, { question, asking });
  } finally {
    // whoever has gone waits for nothing
    await asking.then(
      (asked) => {
        for (const { huge } of asked.files) huge?.stop();
      },
      () => {},
    );
  }
}

interface Asked {
  readonly question: LinesQuestion;
  readonly asking: Promise<AskedBlames>;
}

async function tell(world: World, request: BlameRequest, { question, asking }: Asked): Promise<number> {
  const text = request.form === 'text';
  const [blames, settings, pager] = await Promise.all([
    asking.then((asked) => blameInTurn(world, question, asked)),
    text ? readSettings(world.cwd, '^(blame|color)\\.') : new Map<string, string>(),
    request.form === 'json' || request.switches.has('no-pager') ? undefined : findPager(world),
  ]);
  await tellSkippedNotes(world, { cwd: world.cwd }, blames);
  const hyperlinks = text && (await findHyperlinks(world, { asked: request.hyperlinks, pager }));
  const headed = question.files.length > 1;
  const printer = printerOf(request, { world, abbrev: blames.abbrev, settings, hyperlinks, headed });
  await paged(world.out, pager, async (to) => {
    for await (const file of blames.files) if (!(await write(printer(file), file, to))) return;
  });
  return 0;
}

function write(printer: Printer, file: Told, to: Destination): Promise<boolean> {
  return 'slices' in file ? writeSlices(printer, file.slices, to) : writeAll(printWhole(printer, file), to);
}

async function writeSlices(printer: Printer, slices: AsyncIterable<Slice>, to: Destination): Promise<boolean> {
  let head = printer.begin();
  for await (const slice of slices) {
    if (!(await writeAll(after(head, printer.some(slice)), to))) return false;
    head = '';
  }
  return writeAll([head, printer.end()], to);
}

function* after<T>(first: T, others: Iterable<T>): Generator<T> {
  yield first;
  yield* others;
}

function datesIn({ gitArgs }: BlameRequest): (readonly [string, string])[] {
  return gitArgs.flatMap((word) => {
    const [, option, text] = /^(--(?:since|after|until|before))=(.*)$/s.exec(word) ?? [];
    return option === undefined || text === undefined ? [] : [[option, text] as const];
  });
}

async function say(world: World, text: string): Promise<number> {
  await world.out.write(text);
  return 0;
}

/** Words before the last are revisions until one of them is a file of the work tree. */
async function divide(words: readonly string[], cwd: string): Promise<Divided> {
  // a bare repository has a file HEAD, which nobody blames
  const { worktree } = await findRepository(cwd);
  const isFile = (word: string) => lookAt(diskPath(cwd, pathOf(word)))?.isFile() ?? false;
  const last = words.length - 1;
  const at = worktree === null ? last : words.findIndex((word, i) => i === last || isFile(word));
  return { revisions: words.slice(0, at), files: words.slice(at) };
}

interface Surroundings {
  readonly world: World;
  /** Hex digits that tell the commits apart. */
  readonly abbrev: number;
  readonly settings: Settings;
  readonly hyperlinks: boolean;
  /** There are several files. */
  readonly headed: boolean;
}

function printerOf(request: BlameRequest, around: Surroundings): (file: Told) => Printer {
  switch (request.form) {
    case 'json':
      return (file) => jsonPrinter(file);
    case 'porcelain':
    case 'line-porcelain':
      return () => porcelainPrinter();
    case 'text': {
      const options = { ...textOptions(request, around), headed: around.headed };
      const grouped = request.switches.has('group');
      return (file) => {
        const named = { ...options, path: file.file };
        if (grouped) return groupPrinter('slices' in file ? file.outline : file.lines.map(alone), named);
        return textPrinter('slices' in file ? file.outline.map(({ last }) => last) : file.lines, named);
      };
    }
  }
}

function textOptions(
  request: BlameRequest,
  { world, abbrev, settings, hyperlinks }: Surroundings,
): Omit<TextOptions, 'path' | 'headed'> {
  const { switches } = request;
  const looked = world.out.isTTY || world.env.GIT_PAGER_IN_USE === 'true';
  const { columns } = world.out;
  // a narrow screen has better uses for hours and zones that nobody asked for
  const usual = columns !== undefined && columns < NARROW ? 'short' : 'iso';
  const format = request.date ?? settings.get('blame.date') ?? usual;
  return {
    // one more than needed: the place of a boundary's ^
    abbrev: request.abbrev === 0 ? Number.POSITIVE_INFINITY : (request.abbrev ?? abbrev) + 1,
    date: parseDateFormat(format, clockOf(world), looked),
    paint: paintWith(
      wantsColour({
        asked: request.colour,
        configured: settings.get('color.ui'),
        isTTY: world.out.isTTY,
        env: world.env,
      }),
    ),
    mail: switches.has('mail') || (isOn(settings, 'blame.showemail') && !switches.has('no-mail')),
    short: switches.has('short'),
    blankBoundary: switches.has('blank') || isOn(settings, 'blame.blankboundary'),
    file: switches.has('file'),
    originalNumber: switches.has('number'),
    columns,
    keepDate: request.date !== undefined,
    link: linkWith(hyperlinks),
  };
}

const NARROW = 120;

function clockOf(world: World): Clock {
  return {
    now: Math.floor(world.now() / 1000),
    zoneAt: (seconds) => printZone(-new Date(seconds * 1000).getTimezoneOffset()),
  };
}
