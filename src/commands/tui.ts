import path from 'node:path';
import type { AnnotatedLine } from '../blame/annotate.ts';
import { parseDateFormat } from '../blame/date.ts';
import { jsonLine } from '../blame/json.ts';
import type { Clock } from '../blame/moment.ts';
import type { BlameRequest } from '../blame/options.ts';
import { tellLine } from '../conversation/line.ts';
import { Fault } from '../fault.ts';
import { readObjects } from '../git/objects.ts';
import { nameOf, onBytes, type RepoPath } from '../git/paths.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { diffLines } from '../lines/diff.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import type { Before, ShownFile, Source } from '../tui/source.ts';
import { blameLines } from './blame-lines.ts';
import type { World } from './command.ts';
import { openRecorded, type Recorded } from './recorded.ts';
import { verifySeals } from './seals.ts';
import { readSettings } from './settings.ts';
import { readShares } from './shares.ts';

export interface ViewQuestion {
  readonly request: BlameRequest;
  readonly files: readonly string[];
  readonly revisions: readonly string[];
  readonly clock: Clock;
}

/** The full-screen view of one file, until the person leaves it. */
export async function showView(world: World, { request, files, revisions, clock }: ViewQuestion): Promise<number> {
  const [name, ...others] = files;
  if (name === undefined || others.length > 0)
    throw new Fault('usage', 'The full-screen view takes one file; its key o lists the others.');
  const { stdin, stdout } = process;
  if (!world.out.isTTY || !stdin.isTTY || world.env.TERM === 'dumb')
    throw new Fault('surroundings', `The full-screen view needs a terminal; git agent-blame ${name} prints the same.`);
  const { gitArgs, contents } = request;
  const [repository, settings, first] = await Promise.all([
    findRepository(world.cwd),
    readSettings(world.cwd, '^color\\.'),
    readFile(world, { files, revisions, gitArgs, contents }),
  ]);
  const configured = settings.get('color.ui');
  const paint = paintWith(wantsColour({ asked: request.colour, configured, isTTY: true, env: world.env }));
  const date = parseDateFormat(request.date ?? 'short', clock, true);
  const source = sourceOf(world, repository, gitArgs.filter(isForAnyFile));
  // Ink takes DEV=true for a wish to debug it, with a package that is not there
  delete process.env.DEV;
  const { openView } = await import('../tui/open.ts');
  await openView({ source, file: first, looks: { paint, date }, stdin, stdout });
  return 0;
}

/** Lines and contents were named for the first file alone. */
function isForAnyFile(option: string): boolean {
  return !/^(-L|--contents)/.test(option);
}

async function readFile(world: World, question: Parameters<typeof blameLines>[1]): Promise<ShownFile> {
  const { files, abbrev, skipped, unread } = await blameLines(world, question);
  const [file] = files;
  if (!file) throw new Fault('bug', 'a blame without its file');
  return { path: file.file, revision: file.revision, lines: file.lines, abbrev, skipped: skipped + unread.length };
}

/** What the view asks for, from the repository. */
export function sourceOf(world: World, repository: Repository, gitArgs: readonly string[]): Source {
  let recorded: Promise<Recorded> | undefined;
  const seals = new Map<string, ReturnType<typeof verifySeals>>();
  const file = (name: string, revision: string | null) =>
    readFile(world, {
      files: [fromHere(repository, name)],
      revisions: revision === null ? [] : [revision],
      gitArgs,
    });
  return {
    file,
    async before(shown, { blamed }) {
      const { previous } = blamed;
      if (!previous) return undefined;
      const [before, line] = await Promise.all([
        file(previous.file, previous.commit),
        placeBefore(repository, shown, blamed),
      ]);
      return { file: before, line } satisfies Before;
    },
    async story(shown, line) {
      const { agent } = line.origin;
      recorded ??= openRecorded(repository, world);
      const document = agent?.session ? await (await recorded).find(agent.session) : undefined;
      return {
        file: shown.path,
        ...jsonLine(line),
        ...tellLine(line.origin, document),
        summary: line.blamed.uncommitted ? null : line.blamed.summary,
        seal: await sealOf(line, (commit) => {
          const known = seals.get(commit) ?? verifySeals(world, [commit]);
          seals.set(commit, known);
          return known;
        }),
      };
    },
    shares: (revision, hearer) => readShares({ world, repository, revision }, hearer),
  };
}

/** Git's name of a file as a person in the current folder would say it. */
function fromHere({ prefix }: Repository, name: RepoPath): string {
  const from = Buffer.from(prefix).toString('latin1');
  return nameOf(onBytes(name, (bytes) => path.posix.relative(from, bytes)));
}

/** More than anybody reads line by line. */
const MOST_BYTES = 16 << 20;

/** Where in the parent's file the line came to stand: after the last line above it that was there already. */
async function placeBefore({ place }: Repository, shown: ShownFile, line: AnnotatedLine['blamed']): Promise<number> {
  const { previous, commit, originalFile, originalLine, uncommitted } = line;
  const names = [`${previous?.commit}:${previous?.file}`, `${commit}:${originalFile}`];
  // a line feed would end the question to git
  if (names.some((name) => /[\n"]/.test(name))) return originalLine;
  const found = await readObjects(place, uncommitted ? names.slice(0, 1) : names, { maxBytes: MOST_BYTES });
  const [older, newer] = names.map((name): Lines | undefined => {
    const bytes = found.get(name)?.bytes;
    return bytes && splitBytes(bytes);
  });
  const now = uncommitted ? shown.lines.map(({ blamed }) => blamed.text) : newer;
  if (!older || !now) return originalLine;
  const at = uncommitted ? shown.lines.findIndex(({ blamed }) => blamed.line === line.line) : originalLine - 1;
  const above = diffLines(older, now)
    .slice(0, at)
    .findLast((from) => from >= 0);
  return above === undefined ? 1 : above + 2;
}

type Verify = (commit: string) => ReturnType<typeof verifySeals>;

/** What the seal of the line's record proves; nothing is said of records that were found in another commit's note. */
async function sealOf({ blamed, trace, via }: AnnotatedLine, verify: Verify): Promise<string | null> {
  if (!trace || via !== 'note') return null;
  const { notes } = await verify(blamed.commit);
  const found = notes.get(blamed.commit)?.records.find(({ record }) => record.id === trace);
  if (!found) return null;
  const [verdict] = found.verdicts;
  const why = verdict?.reasons[0];
  if (found.state === 'sealed') return `sealed by ${verdict?.proven?.principal ?? 'somebody'}`;
  return why ? `${found.state}: ${why.message}` : found.state;
}
