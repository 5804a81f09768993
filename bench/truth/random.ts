import { AgentStage } from './agent-stage.ts';
import { isCommon, type Line } from './line.ts';
import type { Operation, Stage } from './stage.ts';

/** A file of two parts that stay apart: main is worked on above the fence, topics below it, so that they merge by themselves. */
interface Parts {
  readonly top: readonly Line[];
  readonly bottom: readonly Line[];
}

/** What a branch truly is. */
type Files = ReadonlyMap<string, Parts>;

const FILES = ['one.ts', 'two.ts', 'three.ts'];
const HANDS = ['me', 's1', 's2', 'me', 's3'];
const LENGTH = 12;

/** A walk through git that a seed decides. */
class Walk {
  readonly stage: Stage;
  readonly fences = new Map<string, readonly Line[]>();
  main: Files = new Map();
  /** Undefined: main is checked out. */
  topic: Files | undefined;
  /** How many commits the topic has of its own. */
  ahead = 0;
  #names = 0;
  /** Lines that were taken out, by file. */
  readonly #gone = new Set<string>();
  /** Main as it was one commit ago, which an amended one is told from. */
  #before: Files = new Map();
  #last: Files = new Map();

  constructor(stage: Stage) {
    this.stage = stage;
    for (const file of FILES)
      this.fences.set(
        file,
        Array.from({ length: 4 }, () => stage.pen.own('me')),
      );
  }

  get here(): Files {
    return this.topic ?? this.main;
  }

  whole(files: Files, file: string): Line[] {
    const { top, bottom } = files.get(file) ?? { top: [], bottom: [] };
    return [...top, ...(this.fences.get(file) ?? []), ...bottom];
  }

  start(): void {
    const { pen } = this.stage;
    this.main = new Map(FILES.map((file) => [file, { top: pen.base(4), bottom: pen.base(4) }]));
    for (const file of FILES) this.stage.put(file, 'me', this.whole(this.main, file));
    this.stage.commit('start');
    [this.#before, this.#last] = [this.main, this.main];
  }

  /** Some hand changes a few lines of a file, in the part that belongs to the branch. */
  edit(): void {
    const { pen } = this.stage;
    const [file, by] = [pen.pick(FILES), pen.pick(HANDS)];
    const side = this.topic ? 'bottom' : 'top';
    const parts = this.here.get(file) ?? { top: [], bottom: [] };
    const old = parts[side];
    const base = this.#baseOf(file)?.[side] ?? [];
    let at = pen.below(old.length + 1);
    while (loosens(old, at, { count: 0, base })) at = pen.below(old.length + 1);
    const gone = clearCut(old, at, { count: pen.below(3), base });
    // what replaces a line by the same has changed nothing; nor can git tell it from one that went from the same part before
    for (const { text } of old.slice(at, at + gone)) this.#gone.add(`${file} ${text}`);
    const around = [old[at - 1], old[at + gone]] as const;
    const loose = looseTexts(parted(old, at, gone), base);
    const isClear = ({ text }: Line) => !this.#gone.has(`${file} ${text}`) && !loose.has(text);
    const lines = pen.between(by, 1 + pen.below(4), around).filter(isClear);
    const fresh = gone === 0 || lines.length > 0 ? [pen.own(by), ...lines.slice(0, -1), pen.own(by)] : [];
    const next = { ...parts, [side]: [...old.slice(0, at), ...fresh, ...old.slice(at + gone)] };
    const files = new Map([...this.here, [file, next]]);
    if (this.topic) this.topic = files;
    else this.main = files;
    this.stage.put(file, by, this.whole(files, file));
  }

  /** What git may compare with: a topic may be squashed. */
  #baseOf(file: string): Parts | undefined {
    return (this.topic ? this.main : this.#before).get(file);
  }

  commit(...more: string[]): void {
    this.stage.commit(`step ${++this.#names}`, '--allow-empty', ...more);
    if (this.topic && more.length === 0) this.ahead++;
    if (!this.topic && more.length === 0) [this.#before, this.#last] = [this.#last, this.main];
  }

  branch(): void {
    this.stage.git('checkout', '-q', '-b', `topic${++this.#names}`);
    this.topic = this.main;
    this.ahead = 0;
  }

  /** What main and the topic make together. */
  merged(): Files {
    const { topic = this.main } = this;
    return new Map(
      FILES.map((file) => [file, { top: this.main.get(file)?.top ?? [], bottom: topic.get(file)?.bottom ?? [] }]),
    );
  }

  /** Back on main with the topic in it. */
  land(how: () => void): void {
    const files = this.merged();
    how();
    this.main = files;
    this.topic = undefined;
  }

  /** Somebody works on main while we are on a topic. */
  meanwhile(): void {
    const { stage, topic, ahead } = this;
    const name = stage.git('branch', '--show-current');
    stage.git('checkout', '-q', 'main');
    this.topic = undefined;
    this.edit();
    this.commit();
    stage.git('checkout', '-q', name);
    this.topic = topic;
    this.ahead = ahead;
  }
}

interface Cut {
  readonly count: number;
  readonly base: readonly Line[];
}

/** How many lines can be taken out from here so that everybody sees which they were: where one of the same text is new, git may keep the old one in its place. */
export function clearCut(lines: readonly Line[], at: number, { count, base }: Cut): number {
  const block = lines.slice(at, at + count);
  const slides = block[0]?.text === lines[at + count]?.text || block.at(-1)?.text === lines[at - 1]?.text;
  const fresh = new Set(lines.filter((line) => !block.includes(line) && !base.includes(line)).map(({ text }) => text));
  const unclear = slides || block.some(({ text }) => fresh.has(text)) || loosens(lines, at, { count, base });
  return block.length < count || unclear ? 0 : count;
}

/** Whether what is put in here, or in the place of some lines, parts an old line from what held it, and there is a new one of the same text. */
export function loosens(lines: readonly Line[], at: number, { count, base }: Cut): boolean {
  const fresh = new Set(lines.filter((line) => !base.includes(line)).map(({ text }) => text));
  const before = looseTexts(lines, base);
  return [...looseTexts(parted(lines, at, count), base)].some((text) => fresh.has(text) && !before.has(text));
}

function parted(lines: readonly Line[], at: number, count: number): readonly Line[] {
  return [...lines.slice(0, at), { text: '...', by: '' }, ...lines.slice(at + count)];
}

/**
 * What old lines say that everybody writes, and that nothing of the base holds where they stand: of two that say the same, git may keep
 * either, and changes as many lines.
 *
 *     base   a  }  b  c       now   x  }  y  }  z  b  c
 */
function looseTexts(lines: readonly Line[], base: readonly Line[]): Set<string> {
  const isHeld = (i: number, way: number): boolean => {
    const [line, beside] = [lines[i], lines[i + way]];
    if (!line || base[base.indexOf(line) + way] !== beside) return false;
    return !beside || !isCommon(beside) || isHeld(i + way, way);
  };
  const loose = lines.filter((line, i) => base.includes(line) && isCommon(line) && !isHeld(i, -1) && !isHeld(i, 1));
  return new Set(loose.map(({ text }) => text));
}

type Move = (walk: Walk) => void | Promise<void>;

const editAndCommit: Move = (walk) => {
  for (let i = 0; i <= walk.stage.pen.below(3); i++) walk.edit();
  walk.commit();
};

const ANYWHERE: readonly Move[] = [
  editAndCommit,
  editAndCommit,
  editAndCommit,
  (walk) => walk.stage.shop.work(),
  (walk) => {
    walk.edit();
    // the first commit of a topic is main's own
    if (walk.topic && walk.ahead === 0) walk.commit();
    else walk.commit('--amend');
  },
  (walk) => {
    walk.edit();
    walk.stage.git('stash', 'push', '-q');
    walk.stage.git('stash', 'pop', '-q');
    walk.edit();
    walk.commit();
  },
  (walk) => {
    // what was taken back comes back
    editAndCommit(walk);
    walk.stage.git('revert', '--no-edit', 'HEAD');
    walk.stage.git('revert', '--no-edit', 'HEAD');
    walk.ahead += 2;
  },
];

const ON_TOPIC: readonly Move[] = [
  (walk) => walk.meanwhile(),
  (walk) => {
    walk.stage.git('rebase', '-q', 'main');
    walk.topic = walk.merged();
  },
  (walk) => {
    if (walk.ahead < 2) return editAndCommit(walk);
    walk.stage.git('reset', '-q', '--soft', `HEAD~${walk.ahead}`);
    walk.ahead = 0;
    walk.commit();
  },
  (walk) => {
    if (walk.ahead < 2) return editAndCommit(walk);
    // two that take each other back make an empty one, at which git stops
    if (walk.stage.halts(() => walk.stage.rebase('2,$s/pick/fixup/', `HEAD~${walk.ahead}`))) {
      walk.stage.git('rebase', '--abort');
    } else walk.ahead = 1;
  },
  (walk) => {
    if (walk.ahead < 1) return editAndCommit(walk);
    const name = walk.stage.git('branch', '--show-current');
    walk.land(() => {
      walk.stage.git('checkout', '-q', 'main');
      walk.stage.git('merge', '-q', '--squash', name);
      walk.stage.git('commit', '-q', '-m', 'squashed');
    });
  },
  (walk) => {
    const name = walk.stage.git('branch', '--show-current');
    walk.land(() => {
      walk.stage.git('checkout', '-q', 'main');
      walk.stage.git('merge', '-q', '-m', 'merged', name);
    });
  },
  (walk) => {
    if (walk.ahead < 1) return editAndCommit(walk);
    const name = walk.stage.git('branch', '--show-current');
    walk.land(() => {
      walk.stage.git('checkout', '-q', 'main');
      walk.stage.git('cherry-pick', '--allow-empty', '--keep-redundant-commits', `${name}~${walk.ahead}..${name}`);
    });
  },
];

/** A sequence of operations; which, the pen's seed decides. */
export const randomly: Operation = (stage) => wander(stage, LENGTH);

/** The same, a quarter as long. */
export const shortly: Operation = (stage) => wander(stage, LENGTH / 4);

/** Agents that have a shell, and run git themselves. */
export const byAgents: Operation = async (stage) => {
  const agents = new AgentStage(stage);
  await wander(agents, LENGTH);
  stage.is(Object.fromEntries(agents.truth));
};

async function wander(stage: Stage, length: number): Promise<void> {
  const walk = new Walk(stage);
  walk.start();
  for (let i = 0; i < length; i++) {
    const moves = walk.topic
      ? [...ANYWHERE, ...ON_TOPIC]
      : [...ANYWHERE, (one: Walk) => one.branch(), (one: Walk) => one.branch()];
    await stage.pen.pick(moves)(walk);
  }
  stage.is(Object.fromEntries(FILES.map((file) => [file, walk.whole(walk.here, file)])));
}
