import type { Line } from '../line.ts';
import type { Stage } from '../stage.ts';

/** What stands where after `topic`. */
export interface Topic {
  readonly base: readonly Line[];
  /** Of session s1, in f.ts after the third line of the base, and in a.ts. */
  readonly a: readonly Line[];
  readonly aFile: readonly Line[];
  /** Of a person, at the end of f.ts, and in h.ts. */
  readonly h: readonly Line[];
  readonly hFile: readonly Line[];
  /** Of session s2, after the first line of f.ts, and in b.ts. */
  readonly b: readonly Line[];
  readonly bFile: readonly Line[];
}

export function start(stage: Stage): readonly Line[] {
  const base = stage.pen.base(9);
  stage.put('f.ts', 'me', base);
  stage.commit('start');
  return base;
}

/** f.ts with the parts of some of the three commits. */
export function partsOf({ base, a, h, b }: Topic, parts: string): Line[] {
  const when = (part: string, lines: readonly Line[]) => (parts.includes(part) ? lines : []);
  return [base[0] as Line, ...when('b', b), ...base.slice(1, 5), ...when('a', a), ...base.slice(5), ...when('h', h)];
}

/** Three commits by three hands on a branch `topic`, each in the common file and in one of its own. */
export function topic(stage: Stage): Topic {
  const { pen } = stage;
  const base = start(stage);
  const one: Topic = {
    base,
    a: pen.lines('s1', 3),
    aFile: pen.lines('s1', 4),
    h: pen.lines('me', 2),
    hFile: pen.lines('me', 4),
    b: pen.lines('s2', 3),
    bFile: pen.lines('s2', 3),
  };
  stage.git('checkout', '-q', '-b', 'topic');
  stage.put('f.ts', 's1', partsOf(one, 'a'));
  stage.put('a.ts', 's1', one.aFile);
  stage.commit('a');
  stage.put('f.ts', 'me', partsOf(one, 'ah'));
  stage.put('h.ts', 'me', one.hFile);
  stage.commit('h');
  stage.put('f.ts', 's2', partsOf(one, 'ahb'));
  stage.put('b.ts', 's2', one.bFile);
  stage.commit('b');
  return one;
}

export function whole(one: Topic): Record<string, readonly Line[]> {
  return { 'f.ts': partsOf(one, 'ahb'), 'a.ts': one.aFile, 'h.ts': one.hFile, 'b.ts': one.bFile };
}

/** Meanwhile on main: lines of a person at the top of f.ts, and a file of session s3. */
export function meanwhile(stage: Stage, base: readonly Line[]): { top: readonly Line[]; m: readonly Line[] } {
  const [top, m] = [[...stage.pen.lines('me', 2), stage.pen.own('me')], stage.pen.lines('s3', 3)];
  stage.git('checkout', '-q', 'main');
  stage.put('f.ts', 'me', [...top, ...base]);
  stage.put('m.ts', 's3', m);
  stage.commit('meanwhile');
  return { top, m };
}

export interface Clash {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** Of session s1, on topic. */
  readonly theirs: readonly Line[];
  /** Of a person, on main. */
  readonly mine: readonly Line[];
  /** f.ts with these lines in the middle. */
  with(...middle: (readonly Line[])[]): Line[];
}

/** The same line changed on topic by an agent and on main by a person; topic is checked out. */
export function clash(stage: Stage): Clash {
  const { pen } = stage;
  const base = pen.base(9);
  const [before, after] = [base.slice(0, 4), base.slice(5)];
  const surround = (...middle: (readonly Line[])[]) => [...before, ...middle.flat(), ...after];
  const replaced = base.slice(4, 5);
  const theirs = [pen.own('s1'), ...pen.instead('s1', 2, replaced)];
  const mine = [pen.own('me'), ...pen.instead('me', 1, [...replaced, ...theirs])];
  stage.put('f.ts', 'me', base);
  stage.commit('start');
  stage.git('checkout', '-q', '-b', 'topic');
  stage.put('f.ts', 's1', surround(theirs));
  stage.commit('agent');
  stage.git('checkout', '-q', 'main');
  stage.put('f.ts', 'me', surround(mine));
  stage.commit('person');
  stage.git('checkout', '-q', 'topic');
  return { before, after, theirs, mine, with: surround };
}
