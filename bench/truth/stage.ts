import { openWorkshop, type Workshop } from '../../test/support/workshop.ts';
import { Guesses, type Kind, type Line, Pen, textOf } from './line.ts';
import { judge, type Score, sum } from './score.ts';

/** A workshop with a pen, and with what every file truly is. */
export class Stage {
  readonly shop: Workshop;
  readonly pen: Pen;
  /** What blame is asked about at the end. */
  readonly truth = new Map<string, readonly Line[]>();
  readonly guesses = new Guesses();
  /** What was done, in words, for whoever looks for the cause of a wrong line. */
  readonly story: string[] = [];
  /** Where blame is asked, when it is not here. */
  reader: Workshop;

  constructor(shop: Workshop, pen: Pen) {
    this.shop = shop;
    this.pen = pen;
    this.reader = shop;
  }

  /** A hand gives a file these lines. */
  put(file: string, by: string, lines: readonly Line[]): void {
    this.guesses.see(lines);
    if (by === 'me') this.shop.human(file, textOf(lines));
    else this.shop.ai(file, textOf(lines), by);
  }

  commit(message: string, ...more: string[]): string {
    return this.shop.commit(message, ...more);
  }

  git(...args: string[]): string {
    return this.shop.git('-c', 'advice.detachedHead=false', ...args);
  }

  /** For operations that stop at a conflict; says whether it did. */
  stops(...args: string[]): boolean {
    return this.halts(() => void this.git(...args));
  }

  halts(run: () => void): boolean {
    try {
      run();
      return false;
    } catch {
      return true;
    }
  }

  /** A rebase whose list of steps a sed program writes. */
  rebase(todo: string, ...args: string[]): void {
    const editors = { GIT_SEQUENCE_EDITOR: `sed -i -e '${todo}'`, GIT_EDITOR: 'true' };
    this.shop.gitWith(editors, 'rebase', '-q', '-i', ...args);
  }

  resume(what = 'rebase'): void {
    this.git('add', '-A');
    this.shop.gitWith({ GIT_EDITOR: 'true' }, what, '--continue');
  }

  is(files: Readonly<Record<string, readonly Line[]>>): void {
    for (const [file, lines] of Object.entries(files)) this.truth.set(file, lines);
  }
}

export interface Operation {
  (stage: Stage): void | Promise<void>;
  /** Where it is played; a plain repository unless told. */
  readonly open?: () => Promise<Workshop>;
}

/** Plays an operation; blame is asked before anything was worked in, and again after. `few`: the first time about one file only. */
export async function play(operation: Operation, kind: Kind, seed: number, few = false): Promise<Score> {
  const shop = await (operation.open ?? openWorkshop)();
  try {
    const stage = new Stage(shop, new Pen(kind, seed));
    await operation(stage);
    const pending = await ask(stage, 'pending', few ? 1 : stage.truth.size);
    await shop.work();
    return told(sum([pending, await ask(stage, 'worked')]), stage);
  } finally {
    if (process.env.KEEP) console.log(`    kept: ${shop.dir}, HOME=${shop.home}`);
    else shop.remove();
  }
}

function told(score: Score, { story }: Stage): Score {
  return score.notes.length > 0 ? { ...score, notes: [...score.notes, ...story.map((step) => `    ${step}`)] } : score;
}

async function ask({ reader, truth, guesses }: Stage, when: string, files = truth.size): Promise<Score> {
  const some = [...truth].slice(0, files);
  const told = await reader.jsonOf(some.map(([file]) => file));
  return sum(some.map(([file, lines], i) => judge(`${when} ${file}`, { lines, guesses }, told[i]?.lines ?? [])));
}
