import { Fault, type FaultCode } from '../fault.ts';
import { endedFault, type GitAnswer } from './run.ts';

const NAMES = 'git log --all shows what can be named';
const FILE = 'check its name and where it is';

/** What git says of a call that is wrong, and what to do then. Anything else that git says is no mistake of the person who called. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:no such ref: HEAD|bad revision 'HEAD'|HEAD names no commit|your current branch)/,
    'make a first commit here, or switch to a branch that has one',
  ],
  [/^(?:no such path|cannot stat path)/, 'commit it first, or name a file that git ls-files lists'],
  [/^(?:bad revision|no such ref|ambiguous argument|unknown revision|bad object|Invalid revision)/, NAMES],
  [/names no commit$|^cannot find revision/, NAMES],
  [/^cannot use --contents with/, 'leave out the revision'],
  [/^file .* has only/, 'name lines that it has'],
  [/^-L parameter .*: no match/, 'name lines by their numbers, -L START,END'],
  [/^-L (?:invalid|parameter)/, 'lines are counted from 1'],
  [/^unknown date format/, 'say default, iso, rfc, short, relative, human, raw, unix or format:%Y and the like'],
  [/^(?:Cannot stat|cannot open|could not open|reading graft file)/i, FILE],
  [/is outside repository/, 'go into the repository that it belongs to'],
];

/** Git's words, or ours in its manner, and what to do. */
export function advised(words: string): string {
  const advice = ADVICE.find(([said]) => said.test(words))?.[1];
  return advice === undefined ? words : `${words}: ${advice}.`;
}

/** Git refused what a person had asked it for; `otherwise`: what it is where the words are not known. */
export function saidFault(
  { code, err, signal }: Omit<GitAnswer, 'out'>,
  what: string,
  otherwise: FaultCode = 'git',
): Fault {
  if (signal !== undefined) return endedFault(what, signal);
  const words = (err.split('\n')[0] ?? '').replace(/^(fatal|error): /, '');
  // the whole of its help, where 129 is its code for a wrong call
  if (words.startsWith('usage: ')) return new Fault('usage', `${what} takes no such words: ${what} -h tells which.`);
  const said = words || `${what} failed with exit code ${code}`;
  const told = advised(said);
  return new Fault(code === 129 || told !== said ? 'usage' : otherwise, told, { code, err });
}
