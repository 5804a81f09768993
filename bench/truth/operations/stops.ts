import fs from 'node:fs';
import path from 'node:path';
import { type Line, textOf } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { clash, start } from './histories.ts';
import { type Resolution, resolve } from './rebases.ts';

/** The topic's commit as a mail, applied to main; with a rebase, topic is checked out. */
const STOPS: Readonly<Record<string, (stage: Stage) => readonly string[]>> = {
  am: (stage) => {
    const patches = fs.mkdtempSync(path.join(stage.shop.home, 'patches-'));
    stage.git('format-patch', '-q', '-o', patches, '-1', 'topic');
    stage.git('checkout', '-q', 'main');
    return ['am', '-q', '-3', path.join(patches, fs.readdirSync(patches)[0] ?? '')];
  },
  'rebase --apply': () => ['rebase', '-q', '--apply', 'main'],
};

/** Git stops in the old way of applying patches, and somebody resolves. */
const stopped =
  (by: string, how: Resolution): Operation =>
  (stage) => {
    const one = clash(stage);
    const command = STOPS[by]?.(stage) ?? [];
    if (!stage.stops(...command)) throw new Error('there was to be a conflict');
    resolve(stage, how, one, false);
    stage.resume(command[0]);
  };

/** An agent's shell runs git, which stops; it resolves and goes on, in `parts` commands. */
const byShell =
  (git: string, parts: 'one' | 'two' | 'edit'): Operation =>
  (stage) => {
    const one = clash(stage);
    const { pen, shop } = stage;
    if (git === 'cherry-pick') stage.git('checkout', '-q', 'main');
    const fresh = [pen.own('s9'), ...pen.instead('s9', 2, [...one.mine, ...one.theirs])];
    const lines = one.with(fresh);
    stage.guesses.see(lines);
    const begin = `git ${git} -q ${git === 'cherry-pick' ? 'topic' : 'main'}`.replace('pick -q', 'pick');
    const write = `cat > f.ts <<'END'\n${textOf(lines)}END\n`;
    const on =
      git === 'merge'
        ? "git add -A && git commit -q -m 'merged'"
        : `git add -A && GIT_EDITOR=true git ${git} --continue`;
    if (parts === 'one') shop.shell(`${begin}\n${write}${on}`, 's9');
    else {
      shop.shell(begin, 's9');
      if (parts === 'edit') shop.ai('f.ts', textOf(lines), 's9');
      else shop.shell(write, 's9');
      shop.shell(on, 's9');
    }
    if (shop.status !== 0) throw new Error('the agent could not go on');
    stage.is({ 'f.ts': lines });
  };

/** One line of a hand is taken out and committed; the revert of that is committed by hand. Nothing tells that git brought it: a person may have typed it. */
const revertedLine =
  (by: string): Operation =>
  (stage) => {
    const base = start(stage);
    const line = stage.pen.own(by);
    const whole = [...base.slice(0, 4), line, ...base.slice(4)];
    stage.put('f.ts', by, whole);
    stage.commit('line');
    stage.put('f.ts', 'me', base);
    stage.commit('without');
    stage.git('revert', '-n', 'HEAD');
    stage.commit('again');
    const unseen = { ...line, unseen: true as const };
    stage.is({ 'f.ts': whole.map((one) => (one === line ? unseen : one)) });
  };

const common = (by: string, ...texts: string[]): Line[] => texts.map((text) => ({ text, by }));

/** Blocks of nothing but what everybody writes, in a file that was changed on both sides. */
const weakSquash: Operation = (stage) => {
  const base = start(stage);
  const [a, b] = [common('s1', '}', '  return null;'), common('me', '  return null;', '}', '}')];
  const topic = (parts: string) => [
    ...base.slice(0, 3),
    ...(parts.includes('a') ? a : []),
    ...base.slice(3, 6),
    ...(parts.includes('b') ? b : []),
    ...base.slice(6),
  ];
  stage.git('checkout', '-q', '-b', 'topic');
  stage.put('f.ts', 's1', topic('a'));
  stage.commit('a');
  stage.put('f.ts', 'me', topic('ab'));
  stage.commit('b');
  stage.git('checkout', '-q', 'main');
  const top = [stage.pen.own('s2'), ...common('s2', '}')];
  stage.put('f.ts', 's2', [...top, ...base]);
  stage.commit('meanwhile');
  stage.git('merge', '-q', '--squash', 'topic');
  stage.git('commit', '-q', '-m', 'squashed');
  stage.is({ 'f.ts': [...top, ...topic('ab')] });
};

const WAYS: readonly Resolution[] = ['theirs', 'both', 'person', 'agent'];

export const STOPPED: Record<string, Operation> = {
  ...Object.fromEntries(
    Object.keys(STOPS).flatMap((by) => WAYS.map((how) => [`${by} conflict: ${how}`, stopped(by, how)])),
  ),
  ...Object.fromEntries(
    ['rebase', 'merge', 'cherry-pick'].flatMap((git) => [
      [`an agent’s shell: ${git}, resolved in one command`, byShell(git, 'one')],
      [`an agent’s shell: ${git}, resolved by a command`, byShell(git, 'two')],
      [`an agent’s shell: ${git}, resolved by an edit`, byShell(git, 'edit')],
    ]),
  ),
  'revert -n of a person’s line': revertedLine('me'),
  'revert -n of an agent’s line': revertedLine('s1'),
  'squash of blocks that say nothing': weakSquash,
};
