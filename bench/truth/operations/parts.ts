import { execFileSync } from 'node:child_process';
import type { Line } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { start } from './histories.ts';

/** A git that asks about each part of a change, and the answers. */
function answer(stage: Stage, answers: string, ...args: string[]): void {
  const env = { ...process.env, HOME: stage.shop.home };
  const input = `${[...answers].join('\n')}\n`;
  execFileSync('git', args, { cwd: stage.shop.dir, env, input, stdio: ['pipe', 'ignore', 'ignore'] });
}

/** Uncommitted in f.ts: an agent's lines near the top, a person's at the end. */
interface Two {
  readonly a: readonly Line[];
  readonly h: readonly Line[];
  with(parts: string, more?: readonly Line[]): Line[];
}

function two(stage: Stage): Two {
  const base = [...start(stage), ...stage.pen.base(6)];
  stage.put('f.ts', 'me', base);
  stage.commit('longer');
  const { pen } = stage;
  const [a, h] = [
    [pen.own('s1'), ...pen.lines('s1', 2), pen.own('s1')],
    [pen.own('me'), ...pen.lines('me', 2), pen.own('me')],
  ];
  const surround = (parts: string, more: readonly Line[] = []) => [
    ...base.slice(0, 1),
    ...(parts.includes('a') ? a : more),
    ...base.slice(1),
    ...(parts.includes('h') ? h : []),
  ];
  stage.put('f.ts', 's1', surround('a'));
  stage.put('f.ts', 'me', surround('ah'));
  return { a, h, with: surround };
}

/** What one commit takes in part, the next takes whole. */
const inParts =
  (choose: (stage: Stage) => void): Operation =>
  (stage) => {
    const one = two(stage);
    choose(stage);
    stage.commit('rest', '--allow-empty');
    stage.is({ 'f.ts': one.with('ah') });
  };

/** The agent's part is taken back, and a person writes in its place. */
const takenBack =
  (...args: string[]): Operation =>
  (stage) => {
    const one = two(stage);
    answer(stage, 'yn', ...args);
    const fresh = [stage.pen.own('me'), ...stage.pen.instead('me', 2, one.a)];
    stage.put('f.ts', 'me', one.with('h', fresh));
    stage.commit('mine');
    stage.is({ 'f.ts': one.with('h', fresh) });
  };

export const PARTS: Record<string, Operation> = {
  'add -p': inParts((stage) => {
    answer(stage, 'yn', 'add', '-p');
    stage.git('commit', '-q', '-m', 'part');
  }),
  'commit -p': inParts((stage) => answer(stage, 'ny', 'commit', '-q', '-p', '-m', 'part')),
  'reset -p': inParts((stage) => {
    stage.git('add', '-A');
    answer(stage, 'yn', 'reset', '-p');
    stage.git('commit', '-q', '-m', 'part');
  }),
  'stash -p': inParts((stage) => {
    answer(stage, 'yn', 'stash', 'push', '-p');
    stage.commit('part');
    stage.git('stash', 'pop', '-q');
  }),
  'stash -p, a person’s part': inParts((stage) => {
    answer(stage, 'ny', 'stash', 'push', '-p');
    stage.commit('part');
    stage.git('stash', 'pop', '-q');
  }),
  'checkout -p': takenBack('checkout', '-p'),
  'restore -p': takenBack('restore', '-p'),
  'restore -p from another commit': (stage) => {
    const one = two(stage);
    stage.commit('both');
    stage.put('f.ts', 'me', one.with(''));
    stage.commit('neither');
    answer(stage, 'yn', 'restore', '-p', '--source=HEAD~1');
    stage.commit('one again');
    stage.is({ 'f.ts': one.with('a') });
  },
};
