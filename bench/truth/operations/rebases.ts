import type { Operation, Stage } from '../stage.ts';
import { clash, meanwhile, partsOf, start, topic, whole } from './histories.ts';

/** A rebase -i of the three commits upon what they stand on. */
const interactive =
  (todo: string): Operation =>
  (stage) => {
    const one = topic(stage);
    stage.rebase(todo, 'main');
    stage.is(whole(one));
  };

function onto(stage: Stage, rebase: () => void): void {
  const one = topic(stage);
  const { top, m } = meanwhile(stage, one.base);
  stage.git('checkout', '-q', 'topic');
  rebase();
  stage.is({ ...whole(one), 'f.ts': [...top, ...partsOf(one, 'ahb')], 'm.ts': m });
}

/** Fixups of the first commit, with so many commits of others in between. */
const autosquash =
  (between: readonly number[]): Operation =>
  (stage) => {
    const { pen } = stage;
    const base = start(stage);
    let a = pen.lines('s1', 4);
    stage.put('a.ts', 's1', a);
    stage.commit('a');
    const others = new Map<string, ReturnType<typeof pen.lines>>();
    for (const [i, count] of between.entries()) {
      for (let k = 0; k < count; k++) {
        const [name, by] = [`o${i}${k}.ts`, k % 2 === 0 ? 'me' : 's4'];
        others.set(name, pen.lines(by, 3));
        stage.put(name, by, others.get(name) ?? []);
        stage.commit(name);
      }
      const by = i % 2 === 0 ? 's2' : 'me';
      a = [...a.slice(0, 2 + i), ...pen.lines(by, 2), ...a.slice(2 + i)];
      stage.put('a.ts', by, a);
      stage.commit('fixup! a');
    }
    stage.shop.gitWith({ GIT_SEQUENCE_EDITOR: 'true' }, 'rebase', '-q', '-i', '--autosquash', '--root');
    stage.is({ 'f.ts': base, 'a.ts': a, ...Object.fromEntries(others) });
  };

export type Resolution = 'ours' | 'theirs' | 'both' | 'person' | 'agent';

/** Who resolves a conflict, and how; gives the truth. */
export function resolve(
  stage: Stage,
  how: Resolution,
  { mine, theirs, with: surround }: ReturnType<typeof clash>,
  watched: boolean,
): void {
  const { pen } = stage;
  if (how === 'agent') {
    const fresh = [pen.own('s9'), ...pen.instead('s9', 2, [...mine, ...theirs])];
    stage.put('f.ts', 's9', surround(fresh));
    stage.is({ 'f.ts': surround(fresh) });
    return;
  }
  const fresh = [pen.own('me'), ...pen.instead('me', 1, [...mine, ...theirs])].map((line) =>
    watched ? line : { ...line, unseen: true as const },
  );
  const lines = {
    ours: surround(mine),
    theirs: surround(theirs),
    both: surround(mine, theirs),
    person: surround(fresh),
  }[how];
  stage.put('f.ts', 'me', lines);
  stage.is({ 'f.ts': lines });
}

const conflict =
  (how: Resolution, by: 'rebase' | 'merge' | 'cherry-pick'): Operation =>
  (stage) => {
    const one = clash(stage);
    if (by === 'cherry-pick') stage.git('checkout', '-q', 'main');
    const stopped = stage.stops(by, by === 'cherry-pick' ? 'topic' : 'main');
    if (!stopped) throw new Error('there was to be a conflict');
    resolve(stage, how, one, by === 'merge');
    if (how === 'ours' && by !== 'merge') {
      stage.git('add', '-A');
      stage.git(by, '--skip');
    } else if (by === 'merge') stage.commit('merged');
    else stage.resume(by);
  };

function conflicts(by: 'rebase' | 'merge' | 'cherry-pick'): Record<string, Operation> {
  const ways: Resolution[] = ['ours', 'theirs', 'both', 'person', 'agent'];
  return Object.fromEntries(ways.map((how) => [`${by} conflict: ${how}`, conflict(how, by)]));
}

export const REBASES: Record<string, Operation> = {
  'rebase plain': (stage) => onto(stage, () => stage.git('rebase', '-q', 'main')),
  'rebase apply backend': (stage) => onto(stage, () => stage.git('rebase', '-q', '--apply', 'main')),
  'rebase onto': (stage) => {
    const one = topic(stage);
    const { m } = meanwhile(stage, one.base);
    // only the last two commits go
    stage.git('rebase', '-q', '--onto', 'main~1', 'topic~2', 'topic');
    stage.is({ 'f.ts': partsOf(one, 'hb'), 'h.ts': one.hFile, 'b.ts': one.bFile });
    stage.git('show', 'main:m.ts');
    if (m.length === 0) throw new Error('nothing happened meanwhile');
  },
  'rebase squash': interactive('2,3s/pick/squash/'),
  'rebase fixup': interactive('2,3s/pick/fixup/'),
  'rebase reword': interactive('1s/pick/reword/'),
  'rebase reorder': interactive('1{h;d};2{G}'),
  'rebase reorder and squash': interactive('1{h;d};2{G};3s/pick/squash/'),
  'rebase exec': (stage) => {
    const one = topic(stage);
    stage.git('rebase', '-q', '--force-rebase', '--exec', 'true', 'main');
    stage.is(whole(one));
  },
  'rebase exec that amends': (stage) => {
    const one = topic(stage);
    stage.git('rebase', '-q', '--force-rebase', '--exec', 'git commit -q --amend -m other', 'main');
    stage.is(whole(one));
  },
  'rebase drop': (stage) => {
    const one = topic(stage);
    stage.rebase('2d', 'main');
    stage.is({ 'f.ts': partsOf(one, 'ab'), 'a.ts': one.aFile, 'b.ts': one.bFile });
  },
  'rebase edit': (stage) => {
    const one = topic(stage);
    stage.rebase('1s/pick/edit/', 'main');
    const more = stage.pen.lines('s5', 2);
    stage.put('a.ts', 's5', [...one.aFile.slice(0, 2), ...more, ...one.aFile.slice(2)]);
    stage.commit('a, edited', '--amend');
    stage.resume();
    stage.is({ ...whole(one), 'a.ts': [...one.aFile.slice(0, 2), ...more, ...one.aFile.slice(2)] });
  },
  'rebase split': (stage) => {
    const one = topic(stage);
    stage.rebase('1s/pick/edit/', 'main');
    stage.git('reset', '-q', 'HEAD~1');
    stage.git('add', 'a.ts');
    stage.git('commit', '-q', '-m', 'first half');
    stage.commit('second half');
    stage.resume();
    stage.is(whole(one));
  },
  'rebase abort': (stage) => {
    const one = clash(stage);
    stage.stops('rebase', 'main');
    stage.git('rebase', '--abort');
    stage.is({ 'f.ts': one.with(one.theirs) });
  },
  'autosquash adjacent': autosquash([0]),
  'autosquash non-adjacent': autosquash([2]),
  'autosquash interleaved': autosquash([1, 2, 1]),
  ...conflicts('rebase'),
  ...conflicts('merge'),
  ...conflicts('cherry-pick'),
};
