import fs from 'node:fs';
import path from 'node:path';
import { unsetConfig } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import { withoutHooks } from './agents.ts';
import { bytesOf, textOf } from './bytes.ts';
import { lstat, readFound, readText, removeFolder, replaceFile, restore } from './files.ts';
import { beforeBlock, type FoundFile, hasBlock, isBare, KEPT, removeBlock, type Standing } from './hook-file.ts';
import { unchainHooksPath } from './hooks-path.ts';
import { beforeOf, type Installed, type RememberedFile } from './installed.ts';
import { digestOf, undoStep } from './step.ts';

/** What to do with one file that we changed; pure. */
export type Return =
  | { readonly kind: 'leave' }
  | { readonly kind: 'restore'; readonly to: Standing }
  | { readonly kind: 'unkeep' };

/** The bytes that were there, if the file is as we left it; else only what is ours goes. */
export function planReturn(file: RememberedFile, now: FoundFile): Return {
  if (now.kind === 'none') return file.kept ? { kind: 'unkeep' } : { kind: 'leave' };
  const before = beforeOf(file, now);
  if (before !== undefined) return file.kept ? { kind: 'unkeep' } : { kind: 'restore', to: before };
  const text = withoutOurs(file, now.text);
  if (text === now.text) return { kind: 'leave' };
  if (text === undefined || (file.before.kind === 'none' && isBare(text)))
    return { kind: 'restore', to: { kind: 'none' } };
  if (file.ours === 'block' && !isBare(text)) {
    const own = beforeBlock(now);
    return own.kept ? { kind: 'unkeep' } : { kind: 'restore', to: own.before };
  }
  return { kind: 'restore', to: { kind: 'file', text, mode: now.mode } };
}

/** Undefined: nothing is left. */
function withoutOurs({ ours }: RememberedFile, text: string): string | undefined {
  if (ours === 'block') return removeBlock(text);
  const edited = withoutHooks(ours, textOf(text));
  if ('refused' in edited) return text;
  return edited.text === undefined ? undefined : bytesOf(edited.text);
}

/** Gives everything back; tells what was done, one line each. */
export async function takeBack(installed: Installed, place: GitPlace): Promise<readonly string[]> {
  const said = installed.files.flatMap((file) => takeBackFile(file));
  if (installed.values.length > 0 || installed.chain !== null) said.push(...(await takeBackValues(installed, place)));
  for (const folder of [...installed.folders].reverse()) removeIfEmpty(folder);
  return said;
}

function takeBackFile(file: RememberedFile): string[] {
  const what = planReturn(file, readFound(file.path));
  // a hook manager may have moved ours aside
  const aside = [`${file.path}.old`, `${file.path}.legacy`].filter(
    (other) => file.ours === 'block' && isOursAlone(other),
  );
  for (const other of aside) fs.rmSync(other, { force: true });
  if (what.kind === 'leave') return aside;
  if (what.kind === 'restore') restore(file.path, what.to);
  else if (lstat(file.path + KEPT) !== undefined) fs.renameSync(file.path + KEPT, file.path);
  else fs.rmSync(file.path, { force: true });
  return [`${file.path}: ${lstat(file.path) === undefined ? 'removed' : 'as it was'}`, ...aside];
}

/** What the configuration was before us; undefined: it is not as we left it. */
function firstBytes({ path: file, steps, after }: NonNullable<Installed['config']>): string | undefined {
  const now = readText(file);
  return now !== undefined && digestOf(now) === after ? steps.reduceRight(undoStep, now) : undefined;
}

function isOursAlone(file: string): boolean {
  const text = readText(file);
  return text !== undefined && hasBlock(text) && isBare(removeBlock(text));
}

async function takeBackValues({ values, config, chain }: Installed, place: GitPlace): Promise<string[]> {
  const first = config === null ? undefined : firstBytes(config);
  for (const value of values) await unsetConfig(place, value);
  const unchained = chain !== null && (await unchainHooksPath(place, chain));
  if (config !== null && first !== undefined && readText(config.path) !== first) {
    replaceFile(config.path, first, fs.statSync(config.path).mode & 0o7777);
  }
  const said = values.map((value) => `${value.scope} configuration: ${value.key.replace(/\.[^.]*$/, '')} as it was`);
  if (unchained) said.push('local configuration: core.hooksPath as it was');
  else if (chain !== null) said.push('local configuration: core.hooksPath left alone, it was set anew since init');
  return [...new Set(said)];
}

export function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // not empty, or gone: both are as they should be
  }
}

/** Removes files that are ours alone. */
export function removeOwn(folder: string, names: readonly string[]): void {
  for (const name of names) removeFolder(path.join(folder, name));
}
