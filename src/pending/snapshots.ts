import { diffTrees, type RawEntry } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import type { RepoPath } from '../git/paths.ts';
import type { ListedFile } from '../git/trees.ts';
import { names, onlyLooks } from '../join/shell.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { mergeCommands, readCommands, type StoredCommand } from '../sessions/commands.ts';
import type { StoredCopy, StoredEdit } from '../sessions/timelines.ts';
import type { Harvest } from './harvest.ts';
import { putAside } from './put-aside.ts';
import { type ChangedText, copiesBy, openTreeLists, type TreeLists } from './sources.ts';
import { readStashes } from './stashed.ts';
import type { Surroundings } from './world.ts';

/** A command that changes more files than this is not taken apart: its lines stay unknown. */
const MAX_FILES = 5000;
/** A larger file made by a command is data, not text that anybody reads line by line. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Commands whose end is news and that have snapshots on both sides: what lies between is an edit of every changed file. The contents go
 * from git's store, where no ref holds them, into ours.
 */
export async function expandSnapshots(world: Surroundings, harvest: Harvest): Promise<void> {
  // not by its id, which may have come to light only now, nor by its time, of which the transcript has another opinion
  const end = ({ worktree, after }: { worktree: string; after?: string | undefined }) => `${worktree}\0${after}`;
  const news = new Set(harvest.commands.filter(({ after, command }) => after && !onlyLooks(command)).map(end));
  const seen = new Set(
    harvest.commands.flatMap(({ worktree, before, after }) =>
      [before, after].map((tree) => end({ worktree, after: tree })),
    ),
  );
  if (seen.size === 0) return;
  const known = mergeCommands([...readCommands(world.store).commands, ...harvest.commands]);
  // what changed while a command only looked is somebody else's
  const whole = known.filter(
    (command) =>
      (command.lent ? seen : news).has(end(command)) && command.before && command.after && !onlyLooks(command.command),
  );
  const pairs = whole.map((command): [string, string] => [command.before ?? '', command.after ?? '']);
  const [differences, aside] = [await diffTrees(world.repository.place, pairs), await putAside(world, whole)];
  const wanted: Change[] = [];
  const away: Change[] = [];
  whole.forEach((command, i) => {
    const entries = differences[i];
    if (!entries || entries.length > MAX_FILES) harvest.commands.push({ ...command, tooMany: true });
    else {
      const named = entries.some(({ path }) => names(command.command, path));
      const unseen = new Set(command.unseen);
      harvest.edits.push(...[...unseen].map((path) => untoldEdit(command, path)));
      const seen = entries.filter(({ path }) => !unseen.has(path));
      wanted.push(...seen.map((entry) => ({ command, entry, named })));
      const changed = new Set(entries.map(({ path }) => path));
      const gone = (aside.get(command) ?? []).filter(({ path }) => !changed.has(path) && !unseen.has(path));
      away.push(...gone.map((entry) => ({ command, entry, named })));
    }
  });
  await keepContents(
    world,
    harvest,
    [...wanted, ...away].flatMap(({ entry: { oldBlob, newBlob } }) => [oldBlob, newBlob]),
  );
  // what came after that stood there no more, like anything that goes: nobody has written that
  for (const { command, entry } of away) harvest.edits.push(editOf(command, entry, harvest.texts));
  const stashes = await readStashes(world, whole, known);
  const stashOf = ({ command, entry }: Change) => stashes(command, entry.path);
  await keepContents(
    world,
    harvest,
    wanted.flatMap((change) => [stashOf(change)?.blob ?? null, stashOf(change)?.over ?? null]),
  );
  const lists = openTreeLists(world);
  const sources = await readMoves(wanted, lists);
  const copies = await readCopies(world, harvest, { wanted, sources, lists });
  for (const change of wanted) {
    const { command, entry, named } = change;
    const [stashed, made] = [stashOf(change), editOf(command, entry, harvest.texts)];
    const edit = stashed ? { ...made, stashed } : made;
    const whole = named && edit.shell ? { ...edit, shell: { ...edit.shell, named } } : edit;
    const movedFrom = sourceOf(sources, command, entry);
    const copied = copies.get(command)?.get(entry.path);
    // moving is not writing
    if (movedFrom !== undefined) harvest.edits.push({ ...whole, before: entry.newBlob, movedFrom });
    else harvest.edits.push(copied?.length ? { ...whole, copies: copied } : whole);
  }
}

interface Change {
  readonly command: StoredCommand;
  readonly entry: RawEntry;
  readonly named: boolean;
}

/** For each command, paths by the blob ids that stood there. */
type Moves = ReadonlyMap<StoredCommand, ReadonlyMap<string, string>>;

function sourceOf(moves: Moves, command: StoredCommand, { oldBlob, newBlob }: RawEntry): string | undefined {
  return oldBlob === null ? moves.get(command)?.get(newBlob ?? '') : undefined;
}

/** Where the contents of files that commands made stood before, by their blob ids. */
async function readMoves(wanted: readonly Change[], lists: TreeLists): Promise<Moves> {
  const made = new Set(wanted.filter(({ entry }) => entry.oldBlob === null).map(({ command }) => command));
  const sources = new Map<StoredCommand, ReadonlyMap<string, string>>();
  for (const command of made) {
    const [before, head] = await Promise.all([lists(command.before), lists(command.head)]);
    const committed = new Set(head.map(({ blob }) => blob));
    const rank = ({ path, blob }: ListedFile) =>
      Number(names(command.command, path)) * 2 + Number(!committed.has(blob));
    // what the command names comes last, and so has the say; else what was not committed yet
    const files = [...before].sort((a, b) => rank(a) - rank(b));
    sources.set(command, new Map(files.map(({ path, blob }) => [blob, path])));
  }
  return sources;
}

/** For each command and path, the lines that the command copied; the texts that they stood in are kept. */
async function readCopies(
  world: Surroundings,
  harvest: Harvest,
  {
    wanted,
    sources,
    lists,
  }: { readonly wanted: readonly Change[]; readonly sources: Moves; readonly lists: TreeLists },
): Promise<Map<StoredCommand, ReadonlyMap<string, StoredCopy[]>>> {
  const open = new Map<StoredCommand, RawEntry[]>();
  for (const { command, entry } of wanted) {
    if (sourceOf(sources, command, entry) !== undefined) continue;
    const entries = open.get(command);
    if (entries) entries.push(entry);
    else open.set(command, [entry]);
  }
  const found = new Map<StoredCommand, ReadonlyMap<string, StoredCopy[]>>();
  for (const [command, entries] of open) {
    const changes = entries.flatMap((entry) => changedText(entry, harvest.texts) ?? []);
    const copies = await copiesBy(world, command, { changes, lists });
    const stored = [...copies].map(([path, list]) => [path, list.map(({ text: _, ...copy }) => copy)] as const);
    found.set(command, new Map(stored));
  }
  const blobs = [...found.values()].flatMap((copies) => [...copies.values()].flat().map(({ blob }) => blob));
  await keepContents(world, harvest, blobs);
  return found;
}

function changedText({ path, oldBlob, newBlob }: RawEntry, texts: Harvest['texts']): ChangedText | undefined {
  const [older, newer] = [oldBlob ? texts.get(oldBlob) : Buffer.alloc(0), texts.get(newBlob ?? '')];
  return older && newer && { path, before: splitBytes(older), after: splitBytes(newer) };
}

async function keepContents(world: Surroundings, harvest: Harvest, blobs: readonly (string | null)[]): Promise<void> {
  const ids = blobs.filter((id) => id !== null && !harvest.texts.has(id)) as string[];
  const objects = await readObjects(world.repository.place, ids, { maxBytes: MAX_BYTES });
  for (const [id, object] of objects) {
    if (object && !isBinary(object.bytes)) harvest.texts.set(id, object.bytes);
  }
}

function editOf(
  command: StoredCommand,
  { path, oldBlob, newBlob }: RawEntry,
  texts: ReadonlyMap<string, Buffer>,
): StoredEdit {
  const has = (id: string | null) => id === null || texts.has(id);
  const untold = untoldEdit(command, path);
  // too large to keep: that it was changed is known all the same
  return has(oldBlob) && has(newBlob) ? { ...untold, kind: 'full', before: oldBlob, after: newBlob } : untold;
}

/** The command may have changed the file, and nothing tells what. */
function untoldEdit(command: StoredCommand, path: RepoPath): StoredEdit {
  return {
    path,
    worktree: command.worktree,
    session: command.session,
    event: command.event,
    tool: command.tool,
    ...(command.model !== undefined && { model: command.model }),
    at: command.to ?? command.from ?? 0,
    source: 'hook',
    kind: 'untold',
    shell: { command: command.command, from: command.from ?? command.to ?? 0 },
  };
}
