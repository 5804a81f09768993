import fs from 'node:fs';
import path from 'node:path';
import { parseDateFormat } from '../blame/date.ts';
import { printBlameHelp } from '../blame/help.ts';
import { printJson } from '../blame/json.ts';
import { type Clock, printZone } from '../blame/moment.ts';
import { type BlameRequest, parseBlameArgs } from '../blame/options.ts';
import { printPorcelain } from '../blame/porcelain.ts';
import { printText, type TextOptions } from '../blame/text.ts';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { paged, writeAll } from '../terminal/output.ts';
import { type Blames, blameLines, type FileBlame } from './blame-lines.ts';
import type { Command, World } from './command.ts';
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

export async function blame(args: readonly string[], world: World): Promise<number> {
  const request = parseBlameArgs(args);
  if (request.switches.has('help')) return say(world, printBlameHelp());
  if (request.switches.has('version')) return say(world, `git-agent-blame ${world.version}\n`);
  const { revisions, files } = await divide(request, world.cwd);
  const text = request.form === 'text';
  const [blames, settings, pager] = await Promise.all([
    blameLines(world, {
      files,
      revisions,
      gitArgs: request.gitArgs,
      contents: request.contents,
      everyHeader: request.form === 'line-porcelain',
    }),
    text ? readSettings(world.cwd, '^(blame|color)\\.') : new Map<string, string>(),
    request.form === 'json' || request.switches.has('no-pager') ? undefined : findPager(world),
  ]);
  if (blames.skipped > 0)
    await world.err.write(`${world.name}: ${blames.skipped} notes are too large or not in this clone.\n`);
  const print = printerOf(request, { world, blames, settings });
  await paged(world.out, pager, async (to) => {
    for (const file of blames.files) if (!(await writeAll(print(file), to))) return;
  });
  return 0;
}

async function say(world: World, text: string): Promise<number> {
  await world.out.write(text);
  return 0;
}

interface Divided {
  readonly revisions: readonly string[];
  readonly files: readonly string[];
}

/** With no `--`, words before the last are revisions until one of them is a file of the work tree. */
async function divide({ words, files }: BlameRequest, cwd: string): Promise<Divided> {
  if (files ? files.length === 0 : words.length === 0) throw noFile();
  if (files) return { revisions: words, files };
  const last = words.length - 1;
  if (last === 0) return { revisions: [], files: words };
  // a bare repository has a file HEAD, which nobody blames
  const { worktree } = await findRepository(cwd);
  const isFile = (word: string) => fs.statSync(path.resolve(cwd, word), { throwIfNoEntry: false })?.isFile() ?? false;
  const at = worktree === null ? last : words.findIndex((word, i) => i === last || isFile(word));
  return { revisions: words.slice(0, at), files: words.slice(at) };
}

function noFile(): Fault {
  return new Fault('usage', 'Name a file: git agent-blame [<options>] [<rev>] [--] <file>...');
}

interface Surroundings {
  readonly world: World;
  readonly blames: Blames;
  readonly settings: Settings;
}

function printerOf(request: BlameRequest, around: Surroundings): (file: FileBlame) => Iterable<string | Uint8Array> {
  switch (request.form) {
    case 'json':
      return (file) => printJson(file.lines, file);
    case 'porcelain':
    case 'line-porcelain':
      return (file) => printPorcelain(file.bytes, file.lines);
    case 'text': {
      const options = textOptions(request, around);
      const headed = around.blames.files.length > 1;
      return (file) => printText(file.lines, { ...options, path: file.file, headed });
    }
  }
}

function textOptions(
  request: BlameRequest,
  { world, blames, settings }: Surroundings,
): Omit<TextOptions, 'path' | 'headed'> {
  const { switches } = request;
  const looked = world.out.isTTY || world.env.GIT_PAGER_IN_USE === 'true';
  const format = request.date ?? settings.get('blame.date') ?? 'iso';
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
  };
}

function clockOf(world: World): Clock {
  return {
    now: Math.floor(world.now() / 1000),
    zoneAt: (seconds) => printZone(-new Date(seconds * 1000).getTimezoneOffset()),
  };
}
