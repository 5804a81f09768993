import fs from 'node:fs';
import path from 'node:path';
import { summarise } from '../blame/annotate.ts';
import { SCHEMA as BLAME, jsonLine } from '../blame/json.ts';
import { tellLine } from '../conversation/line.ts';
import { printLineStory } from '../conversation/print-story.ts';
import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { capped, type Limits } from '../mcp/capped.ts';
import { printBlame, printHits, short } from '../mcp/text.ts';
import type { Arguments, Told } from '../mcp/tool.ts';
import type { Sources } from '../mcp/tools.ts';
import { paintWith } from '../terminal/colour.ts';
import { conversationUrl } from '../trace/conversation.ts';
import { blameLines, type FileBlame } from './blame-lines.ts';
import type { World } from './command.ts';
import { reportTold } from './mcp-report.ts';
import { openRecorded, searchAll } from './recorded.ts';
import { commitOf } from './standing.ts';

/** Lines of one answer: every one of them is some hundred characters of data. */
const MOST_LINES = 100;
const LINE_LIMITS = { string: 500, items: MOST_LINES, total: 200_000 } as const;
const STORY_LIMITS = { string: 4000, items: 50, total: 40_000 } as const;
const USUAL_HITS = 10;
const PAGE = { width: 100, paint: paintWith(false) };

/** The answers to the tools, from the repository around the folder that the server was started in. */
export function sourcesIn(world: World): Sources {
  const asked = (tell: (place: Asked, said: Arguments) => Promise<Told>) => async (said: Arguments) => {
    const repository = await findRepository(world.cwd);
    const top: World = { ...world, cwd: repository.worktree ?? repository.gitDir };
    return tell({ world: top, repository, prefix: repository.prefix }, said);
  };
  return {
    blame: asked(tellBlame),
    why: asked(tellWhy),
    searchConversations: asked(tellHits),
    report: asked(({ world: top, repository }, said) => reportTold(top, repository, said)),
  };
}

interface Asked {
  /** At the top of the repository. */
  readonly world: World;
  readonly repository: Repository;
  /** The folder that the server was started in, from the top. */
  readonly prefix: string;
}

async function tellBlame(place: Asked, said: Arguments): Promise<Told> {
  const [from, to] = [said.start_line, said.end_line];
  if (typeof from === 'number' && typeof to === 'number' && to < from)
    throw new Fault('usage', 'end_line comes before start_line.');
  const gitArgs = from === undefined && to === undefined ? [] : [`-L${from ?? 1},${to ?? ''}`];
  const { file, revision, lines } = await blamed(place, said, gitArgs);
  const told = lines.slice(0, MOST_LINES).map(jsonLine);
  const left = lines.length - told.length;
  const summary = summarise(lines);
  const data = { schema: BLAME, file, revision, lines: told, summary, ...(left > 0 && { leftOut: left }) };
  return { text: short(printBlame({ file, lines: told, summary, left })), structured: within(LINE_LIMITS, data) };
}

async function tellWhy(place: Asked, said: Arguments): Promise<Told> {
  const { file, lines } = await blamed(place, said, [`-L${said.line},${said.line}`]);
  const [line] = lines;
  if (!line) throw new Fault('usage', `${file} has no line ${said.line}.`);
  const session = line.origin.agent?.session;
  const document = session ? await (await openRecorded(place.repository, place.world)).find(session) : undefined;
  const told = { schema: 'git-agent-blame/line@1', file, ...jsonLine(line), ...tellLine(line.origin, document) };
  return { text: short([...printLineStory(told, PAGE)].join('')), structured: within(STORY_LIMITS, told) };
}

async function tellHits({ world, repository }: Asked, { query, limit }: Arguments): Promise<Told> {
  const words = String(query);
  const most = typeof limit === 'number' ? limit : USUAL_HITS;
  const found = searchAll(await (await openRecorded(repository, world)).listAll(), { words, most });
  const hits = found.hits.map((hit) => ({ ...hit, conversation: conversationUrl(hit) }));
  const data = { schema: 'git-agent-blame/search@1', query: words, total: found.total, hits };
  return { text: short(printHits(words, found)), structured: within(STORY_LIMITS, data) };
}

async function blamed(place: Asked, said: Arguments, gitArgs: readonly string[]): Promise<FileBlame> {
  const { world, repository } = place;
  const files = [fileFrom(place, String(said.file))];
  // a name could be an option of git's, a commit's id never is
  const revisions = said.revision === undefined ? [] : [await commitOf(repository.place, String(said.revision))];
  const [file] = (await blameLines(world, { files, revisions, gitArgs })).files;
  if (!file) throw new Fault('bug', 'git blame gave no file');
  return file;
}

/** From the top: agents name files from where they are, from the top of the repository, or absolutely. */
function fileFrom({ repository: { worktree }, prefix }: Asked, file: string): string {
  const top = path.isAbsolute(file) && worktree ? path.relative(worktree, file) : path.posix.normalize(file);
  const near = path.isAbsolute(file) ? top : path.posix.join(prefix, file);
  const isHere = (name: string) => isInside(name) && worktree !== null && fs.existsSync(path.join(worktree, name));
  const found = !isHere(near) && isHere(top) ? top : near;
  if (!isInside(found)) throw new Fault('usage', `${file} is outside of this repository.`);
  return found;
}

function isInside(file: string): boolean {
  return file !== '..' && !file.startsWith('../') && !path.isAbsolute(file);
}

function within(limits: Limits, data: Told['structured']): Told['structured'] {
  return capped(data, limits) as Told['structured'];
}
