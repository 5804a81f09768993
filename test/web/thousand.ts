import { makeRepository, type TestRepository } from '../support/repository.ts';

export const COUNT = 1000;
/** Commits write into the files by turns. */
const FILES = Array.from({ length: 10 }, (_, i) => `log-${i}.txt`);
/** The one that commits 0, 10, 20 and so on wrote. */
export const FILE = 'log-0.txt';
export const LINES = COUNT / FILES.length;
const START = 1_767_225_600;

export interface Thousand {
  readonly repository: TestRepository;
  /** Oldest first. */
  readonly commits: readonly string[];
}

const fileOf = (i: number) => FILES[i % FILES.length] ?? '';
const lineOf = (i: number) => Math.floor(i / FILES.length) + 1;
/** Of some commits the remote says that a person wrote it, of as many the same as we, of the others nothing. */
export const isCorrected = (i: number) => i % 4 === 0;
const isRepeated = (i: number) => i % 4 === 1;

/** A thousand commits with a line each, and a note each: local ones as git fans them out, fetched ones in two levels of folders. */
export function makeThousand(): Thousand {
  const repository = makeRepository();
  const script = Array.from({ length: COUNT }, (_, i) => {
    const lines = Array.from({ length: lineOf(i) }, (_, n) => `line ${n + 1} of the log\n`);
    return commitWith(i, lines.join(''));
  });
  repository.gitBytes(['fast-import', '--quiet'], script.join(''));
  repository.git('reset', '-q', '--hard');
  const commits = repository.git('rev-list', '--reverse', 'main').split('\n');
  const local = commits.map((commit, i) => `N inline ${commit}\n${data(note(commit, i))}`).join('');
  const remote = commits
    .map((commit, i) => {
      if (!isCorrected(i) && !isRepeated(i)) return '';
      const place = `${commit.slice(0, 2)}/${commit.slice(2, 4)}/${commit.slice(4)}`;
      return `M 100644 inline ${place}\n${data(isCorrected(i) ? correction(commit, i) : note(commit, i))}`;
    })
    .join('');
  for (const [ref, content] of [
    ['refs/notes/agent/trace', local],
    ['refs/notes/origin/agent/trace', remote],
  ])
    repository.gitBytes(['fast-import', '--quiet'], `commit ${ref}\n${by(START + COUNT)}${data('notes')}${content}`);
  repository.git('gc', '-q');
  return { repository, commits };
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function by(time: number): string {
  return `author Ada <ada@example.com> ${time} +0100\ncommitter Ada <ada@example.com> ${time} +0100\n`;
}

function commitWith(i: number, text: string): string {
  return `commit refs/heads/main\n${by(START + i)}${data(`change ${i}`)}M 100644 inline ${fileOf(i)}\n${data(text)}`;
}

function record(commit: string, i: number, more: object): string {
  const line = lineOf(i);
  const ranges = [{ start_line: line, end_line: line }];
  const files = [{ path: fileOf(i), conversations: [{ url: `agentlog:s${i}#e1`, ranges, ...more }] }];
  const timestamp = new Date((START + i) * 1000).toISOString();
  const vcs = { type: 'git', revision: commit };
  return JSON.stringify({ version: '0.1.0', id: uuid(commit, more), timestamp, vcs, tool: { name: 'amp' }, files });
}

function uuid(commit: string, more: object): string {
  return `0000000${Object.keys(more).length}-0000-4000-8000-${commit.slice(0, 12)}`;
}

function note(commit: string, i: number): string {
  return `${record(commit, i, { contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' } })}\n`;
}

function correction(commit: string, i: number): string {
  const later = record(commit, i, { contributor: { type: 'human' }, related: [] });
  return `${later.replace(/"timestamp":"20\d\d/, '"timestamp":"2030')}\nno record\n`;
}
