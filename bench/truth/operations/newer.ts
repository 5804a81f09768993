import { execFileSync, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import type { Operation, Stage } from '../stage.ts';
import { meanwhile, partsOf, topic, whole } from './histories.ts';

/** A git that has `git history` and `git replay`, where there is one. */
function findNewGit(): string | undefined {
  const ones = [process.env.GIT255 ?? path.join(os.homedir(), '.cache/test-tools/git255/git'), 'git'];
  return ones.find((one) => {
    const { stdout } = spawnSync(one, ['--list-cmds=builtins'], { encoding: 'utf8' });
    return /^history$/m.test(stdout ?? '');
  });
}

const newGit = findNewGit();

function run(stage: Stage, ...args: string[]): string {
  const env = { ...process.env, HOME: stage.shop.home, GIT_EDITOR: 'true' };
  return execFileSync(newGit ?? 'git', args, { cwd: stage.shop.dir, env, encoding: 'utf8', stdio: 'pipe' });
}

const all: Record<string, Operation> = {
  'git replay': (stage) => {
    const one = topic(stage);
    const { top, m } = meanwhile(stage, one.base);
    run(stage, 'replay', '--onto', 'main', 'main..topic');
    stage.git('checkout', '-q', 'topic');
    stage.is({ ...whole(one), 'f.ts': [...top, ...partsOf(one, 'ahb')], 'm.ts': m });
  },
  'git history reword': (stage) => {
    const one = topic(stage);
    run(stage, 'history', 'reword', 'HEAD~1');
    stage.is(whole(one));
  },
};

export const NEWER: Record<string, Operation> = newGit === undefined ? {} : all;
