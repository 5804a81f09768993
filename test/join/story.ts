import { type Answer, type FileJoin, joinFile } from '../../src/join/file.ts';
import type { TimelineEdit } from '../../src/join/timeline.ts';
import type { CommandWindow } from '../../src/join/window.ts';
import { diffLines } from '../../src/lines/diff.ts';
import { rangesOf } from '../../src/lines/range.ts';
import { type Lines, splitString } from '../../src/lines/text.ts';

/** A file's life between two commits, told in order: each word moves the clock by a second. */
export class Story {
  readonly #edits: TimelineEdit[] = [];
  readonly #commands: CommandWindow[] = [];
  #clock = 10_000;
  #text: string;
  readonly #base: string;

  constructor(base = '') {
    this.#base = base;
    this.#text = base;
  }

  /** A person saves this text; nobody sees it. */
  human(text: string): this {
    this.#tick();
    this.#text = text;
    return this;
  }

  /** An edit tool of an agent turns the file into this text. */
  ai(text: string, session = 's1', more: Partial<TimelineEdit> = {}): this {
    const at = this.#tick();
    const change = { kind: 'full' as const, before: splitString(this.#text), after: splitString(text) };
    this.#edits.push({
      agent: agentOf(session, this.#edits.length),
      at,
      change,
      beforeId: this.#text,
      afterId: text,
      ...more,
    });
    this.#text = text;
    return this;
  }

  /** An edit that the source tells of in another way than by whole texts. */
  told(change: TimelineEdit['change'], text: string, session = 's1'): this {
    const at = this.#tick();
    this.#edits.push({ agent: agentOf(session, this.#edits.length), at, change });
    this.#text = text;
    return this;
  }

  /** An agent's shell command with snapshots around it. */
  shell(command: string, text: string, { seconds = 1, session = 's1' } = {}): this {
    const from = this.#tick();
    this.#clock += seconds * 1000;
    const change = { kind: 'full' as const, before: splitString(this.#text), after: splitString(text) };
    const agent = agentOf(session, this.#edits.length);
    this.#edits.push({ agent, at: this.#clock, change, beforeId: this.#text, afterId: text, shell: { command, from } });
    this.#commands.push({ session, event: agent.event, from, to: this.#clock, explained: true });
    this.#text = text;
    return this;
  }

  /** A command that no snapshot explains. */
  unseen(text = this.#text): this {
    const from = this.#tick();
    this.#commands.push({ session: 's1', event: 'unseen', from, to: this.#tick(), explained: false });
    this.#text = text;
    return this;
  }

  /** One letter for each added line of the committed text: a(i), h(uman), m(ixed), u(nknown), v for moved; `.` for a line not added. */
  commit(text = this.#text, more: Partial<FileJoin> = {}): string {
    const lines = splitString(text);
    const answers = this.answers(text, more);
    return lines.map((_, i) => letterOf(answers.get(i + 1))).join('');
  }

  answers(text = this.#text, more: Partial<FileJoin> = {}): ReadonlyMap<number, Answer> {
    return joinFile(this.file(text, more)).answers;
  }

  file(text = this.#text, more: Partial<FileJoin> = {}): FileJoin {
    const base = splitString(this.#base);
    const lines = splitString(text);
    return {
      path: 'src/a.ts',
      base,
      text: lines,
      added: rangesOf(addedOf(base, lines)),
      edits: this.#edits,
      ancestors: new Map([[this.#base, 5_000]]),
      time: this.#clock + 1000,
      baseTime: 5_000,
      captureSince: 1_000,
      shellSeconds: 30,
      commands: this.#commands,
      ...more,
    };
  }

  #tick(): number {
    this.#clock += 1000;
    return this.#clock;
  }
}

function agentOf(session: string, n: number) {
  return { session, event: `e${n}`, tool: { name: 'claude-code', version: '2.1.0' } };
}

function addedOf(base: Lines, lines: Lines): number[] {
  return diffLines(base, lines).flatMap((old, i) => (old < 0 ? [i + 1] : []));
}

function letterOf(answer: Answer | undefined): string {
  if (!answer) return '.';
  if ('movedFrom' in answer) return 'v';
  return answer.type.charAt(0);
}
