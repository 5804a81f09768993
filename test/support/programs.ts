import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { atLeast } from '../../src/git/repository.ts';
import { build } from '../cli/program.ts';
import { removeFolder } from './remove.ts';
import { makeFolder } from './repository.ts';
import { compileSources } from './sources.ts';

const shared = globalThis as { testFolders?: Promise<readonly string[]> };

/** Vitest asks for every project, and each has its own copy of this module: the first one builds for all. */
export async function setup({ vitest }: Pick<TestProject, 'vitest'>): Promise<() => void> {
  shared.testFolders ??= prepare(vitest.config.watch);
  const folders = await shared.testFolders;
  return () => folders.forEach(removeFolder);
}

/** The programs are built once for all test files; their processes inherit where. */
async function prepare(watch: boolean): Promise<readonly string[]> {
  // who watches changes them while tests run: vite then compiles them itself, and knows which tests they concern
  const [dir, sources] = await Promise.all([build(), watch ? undefined : compileSources()]);
  process.env.TEST_PROGRAMS = dir;
  if (sources !== undefined) process.env.TEST_SOURCES = sources;
  return [dir, sources, ownHome()].filter((folder) => folder !== undefined);
}

/** Git before 2.32 does not know GIT_CONFIG_GLOBAL: tests would read the user's own settings, and write to them. */
function ownHome(): string | undefined {
  const said = execFileSync('git', ['version'], { encoding: 'utf8' });
  if (atLeast(said.replace('git version ', '').trim(), '2.32')) return undefined;
  const home = makeFolder('home');
  fs.copyFileSync(path.join(import.meta.dirname, 'gitconfig'), path.join(home, '.gitconfig'));
  process.env.TEST_TOOLS ??= path.join(os.homedir(), '.cache/test-tools');
  process.env.GIT255 ??= path.join(process.env.TEST_TOOLS, 'git255/git');
  process.env.HOME = home;
  return home;
}
