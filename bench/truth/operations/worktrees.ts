import type { Line } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { clash, meanwhile, partsOf, start, topic, whole } from './histories.ts';

interface Dirty {
  readonly f: readonly Line[];
  readonly n: readonly Line[];
}

/** Uncommitted: an agent's and a person's lines in f.ts, a new file of an agent. */
function dirty(stage: Stage, base: readonly Line[]): Dirty {
  const { pen } = stage;
  let f = [...base.slice(0, 5), ...pen.lines('s1', 3), ...base.slice(5)];
  stage.put('f.ts', 's1', f);
  f = [...f, pen.own('me'), ...pen.lines('me', 2)];
  stage.put('f.ts', 'me', f);
  const n = pen.lines('s2', 4);
  stage.put('n.ts', 's2', n);
  return { f, n };
}

const stash =
  (push: readonly string[], pop: readonly string[] = ['pop']): Operation =>
  (stage) => {
    const { f, n } = dirty(stage, start(stage));
    if (push.includes('--staged')) stage.git('add', '-A');
    stage.git('stash', ...push);
    stage.git('stash', ...pop);
    stage.commit('popped');
    stage.is({ 'f.ts': f, 'n.ts': n });
  };

export const WORKTREES: Record<string, Operation> = {
  'dirty, asked as it is': (stage) => {
    const { f } = dirty(stage, start(stage));
    stage.is({ 'f.ts': f });
  },
  'stash push, pop': stash(['push', '-q', '-u']),
  'stash save, apply': stash(['save', '-q', '-u', 'words'], ['apply', '-q']),
  'stash -a': stash(['push', '-q', '-a']),
  'stash --keep-index': (stage) => {
    const { f, n } = dirty(stage, start(stage));
    stage.git('add', 'n.ts');
    stage.git('stash', 'push', '-q', '--keep-index');
    stage.commit('kept');
    stage.git('checkout', '-q', 'stash@{0}', '--', 'f.ts');
    stage.commit('rest');
    stage.is({ 'f.ts': f, 'n.ts': n });
  },
  'stash --staged': stash(['push', '-q', '--staged']),
  'stash pop --index': stash(['push', '-q', '-u'], ['pop', '-q', '--index']),
  'stash branch': stash(['push', '-q', '-u'], ['branch', 'other']),
  'stash on another branch': (stage) => {
    const base = start(stage);
    const { top, m } = meanwhile(stage, base);
    stage.git('checkout', '-q', '-b', 'old', 'main~1');
    const { f, n } = dirty(stage, base);
    stage.git('stash', 'push', '-q', '-u');
    stage.git('checkout', '-q', 'main');
    stage.git('stash', 'pop', '-q');
    stage.commit('popped');
    stage.is({ 'f.ts': [...top, ...f], 'n.ts': n, 'm.ts': m });
  },
  'stash with a conflict': (stage) => {
    const one = clash(stage);
    // of a line that stood there already, the agent is not the author
    const more = [stage.pen.own('s7'), ...stage.pen.instead('s7', 1, [...one.theirs, ...one.mine])];
    stage.put('f.ts', 's7', one.with(more));
    stage.git('stash', 'push', '-q');
    stage.git('checkout', '-q', 'main');
    if (!stage.stops('stash', 'pop')) throw new Error('there was to be a conflict');
    stage.put('f.ts', 'me', one.with(one.mine, more));
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.mine, more) });
  },
  'checkout with dirty files': (stage) => {
    const base = start(stage);
    stage.git('branch', 'other');
    const { f, n } = dirty(stage, base);
    stage.git('checkout', '-q', 'other');
    stage.commit('there');
    stage.is({ 'f.ts': f, 'n.ts': n });
  },
  'checkout --merge with dirty files': (stage) => {
    const base = start(stage);
    const { top, m } = meanwhile(stage, base);
    stage.git('checkout', '-q', '-b', 'old', 'main~1');
    const { f, n } = dirty(stage, base);
    stage.git('checkout', '-q', '--merge', 'main');
    stage.commit('there');
    stage.is({ 'f.ts': [...top, ...f], 'n.ts': n, 'm.ts': m });
  },
  'pull --rebase with autostash': (stage) => {
    const one = topic(stage);
    const { top, m } = meanwhile(stage, one.base);
    stage.git('checkout', '-q', 'topic');
    const n = stage.pen.lines('s6', 3);
    stage.put('a.ts', 's6', [...one.aFile, ...n]);
    stage.git('pull', '-q', '--rebase', '--autostash', '.', 'main');
    stage.commit('rest');
    stage.is({ ...whole(one), 'a.ts': [...one.aFile, ...n], 'f.ts': [...top, ...partsOf(one, 'ahb')], 'm.ts': m });
  },
  'add in parts': (stage) => {
    const base = start(stage);
    const first = stage.pen.lines('s1', 3);
    stage.put('f.ts', 's1', [...base, ...first]);
    stage.git('add', 'f.ts');
    const second = stage.pen.lines('me', 3);
    stage.put('f.ts', 'me', [...second, ...base, ...first]);
    stage.git('commit', '-q', '-m', 'first');
    stage.commit('second');
    stage.is({ 'f.ts': [...second, ...base, ...first] });
  },
};
