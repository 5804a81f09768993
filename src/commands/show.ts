import { jsonLine } from '../blame/json.ts';
import { readNote } from '../blame/records.ts';
import { parseAddress } from '../conversation/address.ts';
import { tellCommit } from '../conversation/commit.ts';
import { tellLine } from '../conversation/line.ts';
import { printSession } from '../conversation/print.ts';
import { printCommitStory, printLineStory } from '../conversation/print-story.ts';
import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { readSettings } from '../setup/settings.ts';
import { hasOwnWords } from '../trace/own.ts';
import { soundnessOf } from '../trace/parse.ts';
import { blameLines } from './blame-lines.ts';
import type { Call, Command, World } from './command.ts';
import { parseLine } from './one-line.ts';
import { showPage } from './page.ts';
import { pendingView } from './pending-view.ts';
import { FETCH_HINT, notRecorded, openRecorded } from './recorded.ts';
import { tellSkippedNotes } from './skipped-notes.ts';

export const command: Command = {
  name: 'show',
  summary: 'show a conversation, what is known of a commit, or what made a line',
  configure(sub) {
    sub
      .argument('<what>', 'SESSION, COMMIT, the address of a conversation, or FILE:LINE')
      .option('--contents <file>', 'of FILE:LINE: the line is one of these contents, - for standard input')
      .option('--json', 'one JSON document');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  const what = args[0] ?? '';
  const repository = await findRepository(world.cwd);
  const contents = typeof options.contents === 'string' ? options.contents : undefined;
  const request: Request = { what, repository, world, json: options.json === true, contents };
  const { conversationUrl } = await readSettings(repository.place);
  const url = parseAddress(what, conversationUrl);
  if (url) return showSession(request, url.session);
  const named = parseLine(what);
  if (named) return showLine(request, named.file, named.line);
  const recorded = await openRecorded(repository, world);
  const first = await recorded.findFirst(what);
  if (first) return showSession(request, first.id);
  // what git knows goes before what a colleague's session is called
  const commit = await findCommit(repository, what);
  if (commit) return showCommit(request, commit);
  const session = await recorded.guess(what);
  if (session) return showSession(request, session.id);
  const words = `${what} is no session, no commit, no agentlog: address and no FILE:LINE`;
  throw new Fault('usage', `${words}; git agent sessions lists what is recorded${FETCH_HINT}.`);
}

async function findCommit({ place }: Repository, what: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${what}^{commit}`];
  return (await askGit(place, args)).out.toString('latin1').trim() || undefined;
}

interface Request {
  readonly what: string;
  readonly repository: Repository;
  readonly world: World;
  readonly json: boolean;
  readonly contents: string | undefined;
}

async function showSession({ repository, world, json }: Request, id: string): Promise<number> {
  const document = await (await openRecorded(repository, world)).guess(id);
  if (!document) throw notRecorded(id, FETCH_HINT);
  if (json) await world.out.write(`${JSON.stringify(document)}\n`);
  else await showPage(world, (page) => printSession(document, page));
  return 0;
}

async function showLine({ repository, world, json, contents }: Request, file: string, number: number): Promise<number> {
  const gitArgs = [`-L${number},${number}`, ...(contents === undefined ? [] : [`--contents=${contents}`])];
  const { files, ...missed } = await blameLines(world, { files: [file], revisions: [], gitArgs, contents });
  await tellSkippedNotes(world, repository.place, missed);
  const line = files[0]?.lines[0];
  if (!line) throw new Fault('usage', `${file} has no line ${number}.`);
  const { agent } = line.origin;
  const document = agent?.session ? await (await openRecorded(repository, world)).find(agent.session) : undefined;
  const story = tellLine(line.origin, document);
  const told = { schema: 'git-agent-blame/line@1', file: files[0]?.file ?? file, ...jsonLine(line), ...story };
  if (json) await world.out.write(`${JSON.stringify(told)}\n`);
  else await showPage(world, (page) => printLineStory(told, page));
  return 0;
}

async function showCommit({ repository, world, json }: Request, commit: string): Promise<number> {
  const { place } = repository;
  const [{ trace }, pending, { out: parents }] = await Promise.all([
    readNoteRefs(place),
    pendingView(repository, world),
    askGit(place, ['rev-parse', '--revs-only', `${commit}^@`]),
  ]);
  const [{ notes, skipped, unread }, due] = await Promise.all([
    readNotes(place, trace, [commit]),
    pending.records([commit]),
  ]);
  const [lines = []] = notes.values();
  const unsound = soundnessOf(lines, hasOwnWords(lines, commit)) === 'whole' ? 0 : 1;
  await tellSkippedNotes(world, place, { skipped: skipped + unsound, unread });
  const records = readNote(commit, {
    lines: (id) => [...lines, ...(due.get(id) ?? [])],
    parents: () => parents.toString('latin1').split('\n').filter(Boolean),
  });
  const told = { schema: 'git-agent-blame/commit@1', commit, ...tellCommit(records) };
  if (json) await world.out.write(`${JSON.stringify(told)}\n`);
  else await showPage(world, (page) => printCommitStory(told, page));
  pending.wake();
  return 0;
}
