import fs from 'node:fs';
import path from 'node:path';
import { AgentStage } from './agent-stage.ts';
import type { Line } from './line.ts';
import type { Operation, Stage } from './stage.ts';

/** What stands together and is moved together: the lines of one function. */
type Piece = readonly Line[];

const HANDS = ['me', 'me', 's1', 's1', 's2'];
const LENGTH = 14;

/** People and agents who move more than they write, by all means that they have. Whatever is moved or copied stays whose it was. */
class Desk {
  readonly stage: AgentStage;
  readonly files = new Map<string, readonly Piece[]>();
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
    this.stage.commit('start');
  }

  /** By hand, or by an agent's shell. */
  run(by: string, command: string): void {
    this.stage.settle();
    this.tell(`${by}: ${command}`);
    if (by !== 'me') this.stage.shop.shell(command, by);
    else this.stage.shop.gitWith({}, '-c', `alias.x=!${command}`, 'x');
  }
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
};

const moveTo: Step = (desk) => {
  const [from, by] = [desk.file(), desk.hand()];
  const had = desk.files.get(from) ?? [];
  const others = [...desk.files.keys()].filter((file) => file !== from);
  const to = others.length > 0 && desk.pen.random() < 0.8 ? desk.pen.pick(others) : desk.newName();
  const which = desk.pen.below(had.length);
  const [piece, rest, there] = [had[which], without(had, which), desk.files.get(to) ?? []];
  if (!piece || rest.length === 0) return;
  const steps = [
    () => desk.save(from, by, rest),
    () => desk.save(to, by, put(there, desk.pen.below(there.length + 1), piece)),
  ];
  for (const step of desk.pen.random() < 0.5 ? steps : steps.reverse()) step();
};

const rename: Step = (desk) => {
  const [from, to, by] = [desk.file(), desk.newName(), desk.hand()];
  desk.run(by, `mv ${from} ${to}`);
  desk.files.set(to, desk.files.get(from) ?? []);
  desk.files.delete(from);
};

const copy: Step = (desk) => {
  if (desk.files.size > 3) return;
  const [from, to, by] = [desk.file(), desk.newName(), desk.hand()];
  desk.run(by, `cp ${from} ${to}`);
  desk.files.set(to, desk.files.get(from) ?? []);
};

const commit: Step = (desk) => void desk.stage.commit('all', '--allow-empty');

const commitOne: Step = (desk) => {
  const file = desk.file();
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
  (desk) => void desk.stage.commit('amended', '--amend', '--allow-empty'),
];

/** A sequence of moves and copies, with commits now and then; the pen's seed decides. */
export const moving: Operation = async (stage) => {
  const desk = new Desk(stage);
  desk.start();
  for (let i = 0; i < LENGTH; i++) await desk.pen.pick(STEPS)(desk);
  desk.stage.settle();
  stage.shop.git('add', '-A', '-N');
  const { dir } = stage.shop;
  stage.is(
    Object.fromEntries(
      [...desk.files].filter(([file]) => fs.existsSync(path.join(dir, file))).map(([file, all]) => [file, all.flat()]),
    ),
  );
};
