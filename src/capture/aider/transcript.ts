import { createHash } from 'node:crypto';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { defined } from '../fields.ts';
import type { Skipped } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Call, Step, ToldEdit } from '../tale.ts';
import { editsOf } from './edits.ts';
import { parseHistory, type Run } from './history.ts';
import { INPUTS, treeOf } from './locate.ts';
import { modelOf } from './model.ts';
import { type Aftermath, type Announced, readAftermath, readAnnounced } from './said.ts';
import { editTime, type Inputs, parseCommitTimes, parseInputs, plain, takeInput, wallTime } from './times.ts';

/** Where the runs of one history took place, and what else tells of them. */
interface Scene {
  readonly file: TranscriptFile;
  readonly cwd: string;
  readonly inputs: Inputs;
  readonly commits: ReadonlyMap<string, number>;
}

/** Each start of aider is a session; of several at the same second the place in the history tells them apart. */
export function decodeTranscript(file: TranscriptFile): Captured[] {
  const cwd = treeOf(file.path, file.worktrees);
  if (cwd === undefined) return [];
  const skipped: Skipped = {};
  const runs = parseHistory(file.lines(), skipped);
  const inputs = parseInputs(file.read(`${cwd}/${INPUTS}`) ?? '');
  const scene: Scene = { file, cwd, inputs, commits: parseCommitTimes(readReflog(file, cwd)) };
  const seen = new Map<string, number>();
  const told = runs.map((run, i) => {
    const count = (seen.get(run.start) ?? 0) + 1;
    seen.set(run.start, count);
    const key = `${file.path}\0${run.start}\0${count}`;
    const session = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const until = wallTime(runs[i + 1]?.start ?? '') ?? Infinity;
    return new Teller(scene, run, { session, until }).tell(i === 0 ? skipped : {});
  });
  // most starts come to nothing
  return told.filter(({ events, edits, skipped: left }) => events.length + edits.length + Object.keys(left).length > 0);
}

function readReflog(file: TranscriptFile, cwd: string): string {
  const link = /^gitdir: (.+?)\s*$/.exec(file.read(`${cwd}/.git`) ?? '')?.[1];
  const folder = link === undefined ? `${cwd}/.git` : /^(?:\/|[A-Za-z]:)/.test(link) ? link : `${cwd}/${link}`;
  return file.read(`${folder}/logs/HEAD`) ?? '';
}

/** Tells one run, part by part. */
class Teller {
  readonly #scene: Scene;
  readonly #run: Run;
  readonly #session: string;
  readonly #steps: Step[] = [];
  #announced: Announced = {};
  /** When the next one began. */
  readonly #until: number;
  #now: number;
  /** The last answer, until what aider said after it is known. */
  #answer: { readonly text: string; readonly editor: boolean } | undefined;
  /** What an architect's plan is carried out as. */
  #planned = false;

  constructor(scene: Scene, run: Run, more: { readonly session: string; readonly until: number }) {
    this.#scene = scene;
    this.#run = run;
    this.#session = more.session;
    this.#until = more.until;
    this.#now = this.#clamp(wallTime(run.start) ?? 0);
  }

  tell(skipped: Skipped): Captured {
    const startedAt = this.#now;
    for (const part of this.#run.parts) {
      if (part.kind === 'prompt') this.#prompt(part.text);
      else if (part.kind === 'reply') this.#reply(part.text);
      else this.#tool(part.said);
    }
    const { version } = this.#announced;
    const { cwd } = this.#scene;
    const tool = defined({ name: 'aider', version });
    return assemble({ session: this.#session, tool, cwd, startedAt, steps: this.#steps, skipped });
  }

  /** A clock that shows more than when the history was written is not that of this machine. */
  #clamp(at: number): number {
    return Math.min(at, this.#scene.file.modified);
  }

  /** Steps at one moment keep their order. */
  #tick(): number {
    return this.#now++;
  }

  #id(): string {
    return `${this.#session}.${this.#steps.length}`;
  }

  #prompt(text: string): void {
    // what an architect planned is printed as if it had been typed
    this.#planned = plain(text) === plain(this.#answer?.text ?? '');
    this.#answer = undefined;
    if (this.#planned) return;
    const between = { from: this.#now - 1000, to: this.#until };
    this.#now = Math.max(this.#now, this.#clamp(takeInput(this.#scene.inputs, text, between) ?? 0));
    this.#steps.push({ kind: 'prompt', id: this.#id(), at: this.#tick(), text });
  }

  #reply(text: string): void {
    this.#answer = { text, editor: this.#planned };
    this.#steps.push(
      defined({ kind: 'message' as const, id: this.#id(), at: this.#tick(), text, model: this.#model() }),
    );
  }

  #model(): string | undefined {
    const { model, editorModel } = this.#announced;
    return modelOf(this.#answer?.editor ? editorModel : model);
  }

  #tool(said: readonly string[]): void {
    const aftermath = readAftermath(said);
    // without an answer they were in a file (`--apply`), or are cut off
    this.#edit(this.#answer?.text ?? '', aftermath);
    for (const command of aftermath.commands) {
      this.#call({ name: 'shell', input: { command }, command: { text: command } });
    }
    this.#announced = readAnnounced(this.#announced, said);
  }

  #edit(text: string, aftermath: Aftermath): void {
    const { format, editorFormat } = this.#announced;
    const known = this.#answer?.editor ? editorFormat : isTalk(format) ? undefined : format;
    const { file, cwd, commits } = this.#scene;
    const read = (path: string) => (/^(?:[\\/]|.*\.\.)/.test(path) ? undefined : file.read(`${cwd}/${path}`));
    const edits = editsOf({ text, format: known, aftermath, read });
    const timeOf = (commit: string | undefined) => (commit === undefined ? undefined : commits.get(commit.slice(0, 7)));
    const [dirty, own, linted] = [timeOf(aftermath.dirty), timeOf(aftermath.own), timeOf(aftermath.linted)];
    const { failure } = aftermath;
    if (!edits && failure === undefined) return;
    const at = editTime({ asked: this.#now, modified: file.modified, dirty, own });
    const unsure = own !== undefined && own === dirty;
    this.#now = Math.max(this.#now, at);
    this.#call({
      name: 'edit',
      input: { format: known ?? 'not announced' },
      end: edits ? { at, outcome: 'done' } : { at, outcome: 'failed', text: failure ?? '' },
      ...(edits && { edits: unsure ? edits.map((edit) => doubted(edit, aftermath)) : edits }),
    });
    if (edits && linted !== undefined)
      this.#call({ name: 'lint', end: { at: linted, outcome: 'done' }, edits: edits.map(untold) });
  }

  #call(call: Partial<Call> & Pick<Call, 'name'>): void {
    const { cwd } = this.#scene;
    const base = { kind: 'call' as const, id: this.#id(), at: this.#tick(), input: {}, cwd, model: this.#model() };
    this.#steps.push(defined({ ...base, ...call }));
  }
}

/** Modes in which nothing is edited: whatever is edited all the same was asked for in another one. */
function isTalk(format: string | undefined): boolean {
  return format === 'ask' || format === 'architect' || format === 'context' || format === 'help';
}

function untold({ path }: ToldEdit): ToldEdit {
  return { path, change: { kind: 'replace', pairs: [] } };
}

/** Committed within one second: which came first the clock does not tell, and a whole file holds the person's lines too. */
function doubted(edit: ToldEdit, { dirtyFiles }: Aftermath): ToldEdit {
  return edit.change.kind === 'write' && dirtyFiles.has(edit.path) ? untold(edit) : edit;
}
