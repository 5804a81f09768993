import type { JjWorkshop } from '../../test/jj/jj-workshop.ts';
import type { Line } from './line.ts';
import type { Stage } from './stage.ts';

type Files = ReadonlyMap<string, readonly Line[]>;

/** A change and the files that it alone brings: so no step ends in a conflict, and what stands at the end is known. */
interface Change {
  readonly name: string;
  readonly files: Files;
}

const HANDS = ['me', 's1', 's2', 'me', 's3'];
const LENGTH = 14;

/** A walk through jj that a seed decides. */
class Walk {
  readonly stage: Stage;
  readonly shop: JjWorkshop;
  /** The oldest first; what is being worked on is none of them yet. */
  stack: readonly Change[] = [];
  here: Files = new Map();
  #names = 0;

  constructor(stage: Stage) {
    this.stage = stage;
    this.shop = stage.shop as JjWorkshop;
  }

  name(): string {
    return `c${++this.#names}`;
  }

  /** A hand writes a block into a file of the change that is being worked on, or a new one. */
  write(files: Files): Files {
    const { pen } = this.stage;
    const by = pen.pick(HANDS);
    const file = files.size > 0 && pen.below(2) === 0 ? pen.pick([...files.keys()]) : `${this.name()}.ts`;
    const old = files.get(file) ?? [];
    const at = pen.below(old.length + 1);
    const fresh = [pen.own(by), ...pen.between(by, 1 + pen.below(3), [old[at - 1], old[at]]), pen.own(by)];
    const next = [...old.slice(0, at), ...fresh, ...old.slice(at)];
    this.stage.put(file, by, next);
    return new Map([...files, [file, next]]);
  }

  edit(): void {
    this.here = this.write(this.here);
  }

  commit(): void {
    if (this.here.size === 0) return;
    const change = { name: this.name(), files: this.here };
    this.shop.jj('commit', '-m', change.name);
    this.stack = [...this.stack, change];
    this.here = new Map();
  }

  /** Puts some in the place of one. */
  replace(one: Change, ...others: readonly Change[]): void {
    this.stack = this.stack.flatMap((change) => (change === one ? others : [change]));
  }

  describe(): void {
    const one = this.stage.pen.pick(this.stack);
    const name = this.name();
    this.shop.jj('describe', '-m', `${name}\n\nwith a body`, revision(one));
    this.replace(one, { ...one, name });
  }

  /** Into its parent, or into any other. */
  squash(): void {
    const [from, into] = this.two();
    const files = new Map([...into.files, ...from.files]);
    const near = this.stack[this.stack.indexOf(from) - 1] === into;
    const words = near ? ['-r', revision(from)] : ['--from', revision(from), '--into', revision(into)];
    this.shop.jj('squash', ...words, '-m', into.name);
    this.replace(from);
    this.replace(into, { ...into, files });
  }

  reorder(): void {
    const [one, other] = this.two();
    const before = this.stage.pen.below(2) === 0;
    this.shop.jj('rebase', '-r', revision(one), before ? '--insert-before' : '--insert-after', revision(other));
    this.replace(one);
    this.replace(other, ...(before ? [one, other] : [other, one]));
  }

  split(): void {
    const one = this.stack.find(({ files }) => files.size > 1);
    const [first] = one?.files.keys() ?? [];
    if (!one || first === undefined) return;
    const part = { name: this.name(), files: new Map([...one.files].filter(([file]) => file === first)) };
    this.shop.jj('split', '-r', revision(one), '-m', part.name, first);
    this.replace(one, part, { ...one, files: new Map([...one.files].filter(([file]) => file !== first)) });
  }

  /** A hand changes a line that an older change has brought, and jj takes it there. */
  absorb(): void {
    this.commit();
    const { pen } = this.stage;
    const one = pen.pick(this.stack);
    const [file, lines] = pen.pick([...one.files]);
    const [at, by] = [pen.below(lines.length), pen.pick(HANDS)];
    const next = lines.map((line, i) => (i === at ? pen.own(by) : line));
    this.stage.put(file, by, next);
    this.shop.jj('absorb');
    this.replace(one, { ...one, files: new Map([...one.files, [file, next]]) });
  }

  /** A hand goes on in an older change; all that stand upon it follow. */
  goBack(): void {
    this.commit();
    const [one, tip] = [this.stage.pen.pick(this.stack), this.stack.at(-1)];
    if (!tip) return;
    this.shop.jj('edit', revision(one));
    this.replace(one, { ...one, files: this.write(one.files) });
    this.shop.jj('new', revision(tip));
  }

  abandon(): void {
    if (this.stack.length < 4) return;
    const one = this.stage.pen.pick(this.stack);
    this.shop.jj('abandon', revision(one));
    this.replace(one);
  }

  duplicate(): void {
    const one = this.stage.pen.pick(this.stack);
    this.shop.jj('duplicate', revision(one));
    this.shop.jj('abandon', `${revision(one)} ~ ::@`);
  }

  undo(): void {
    const [from, into] = this.two();
    this.shop.jj('squash', '--from', revision(from), '--into', revision(into), '-m', into.name);
    this.shop.jj('undo');
  }

  two(): readonly [Change, Change] {
    const { pen } = this.stage;
    const one = pen.pick(this.stack);
    return [one, pen.pick(this.stack.filter((other) => other !== one))];
  }
}

function revision({ name }: Change): string {
  return `subject(exact:"${name}")`;
}

type Step = Exclude<keyof Walk, 'stage' | 'shop' | 'stack' | 'here' | 'name' | 'write' | 'replace' | 'two'>;

const STEPS: readonly Step[] = [
  ...(['edit', 'edit', 'edit', 'commit', 'commit', 'squash', 'reorder', 'goBack', 'absorb'] as const),
  ...(['describe', 'split', 'abandon', 'duplicate', 'undo'] as const),
];

export async function wanderInJj(stage: Stage): Promise<void> {
  const walk = new Walk(stage);
  while (walk.stack.length < 3) {
    walk.edit();
    walk.commit();
  }
  for (let i = 0; i < LENGTH; i++) {
    const step = stage.pen.pick(STEPS);
    if (walk.stack.length > 2 || step === 'edit' || step === 'commit') walk[step]();
    if (stage.pen.below(5) === 0) await stage.shop.work();
  }
  walk.commit();
  for (const { files } of walk.stack) stage.is(Object.fromEntries(files));
}
