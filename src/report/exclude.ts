import { encodePath } from '../git/paths.ts';
import type { Glob } from './glob.ts';
import type { ExcludedWhy } from './run.ts';

/** Files that package managers write: nobody's lines, whoever ran the program. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  '.terraform.lock.hcl',
  'Brewfile.lock.json',
  'Cargo.lock',
  'Cartfile.resolved',
  'Chart.lock',
  'Gemfile.lock',
  'Gopkg.lock',
  'MODULE.bazel.lock',
  'Package.resolved',
  'Pipfile.lock',
  'Podfile.lock',
  'buf.lock',
  'bun.lock',
  'bun.lockb',
  'cabal.project.freeze',
  'composer.lock',
  'conan.lock',
  'conda-lock.yml',
  'cpanfile.snapshot',
  'deno.lock',
  'devbox.lock',
  'flake.lock',
  'gems.locked',
  'glide.lock',
  'go.sum',
  'go.work.sum',
  'gradle.lockfile',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'paket.lock',
  'pdm.lock',
  'pixi.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pubspec.lock',
  'pylock.toml',
  'rebar.lock',
  'renv.lock',
  'shard.lock',
  'stack.yaml.lock',
  'uv.lock',
  'yarn.lock',
]);

export interface ExcludeRules {
  /** What git attributes say of `linguist-generated`; a path of which they say nothing is not there. */
  readonly generated: ReadonlyMap<string, boolean>;
  /** The policy's `exclude`. */
  readonly patterns: readonly Glob[];
}

/** Why a file is not counted; undefined where it is. Binary files are known by their contents, not here. */
export function whyExcluded(path: string, { generated, patterns }: ExcludeRules): ExcludedWhy | undefined {
  const name = readablePath(path);
  if (matchesAny(name, patterns)) return 'policy';
  const said = generated.get(path);
  if (said === true) return 'generated';
  return said === undefined && isLockFile(name) ? 'lock file' : undefined;
}

export function isLockFile(path: string): boolean {
  return LOCK_FILES.has(path.slice(path.lastIndexOf('/') + 1));
}

/** A value as `git check-attr` prints it: only `-linguist-generated` and `=false` say no. */
export function parseGenerated(value: string): boolean | undefined {
  if (value === 'unspecified') return undefined;
  return value !== 'unset' && value !== 'false';
}

/** A path that is not UTF-8 is kept quoted; patterns see it as a person does, with one character for what cannot be read. */
export function readablePath(path: string): string {
  return path.startsWith('"') ? encodePath(path).toString('utf8') : path;
}

export function matchesAny(text: string, patterns: readonly Glob[]): boolean {
  return patterns.some(({ matches }) => matches(text));
}
