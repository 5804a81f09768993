import fs from 'node:fs';
import path from 'node:path';
import type { Line } from '../line.ts';
import type { Operation } from '../stage.ts';
import { meanwhile, partsOf, start, topic, whole } from './histories.ts';

/** The three commits brought to main by other means. */
const bring =
  (how: (stage: Parameters<Operation>[0]) => void): Operation =>
  (stage) => {
    const one = topic(stage);
    const { top, m } = meanwhile(stage, one.base);
    how(stage);
    stage.is({ ...whole(one), 'f.ts': [...top, ...partsOf(one, 'ahb')], 'm.ts': m });
  };

const reset =
  (mode: string): Operation =>
  (stage) => {
    const one = topic(stage);
    stage.git('reset', '-q', mode, 'main');
    stage.commit('one');
    stage.is(whole(one));
  };

export const COMMITS: Record<string, Operation> = {
  commit: (stage) => stage.is(whole(topic(stage))),
  amend: (stage) => {
    start(stage);
    let a = stage.pen.lines('s1', 4);
    stage.put('a.ts', 's1', a);
    stage.commit('a');
    for (const by of ['me', 's2', 'me']) {
      a = [...a.slice(0, 2), ...stage.pen.between(by, 2, [a[1], a[2]]), ...a.slice(2)];
      stage.put('a.ts', by, a);
      stage.commit('a', '--amend');
    }
    stage.is({ 'a.ts': a });
  },
  'amend, only words': (stage) => {
    const one = topic(stage);
    stage.git('commit', '-q', '--amend', '-m', 'other words');
    stage.is(whole(one));
  },
  'merge --squash': bring((stage) => {
    stage.git('merge', '-q', '--squash', 'topic');
    stage.git('commit', '-q', '-m', 'squashed');
  }),
  merge: bring((stage) => void stage.git('merge', '-q', '-m', 'merged', 'topic')),
  'cherry-pick': bring((stage) => void stage.git('cherry-pick', 'main~1..topic')),
  'cherry-pick -x': bring((stage) => void stage.git('cherry-pick', '-x', 'main~1..topic')),
  'cherry-pick -n': bring((stage) => {
    stage.git('cherry-pick', '-n', 'main~1..topic');
    stage.git('commit', '-q', '-m', 'picked');
  }),
  'commit-tree': (stage) => {
    const one = topic(stage);
    const made = stage.git('commit-tree', '-p', 'main', '-m', 'plumbed', 'topic^{tree}');
    stage.git('update-ref', 'refs/heads/main', made);
    stage.git('checkout', '-q', 'main');
    stage.is(whole(one));
  },
  am: bring((stage) => {
    const patches = fs.mkdtempSync(path.join(stage.shop.home, 'patches-'));
    stage.git('format-patch', '-q', '-o', patches, 'main~1..topic');
    stage.git('am', '-q', '-3', ...fs.readdirSync(patches).map((file) => path.join(patches, file)));
  }),
  'filter-branch': (stage) => {
    const one = topic(stage);
    const filter = ['filter-branch', '-f', '--msg-filter', 'sed s/^/x/', 'main..topic'];
    stage.shop.gitWith({ FILTER_BRANCH_SQUELCH_WARNING: '1' }, ...filter);
    stage.is(whole(one));
  },
  'revert of a deletion': (stage) => {
    const one = topic(stage);
    stage.git('rm', '-q', 'a.ts');
    stage.put('f.ts', 'me', partsOf(one, 'hb'));
    stage.commit('delete');
    stage.git('revert', '--no-edit', 'HEAD');
    stage.is(whole(one));
  },
  'revert of a revert': (stage) => {
    const one = topic(stage);
    stage.git('revert', '--no-edit', 'HEAD~2');
    stage.git('revert', '--no-edit', 'HEAD');
    stage.is(whole(one));
  },
  'reset --soft': reset('--soft'),
  'reset --mixed': reset('--mixed'),
  'reset --keep': (stage) => {
    const one = topic(stage);
    const more = stage.pen.lines('s6', 3);
    stage.put('n.ts', 's6', more);
    stage.git('reset', '-q', '--keep', 'topic~1');
    stage.commit('kept');
    stage.is({ 'f.ts': partsOf(one, 'ah'), 'a.ts': one.aFile, 'h.ts': one.hFile, 'n.ts': more });
  },
  'squash of 100 commits': (stage) => {
    start(stage);
    stage.git('checkout', '-q', '-b', 'topic');
    let lines: Line[] = [];
    for (let i = 0; i < 100; i++) {
      const by = ['s1', 'me', 's2', 's3'][i % 4] ?? 'me';
      const at = stage.pen.below(lines.length + 1);
      lines = [...lines.slice(0, at), stage.pen.own(by), ...stage.pen.lines(by, 1), ...lines.slice(at)];
      stage.put('a.ts', by, lines);
      stage.commit(`step ${i}`);
    }
    stage.rebase('2,$s/pick/fixup/', 'main');
    stage.is({ 'a.ts': lines });
  },
};
