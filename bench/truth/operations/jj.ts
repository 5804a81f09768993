import { JJ, type JjWorkshop, type Layout, openJjWorkshop } from '../../../test/jj/jj-workshop.ts';
import { wanderInJj } from '../jj-walk.ts';
import type { Line } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';

/** Three changes of jj: lines of an agent and of a person in one file, a person's file, another agent's. */
interface Stack {
  readonly base: readonly Line[];
  readonly a: readonly Line[];
  readonly h: readonly Line[];
  readonly b: readonly Line[];
}

const [START, A, H, B] = ['start', 'a', 'h', 'b'].map((name) => `subject(exact:"${name}")`) as [
  string,
  string,
  string,
  string,
];

function stack(stage: Stage, shop: JjWorkshop): Stack {
  const { pen } = stage;
  const base = pen.base(4);
  stage.put('base.ts', 'me', base);
  shop.jj('commit', '-m', 'start');
  const first = pen.lines('s1', 4);
  stage.put('a.ts', 's1', first);
  const a = [...first.slice(0, 2), ...pen.between('me', 2, [first[1], first[2]]), ...first.slice(2)];
  stage.put('a.ts', 'me', a);
  shop.jj('commit', '-m', 'a');
  const h = pen.lines('me', 4);
  stage.put('h.ts', 'me', h);
  shop.jj('commit', '-m', 'h');
  const b = pen.lines('s2', 4);
  stage.put('b.ts', 's2', b);
  shop.jj('commit', '-m', 'b');
  return { base, a, h, b };
}

const whole = ({ base, a, h, b }: Stack) => ({ 'base.ts': base, 'a.ts': a, 'h.ts': h, 'b.ts': b });

type JjOperation = (shop: JjWorkshop, one: Stack, stage: Stage) => Record<string, readonly Line[]> | undefined;

/** What the operation leaves as it was, unless it says otherwise. */
function inJj(layout: Layout, operation: JjOperation): Operation {
  const play = (stage: Stage) => {
    const shop = stage.shop as JjWorkshop;
    const one = stack(stage, shop);
    stage.is(operation(shop, one, stage) ?? whole(one));
  };
  return Object.assign(play, { open: () => openJjWorkshop(layout) });
}

const all: Record<string, JjOperation> = {
  commit: () => undefined,
  describe: (shop) => void shop.jj('describe', '-m', 'a\n\nwith a body', A),
  squash: (shop) => void shop.jj('squash', '-r', B, '-m', 'h'),
  'squash into an ancestor': (shop) => void shop.jj('squash', '--from', B, '--into', A, '-m', 'a'),
  rebase: (shop, one) => {
    shop.jj('rebase', '-r', B, '-d', START);
    shop.jj('new', B);
    return { 'base.ts': one.base, 'b.ts': one.b };
  },
  split: (shop) => {
    shop.jj('squash', '--from', B, '--into', A, '-m', 'a');
    shop.jj('split', '-r', A, '-m', 'first', 'a.ts');
    return undefined;
  },
  absorb: (shop, one, stage) => {
    const added = stage.pen.own('s3');
    const a = [...one.a.slice(0, 1), added, ...one.a.slice(2)];
    stage.put('a.ts', 's3', a);
    shop.jj('absorb');
    return { ...whole(one), 'a.ts': a };
  },
  duplicate: (shop, one) => {
    shop.jj('duplicate', A, '-d', START);
    shop.jj('new', `heads(${A})`);
    return { 'base.ts': one.base, 'a.ts': one.a };
  },
  abandon: (shop, { base, a, b }) => {
    shop.jj('abandon', H);
    return { 'base.ts': base, 'a.ts': a, 'b.ts': b };
  },
  'reorder through a conflict': (shop, one, stage) => {
    const added = [stage.pen.own('s3'), stage.pen.own('s3')];
    const a = [...one.a.slice(0, 3), ...added, ...one.a.slice(3)];
    stage.put('a.ts', 's3', a);
    shop.jj('commit', '-m', 'c');
    // upon the start there is no such file: it stands in conflict there, and what git sees of that is one side
    shop.jj('rebase', '-r', 'subject(exact:"c")', '--insert-before', A);
    return { ...whole(one), 'a.ts': a.map((line) => ({ ...line, unseen: true as const })) };
  },
  undo: (shop) => {
    shop.jj('squash', '-r', B, '-m', 'h');
    shop.jj('undo');
    return undefined;
  },
};

const LAYOUTS: readonly Layout[] = ['colocated', 'apart'];

export const JJ_OPERATIONS: Record<string, Operation> =
  JJ === undefined
    ? {}
    : Object.fromEntries(
        LAYOUTS.flatMap((layout) =>
          Object.entries(all).map(([name, operation]) => [`jj ${name}, ${layout}`, inJj(layout, operation)]),
        ),
      );

/** Random sequences of them, by layout. */
export const JJ_WALKS: Record<string, Operation> =
  JJ === undefined
    ? {}
    : Object.fromEntries(
        LAYOUTS.map((layout) => {
          const walk: Operation = (stage) => wanderInJj(stage);
          return [`random, jj ${layout}`, Object.assign(walk, { open: () => openJjWorkshop(layout) })];
        }),
      );
