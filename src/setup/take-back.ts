import fs from 'node:fs';
import path from 'node:path';
import { unsetConfig } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import { withoutHooks } from './agents.ts';
import { bytesOf, textOf } from './bytes.ts';
import { lstat, readFound, readText, removeFolder, replaceFile, restore } from './files.ts';
import { type FoundFile, hasBlock, isBare, KEPT, removeBlock } from './hook-file.ts';
import { unchainHooksPath } from './hooks-path.ts';
import type { ChangedFile, Installed } from './installed.ts';

/** What to do with one file that we changed; pure. */
export type Return =
  | { readonly kind: 'leave' }
  | { readonly kind: 'restore'; readonly to: FoundFile }
  | { readonly kind: 'unkeep' };

/** The bytes that were there, if the file is as we left it; else only what is ours goes. */
export function planReturn(file: ChangedFile, now: FoundFile): Return {
  if (now.kind === 'none') return file.kept ? { kind: 'unkeep' } : { kind: 'leave' };
  if (now.text === file.after) return file.kept ? { kind: 'unkeep' } : { kind: 'restore', to: file.before };
  const text = withoutOurs(file, now.text);
  if (text === now.text) return { kind: 'leave' };
  if (text === undefined || (file.before.kind === 'none' && isBare(text)))
    return { kind: 'restore', to: { kind: 'none' } };
  return { kind: 'restore', to: { kind: 'file', text, mode: now.mode } };
}

/** Undefined: nothing is left. */
function withoutOurs({ ours }: ChangedFile, text: string): string | undefined {
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

function takeBackFile(file: ChangedFile): string[] {
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

function isOursAlone(file: string): boolean {
  const text = readText(file);
  return text !== undefined && hasBlock(text) && isBare(removeBlock(text));
}

async function takeBackValues({ values, config, chain }: Installed, place: GitPlace): Promise<string[]> {
  const untouched = config !== null && readText(config.path) === config.after;
  for (const value of values) await unsetConfig(place, value);
  const unchained = chain !== null && (await unchainHooksPath(place, chain));
  if (untouched && readText(config.path) !== config.before) {
    replaceFile(config.path, config.before, fs.statSync(config.path).mode & 0o7777);
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
