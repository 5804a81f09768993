import fs from 'node:fs';
import path from 'node:path';
import type { Operation, Stage } from '../stage.ts';
import { meanwhile, partsOf, start, topic, whole } from './histories.ts';

/** A file of two hands, committed. */
function twoHands(stage: Stage) {
  start(stage);
  const { pen } = stage;
  const [a, h] = [
    [pen.own('s1'), ...pen.lines('s1', 5)],
    [pen.own('me'), ...pen.lines('me', 5)],
  ];
  stage.put('a.ts', 's1', a);
  stage.put('a.ts', 'me', [...a, ...h]);
  stage.commit('a');
  return { a, h };
}

/** A server and a clone that know nothing of us do the merging; the originals are pruned everywhere. */
const forge =
  (merge: (merger: ReturnType<Stage['shop']['in']>) => void): Operation =>
  async (stage) => {
    const { shop } = stage;
    const one = topic(stage);
    const { top, m } = meanwhile(stage, one.base);
    await shop.work();
    const folder = (name: string) => fs.mkdtempSync(path.join(shop.home, name));
    const server = folder('server-');
    shop.git('clone', '-q', '--bare', shop.dir, server);
    shop.git('push', '-q', server, 'refs/notes/agent/*:refs/notes/agent/*');
    const merger = shop.in(folder('merger-'));
    merger.git('clone', '-q', '-b', 'main', server, '.');
    merge(merger);
    merger.git('push', '-q', 'origin', 'HEAD:main', ':topic');
    shop.git('-C', server, 'reflog', 'expire', '--expire=now', '--all');
    shop.git('-C', server, 'gc', '-q', '--prune=now');
    const fresh = shop.in(folder('fresh-'));
    fresh.git('clone', '-q', '-b', 'main', server, '.');
    fresh.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    stage.reader = fresh;
    stage.is({ ...whole(one), 'f.ts': [...top, ...partsOf(one, 'ahb')], 'm.ts': m });
  };

export const PLACES: Record<string, Operation> = {
  rename: (stage) => {
    const { a, h } = twoHands(stage);
    stage.git('mv', 'a.ts', 'moved.ts');
    stage.commit('move');
    stage.is({ 'moved.ts': [...a, ...h] });
  },
  'rename and edit': (stage) => {
    const { a, h } = twoHands(stage);
    stage.git('mv', 'a.ts', 'moved.ts');
    const more = stage.pen.lines('s2', 2);
    stage.put('moved.ts', 's2', [...a, ...more, ...h]);
    stage.commit('move');
    stage.is({ 'moved.ts': [...a, ...more, ...h] });
  },
  'move between files by a person': (stage) => {
    const { a, h } = twoHands(stage);
    const base = stage.pen.base(3);
    stage.put('to.ts', 'me', base);
    stage.commit('to');
    stage.put('a.ts', 'me', [...a.slice(0, 1), ...h]);
    const moved = a.slice(1).filter(({ text }) => text.startsWith('ai'));
    if (moved.length < 2) return stage.is({ 'a.ts': [...a.slice(0, 1), ...h] });
    stage.put('to.ts', 'me', [...base, ...moved]);
    stage.commit('move');
    stage.is({ 'a.ts': [...a.slice(0, 1), ...h], 'to.ts': [...base, ...moved] });
  },
  'move within a file by a person': (stage) => {
    const { a, h } = twoHands(stage);
    stage.put('a.ts', 'me', [...h, ...a]);
    stage.commit('turn');
    stage.is({ 'a.ts': [...h, ...a] });
  },
  'forge: squash merge': forge((merger) => {
    merger.git('merge', '-q', '--squash', 'origin/topic');
    merger.git('commit', '-q', '-m', 'topic (#1)');
  }),
  'forge: rebase merge': forge((merger) => {
    merger.git('checkout', '-q', '-B', 'work', 'origin/topic');
    merger.git('rebase', '-q', '--force-rebase', 'origin/main');
  }),
};
