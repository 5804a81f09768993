import { type BlameRequest, parseBlameArgs } from '../blame/options.ts';
import { Fault } from '../fault.ts';
import { type AskedBlames, askBlames, type LinesQuestion } from './blame-asked.ts';
import { quietly } from './quietly.ts';

export interface Divided {
  readonly revisions: readonly string[];
  readonly files: readonly string[];
}

/** What can be said, and asked of git, with hardly anything loaded. */
export interface BegunBlame {
  readonly request: BlameRequest;
  /** Undefined where only a look at the disk tells revisions from files. */
  readonly divided?: Divided;
  readonly asking?: Promise<AskedBlames>;
  /** From so many bytes on a file is told as it comes. */
  readonly hugeFrom: number;
}

/** Below it all is there at once anyway: a hundred thousand lines or so take half a second. */
const HUGE = 2 << 20;

export function beginBlame(args: readonly string[], cwd: string, hugeFrom = HUGE): BegunBlame {
  const request = parseBlameArgs(args);
  const { switches } = request;
  if (switches.has('help') || switches.has('version')) return { request, hugeFrom };
  const divided = divideByLooks(request);
  if (!divided) return { request, hugeFrom };
  if (switches.has('tui')) return { request, divided, hugeFrom };
  const question = questionOf({ request, hugeFrom }, divided);
  return { request, divided, hugeFrom, asking: quietly(askBlames(cwd, question)) };
}

export function questionOf(
  { request: { gitArgs, contents, form }, hugeFrom }: Pick<BegunBlame, 'request' | 'hugeFrom'>,
  { files, revisions }: Divided,
): LinesQuestion {
  const passesOn = form === 'porcelain' || form === 'line-porcelain';
  return { files, revisions, gitArgs, contents, hugeFrom, passesOn, everyHeader: form === 'line-porcelain' };
}

/** One word is a file, and so is all that follows `--`. */
function divideByLooks({ words, files }: BlameRequest): Divided | undefined {
  if (files ? files.length === 0 : words.length === 0) throw noFile();
  if (files) return { revisions: words, files };
  return words.length === 1 ? { revisions: [], files: words } : undefined;
}

function noFile(): Fault {
  return new Fault('usage', 'Name a file: git agent-blame [<options>] [<rev>] [--] <file>...');
}
