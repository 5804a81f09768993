import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/** A git that keeps refs in tables and can bring them there, reflogs too (2.48): that of the test tools, or the machine's own. */
const GIT = [process.env.GIT255 ?? path.join(os.homedir(), '.cache/test-tools/git255/git'), 'git'].find((git) => {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(spawnSync(git, ['version'], { encoding: 'utf8' }).stdout) ?? [];
  return Number(major) > 2 || Number(minor) >= 48;
});

export const hasTables = GIT !== undefined;

// the program under test runs in this process and looks for git on the path
if (GIT && path.isAbsolute(GIT)) process.env.PATH = `${path.dirname(GIT)}${path.delimiter}${process.env.PATH}`;
