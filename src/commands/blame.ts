import fs from 'node:fs';
import { parseDateFormat } from '../blame/date.ts';
import { printGroups } from '../blame/group.ts';
import { printBlameHelp } from '../blame/help.ts';
import { printJson } from '../blame/json.ts';
import { type Clock, printZone } from '../blame/moment.ts';
import type { BlameRequest } from '../blame/options.ts';
import { printPorcelain } from '../blame/porcelain.ts';
import { printText, type TextOptions } from '../blame/text.ts';
import { refuseOddDates } from '../git/dates.ts';
import { diskPath, pathOf } from '../git/paths.ts';
import { findRepository } from '../git/repository.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { linkWith } from '../terminal/hyperlink.ts';
import { paged, writeAll } from '../terminal/output.ts';
import { type BegunBlame, beginBlame, type Divided, questionOf } from './blame-begin.ts';
import { type Blames, blameLines, type FileBlame } from './blame-lines.ts';
import type { Command, World } from './command.ts';
import { findHyperlinks } from './hyperlinks.ts';
import { findPager, isOn, readSettings, type Settings } from './settings.ts';

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
  const text = request.form === 'text';
  const [blames, settings, pager] = await Promise.all([
    blameLines(world, questionOf(request, { files, revisions }), begun.asking),
    text ? readSettings(world.cwd, '^(blame|color)\\.') : new Map<string, string>(),
    request.form === 'json' || request.switches.has('no-pager') ? undefined : findPager(world),
  ]);
  if (blames.skipped > 0)
    await world.err.write(
      `${world.name}: ${blames.skipped} notes are too large or not in this clone: git agent fetch gets them.\n`,
    );
  const hyperlinks = text && (await findHyperlinks(world, { asked: request.hyperlinks, pager }));
  const print = printerOf(request, { world, blames, settings, hyperlinks });
  await paged(world.out, pager, async (to) => {
    for (const file of blames.files) if (!(await writeAll(print(file), to))) return;
  });
  return 0;
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
  const isFile = (word: string) =>
    fs.statSync(diskPath(cwd, pathOf(word)), { throwIfNoEntry: false })?.isFile() ?? false;
  const last = words.length - 1;
  const at = worktree === null ? last : words.findIndex((word, i) => i === last || isFile(word));
  return { revisions: words.slice(0, at), files: words.slice(at) };
}

interface Surroundings {
  readonly world: World;
  readonly blames: Blames;
  readonly settings: Settings;
  readonly hyperlinks: boolean;
}

function printerOf(request: BlameRequest, around: Surroundings): (file: FileBlame) => Iterable<string | Uint8Array> {
  switch (request.form) {
    case 'json':
      return (file) => printJson(file.lines, file);
    case 'porcelain':
    case 'line-porcelain':
      return (file) => printPorcelain(file.printed, file.lines);
    case 'text': {
      const options = textOptions(request, around);
      const headed = around.blames.files.length > 1;
      const print = request.switches.has('group') ? printGroups : printText;
      return (file) => print(file.lines, { ...options, path: file.file, headed });
    }
  }
}

function textOptions(
  request: BlameRequest,
  { world, blames, settings, hyperlinks }: Surroundings,
): Omit<TextOptions, 'path' | 'headed'> {
  const { switches } = request;
  const looked = world.out.isTTY || world.env.GIT_PAGER_IN_USE === 'true';
  const { columns } = world.out;
  // a narrow screen has better uses for hours and zones that nobody asked for
  const usual = columns !== undefined && columns < NARROW ? 'short' : 'iso';
  const format = request.date ?? settings.get('blame.date') ?? usual;
  return {
    // one more than needed: the place of a boundary's ^
    abbrev: request.abbrev === 0 ? Number.POSITIVE_INFINITY : (request.abbrev ?? blames.abbrev) + 1,
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
