import fs from 'node:fs';
import path from 'node:path';
import type { Line } from '../line.ts';
import { type Operation, Stage } from '../stage.ts';
import { clash, meanwhile, partsOf, start, topic, whole } from './histories.ts';

/** The same repository in another work tree of it. */
function linked(stage: Stage, ...args: string[]): Stage {
  const dir = fs.mkdtempSync(path.join(stage.shop.home, 'linked-'));
  stage.git('worktree', 'add', '-q', dir, ...args);
  const other = new Stage(stage.shop.in(dir), stage.pen);
  return Object.assign(other, { guesses: stage.guesses });
}

/** An agent and a person work in a linked work tree while another person works here. */
const besides =
  (bring: (stage: Stage, dir: string) => void): Operation =>
  (stage) => {
    const base = start(stage);
    const there = linked(stage, '-b', 'topic');
    const [a, h] = [
      [stage.pen.own('s1'), ...stage.pen.lines('s1', 3)],
      [stage.pen.own('me'), ...stage.pen.lines('me', 2)],
    ];
    const { top, m } = meanwhile(stage, base);
    there.put('f.ts', 's1', [...base, ...a]);
    there.put('f.ts', 'me', [...base, ...a, ...h]);
    there.commit('there');
    bring(stage, there.shop.dir);
    stage.is({ 'f.ts': [...top, ...base, ...a, ...h], 'm.ts': m });
  };

/** Branches of two hands, each with a file of its own. */
function three(stage: Stage): Record<string, readonly Line[]> {
  const files: Record<string, readonly Line[]> = { 'f.ts': start(stage) };
  for (const [name, by] of [
    ['x', 's1'],
    ['y', 'me'],
    ['z', 's2'],
  ] as const) {
    stage.git('checkout', '-q', '-b', name, 'main');
    const lines = stage.pen.lines(by, 4);
    files[`${name}.ts`] = lines;
    stage.put(`${name}.ts`, by, lines);
    stage.commit(name);
  }
  stage.git('checkout', '-q', 'main');
  return files;
}

/** A commit that says at once what is to become of an earlier one. */
const fixup =
  (kind: string, by: string): Operation =>
  (stage) => {
    const one = topic(stage);
    const more = kind === 'reword' ? [] : [stage.pen.own(by), ...stage.pen.lines(by, 2)];
    const aFile = [...one.aFile.slice(0, 2), ...more, ...one.aFile.slice(2)];
    stage.put('a.ts', by, aFile);
    stage.git('add', '-A');
    stage.shop.gitWith({ GIT_EDITOR: 'true' }, 'commit', '-q', `--fixup=${kind}:HEAD~2`);
    stage.shop.gitWith(
      { GIT_SEQUENCE_EDITOR: 'true', GIT_EDITOR: 'true' },
      ...['rebase', '-q', '-i', '--autosquash', 'main'],
    );
    stage.is({ ...whole(one), 'a.ts': aFile });
  };

/** A conflict that git resolves as it is told. */
const sided =
  (side: 'ours' | 'theirs'): Operation =>
  (stage) => {
    const one = clash(stage);
    stage.git('merge', '-q', '-X', side, '-m', 'merged', 'main');
    stage.is({ 'f.ts': one.with(side === 'ours' ? one.theirs : one.mine) });
  };

export const BRANCHES: Record<string, Operation> = {
  'linked work tree, merge': besides((stage) => void stage.git('merge', '-q', '-m', 'merged', 'topic')),
  'linked work tree, gone, squash': besides((stage, dir) => {
    stage.git('worktree', 'remove', '--force', dir);
    stage.git('merge', '-q', '--squash', 'topic');
    stage.git('commit', '-q', '-m', 'squashed');
  }),
  'linked work tree, cherry-pick': besides((stage) => void stage.git('cherry-pick', 'topic')),
  'octopus merge': (stage) => {
    const files = three(stage);
    stage.git('merge', '-q', '-m', 'all', 'x', 'y', 'z');
    stage.is(files);
  },
  'octopus merge --squash': (stage) => {
    const files = three(stage);
    stage.git('merge', '-q', '--squash', 'x', 'y', 'z');
    stage.git('commit', '-q', '-m', 'all');
    stage.is(files);
  },
  'merge -X ours': sided('ours'),
  'merge -X theirs': sided('theirs'),
  'merge -s ours': (stage) => {
    const one = clash(stage);
    stage.git('merge', '-q', '-s', 'ours', '-m', 'merged', 'main');
    stage.is({ 'f.ts': one.with(one.theirs) });
  },
  'rebase --update-refs': (stage) => {
    const one = topic(stage);
    stage.git('branch', 'lower', 'HEAD~1');
    const { top } = meanwhile(stage, one.base);
    stage.git('checkout', '-q', 'topic');
    stage.git('rebase', '-q', '--update-refs', 'main');
    stage.git('checkout', '-q', 'lower');
    stage.is({ 'f.ts': [...top, ...partsOf(one, 'ah')], 'a.ts': one.aFile, 'h.ts': one.hFile });
  },
  'rebase --rebase-merges': (stage) => {
    const files = three(stage);
    stage.git('checkout', '-q', '-b', 'joined', 'x');
    stage.git('merge', '-q', '-m', 'joined', 'y');
    const { top } = meanwhile(stage, files['f.ts'] ?? []);
    stage.git('checkout', '-q', 'joined');
    stage.git('rebase', '-q', '--rebase-merges', 'main');
    stage.is({ 'f.ts': [...top, ...(files['f.ts'] ?? [])], 'x.ts': files['x.ts'] ?? [], 'y.ts': files['y.ts'] ?? [] });
  },
  'commit --fixup=amend': fixup('amend', 's4'),
  'commit --fixup=amend by a person': fixup('amend', 'me'),
  'commit --fixup=reword': fixup('reword', 's1'),
  'sparse checkout': (stage) => {
    const base = start(stage);
    const [inside, outside] = [stage.pen.lines('s1', 4), stage.pen.lines('me', 4)];
    stage.put('in/a.ts', 's1', inside);
    stage.put('out/h.ts', 'me', outside);
    stage.commit('both');
    stage.git('sparse-checkout', 'set', 'in');
    stage.git('checkout', '-q', '-b', 'topic');
    const more = [...inside, stage.pen.own('me'), ...stage.pen.lines('me', 2)];
    stage.put('in/a.ts', 'me', more);
    stage.commit('inside');
    const { top } = meanwhile(stage, base);
    stage.git('merge', '-q', '--squash', 'topic');
    stage.git('commit', '-q', '-m', 'squashed');
    stage.git('sparse-checkout', 'disable');
    stage.is({ 'f.ts': [...top, ...base], 'in/a.ts': more, 'out/h.ts': outside });
  },
  'read-tree under another folder': (stage) => {
    const one = topic(stage);
    stage.git('checkout', '-q', 'main');
    stage.git('read-tree', '--prefix=vendor/', '-u', 'topic');
    stage.git('commit', '-q', '-m', 'vendored');
    stage.is({ 'vendor/a.ts': one.aFile, 'vendor/h.ts': one.hFile });
  },
};
