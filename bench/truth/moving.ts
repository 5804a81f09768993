import fs from 'node:fs';
import path from 'node:path';
import type { Workshop } from '../../test/support/workshop.ts';
import { AgentStage } from './agent-stage.ts';
import { type Line, textOf } from './line.ts';
import type { Operation, Stage } from './stage.ts';

/** What stands together and is moved together: the lines of one function. */
type Piece = readonly Line[];

const HANDS = ['me', 'me', 's1', 's1', 's2'];
const LENGTH = 14;

/** People and agents who move more than they write, by all means that they have. Whatever is moved or copied stays whose it was. */
class Desk {
  readonly stage: AgentStage;
  readonly files = new Map<string, readonly Piece[]>();
  /** What was committed of each file, one text after the other. */
  readonly #committed = new Map<string, (readonly Line[])[]>();
  /** What a person moved or copied. */
  readonly #moved = new Set<Line>();
  #names = 0;

  constructor(stage: Stage) {
    this.stage = new AgentStage(stage);
  }

  get pen() {
    return this.stage.pen;
  }

  /** Long enough that nobody writes it twice. */
  piece(by: string): Piece {
    const { pen } = this;
    return [pen.own(by), pen.own(by), ...pen.lines(by, pen.below(3)), pen.own(by), pen.own(by)];
  }

  newName(): string {
    return `file${++this.#names}.ts`;
  }

  hand(): string {
    return this.pen.pick(HANDS);
  }

  file(): string {
    return this.pen.pick([...this.files.keys()]);
  }

  tell(what: string): void {
    this.stage.story.push(what);
  }

  save(file: string, by: string, pieces: readonly Piece[]): void {
    const had = new Set(this.files.get(file)?.flat());
    const fresh = pieces.flat().filter((line) => !had.has(line));
    this.tell(`${by} saves ${file}, with ${fresh.length} more lines from "${fresh[0]?.text ?? ''}"`);
    this.files.set(file, pieces);
    this.stage.put(file, by, pieces.flat());
  }

  start(): void {
    for (let i = 0; i < 2; i++) this.save(this.newName(), 'me', [this.piece('me'), this.piece('me'), this.piece('me')]);
    this.commits(this.files.keys());
    this.stage.commit('start');
  }

  moves(by: string, piece: Piece): void {
    if (by === 'me') for (const line of piece) this.#moved.add(line);
  }

  /** These files are about to be committed. */
  commits(files: Iterable<string>): void {
    for (const file of files) {
      const lines = this.files.get(file)?.flat() ?? [];
      this.#keep(file, lines);
      this.#committed.set(file, [...(this.#committed.get(file) ?? []), lines]);
    }
    this.#pastes();
  }

  /** What a person put somewhere and the commits have elsewhere too, the person has pasted: then it is theirs, as for git blame. */
  #pastes(): void {
    const texts = [...this.#committed.values()].map((all) => all.at(-1) ?? []);
    for (const line of this.#moved) {
      if (texts.filter((lines) => lines.includes(line)).length < 2) continue;
      this.stage.guesses.keep(line, { ...line, by: 'me' });
    }
  }

  /** It had the same life under another name. */
  follow(from: string, to: string): void {
    this.files.set(to, this.files.get(from) ?? []);
    this.#committed.set(to, [...(this.#committed.get(from) ?? [])]);
  }

  /** Git keeps a line that both texts have: where one went, and another like it came between the same two, whose it is is git's guess. */
  #keep(file: string, lines: readonly Line[]): void {
    for (const had of this.#committed.get(file) ?? []) {
      const isTwin = (line: Line) => had.some(({ text, by }) => text === line.text && by !== line.by);
      if (!lines.some(isTwin)) continue;
      for (const [old, i] of keptByGit(this.stage.shop, textOf(had), textOf(lines))) {
        const [line, former] = [lines[i], had[old]];
        if (line && former) this.stage.guesses.keep(line, former);
      }
    }
  }

  /** By hand, or by an agent's shell. */
  run(by: string, command: string): void {
    this.stage.settle();
    this.tell(`${by}: ${command}`);
    if (by !== 'me') this.stage.shop.shell(command, by);
    else this.stage.shop.gitWith({}, '-c', `alias.x=!${command}`, 'x');
  }
}

/** The lines of two texts that git takes for the same, each from 0. */
function keptByGit(shop: Workshop, older: string, newer: string): [number, number][] {
  const [a, b] = [older, newer].map((text, i) => {
    const file = path.join(shop.home, `text${i}`);
    fs.writeFileSync(file, text);
    return shop.git('hash-object', '-w', '--no-filters', file);
  });
  const kept: [number, number][] = [];
  let [old, line] = [0, 0];
  for (const sign of shop
    .git('diff', '-U100000', a ?? '', b ?? '')
    .split('\n')
    .slice(5)
    .map((one) => one[0])) {
    if (sign === ' ') kept.push([old, line]);
    if (sign !== '+') old++;
    if (sign !== '-') line++;
  }
  return kept;
}

type Step = (desk: Desk) => void | Promise<void>;

const put = (pieces: readonly Piece[], at: number, piece: Piece) => [
  ...pieces.slice(0, at),
  piece,
  ...pieces.slice(at),
];
const without = (pieces: readonly Piece[], at: number) => pieces.filter((_, i) => i !== at);

const add: Step = (desk) => {
  const [file, by] = [desk.file(), desk.hand()];
  const had = desk.files.get(file) ?? [];
  desk.save(file, by, put(had, desk.pen.below(had.length + 1), desk.piece(by)));
};

const insert: Step = (desk) => {
  const [file, by] = [desk.file(), desk.hand()];
  const had = desk.files.get(file) ?? [];
  const which = desk.pen.below(had.length);
  const piece = had[which] ?? [];
  const at = 1 + desk.pen.below(piece.length - 1);
  const fresh = Array.from({ length: 1 + desk.pen.below(3) }, () => desk.pen.own(by));
  const next = [...piece.slice(0, at), ...fresh, ...piece.slice(at)];
  desk.save(file, by, put(without(had, which), which, next));
};

const moveWithin: Step = (desk) => {
  const [file, by] = [desk.file(), desk.hand()];
  const had = desk.files.get(file) ?? [];
  const which = desk.pen.below(had.length);
  const [piece, rest] = [had[which], without(had, which)];
  if (!piece || rest.length === 0) return;
  if (desk.pen.random() < 0.5) desk.save(file, by, rest);
  desk.save(file, by, put(rest, desk.pen.below(rest.length + 1), piece));
  desk.moves(by, piece);
};

const moveTo: Step = (desk) => {
  const [from, by] = [desk.file(), desk.hand()];
  const had = desk.files.get(from) ?? [];
  const others = [...desk.files.keys()].filter((file) => file !== from);
  const to = others.length > 0 && desk.pen.random() < 0.8 ? desk.pen.pick(others) : desk.newName();
  const which = desk.pen.below(had.length);
  const [piece, rest, there] = [had[which], without(had, which), desk.files.get(to) ?? []];
  // where it stands already, which of the two was copied is anybody's guess
  const isThere = there.some((other) => other.some((line) => piece?.includes(line)));
  if (!piece || rest.length === 0 || isThere) return;
  const steps = [
    () => desk.save(from, by, rest),
    () => desk.save(to, by, put(there, desk.pen.below(there.length + 1), piece)),
  ];
  for (const step of desk.pen.random() < 0.5 ? steps : steps.reverse()) step();
  desk.moves(by, piece);
};

const rename: Step = (desk) => {
  const [from, to, by] = [desk.file(), desk.newName(), desk.hand()];
  desk.run(by, `mv ${from} ${to}`);
  desk.follow(from, to);
  desk.files.delete(from);
};

const copy: Step = (desk) => {
  if (desk.files.size > 3) return;
  const [from, to, by] = [desk.file(), desk.newName(), desk.hand()];
  desk.run(by, `cp ${from} ${to}`);
  desk.follow(from, to);
  desk.moves(by, (desk.files.get(from) ?? []).flat());
};

const commit: Step = (desk) => {
  desk.commits(desk.files.keys());
  desk.stage.commit('all', '--allow-empty');
};

const commitOne: Step = (desk) => {
  const file = desk.file();
  desk.commits([file]);
  desk.stage.git('add', '-A', '--', file);
  desk.stage.git('commit', '-q', '--allow-empty', '-m', 'one');
};

const STEPS: readonly Step[] = [
  ...[add, add, insert, insert, moveWithin, moveWithin, moveWithin, moveTo, moveTo, moveTo, moveTo],
  ...[rename, copy, commit, commit, commit, commitOne],
  (desk) => desk.stage.shop.work(),
  (desk) => {
    desk.stage.settle();
    if (desk.stage.shop.git('status', '--porcelain') === '') return;
    desk.stage.git('stash', 'push', '-q', '-u');
    desk.stage.git('stash', 'pop', '-q');
  },
  (desk) => {
    desk.commits(desk.files.keys());
    desk.stage.commit('amended', '--amend', '--allow-empty');
  },
];

/** A sequence of moves and copies, with commits now and then; the pen's seed decides. */
export const moving: Operation = async (stage) => {
  const desk = new Desk(stage);
  desk.start();
  for (let i = 0; i < LENGTH; i++) await desk.pen.pick(STEPS)(desk);
  desk.stage.settle();
  desk.commits(desk.files.keys()); // what is not committed is told just so
  stage.shop.git('add', '-A', '-N');
  const { dir } = stage.shop;
  stage.is(
    Object.fromEntries(
      [...desk.files].filter(([file]) => fs.existsSync(path.join(dir, file))).map(([file, all]) => [file, all.flat()]),
    ),
  );
};
