import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { addConfig } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import { bytesOf } from './bytes.ts';
import type { Change, Level, Plan } from './change.ts';
import { lstat, readFound, readText, realFile, replaceFile, restore } from './files.ts';
import { KEPT } from './hook-file.ts';
import { chainHooksPath, unchainHooksPath } from './hooks-path.ts';
import { type ConfigValue, type Installed, printInstalled, remembered } from './installed.ts';
import type { Places } from './places.ts';
import { digestOf, type Step, stepBetween } from './step.ts';
import { installedIn, readInstalled } from './survey.ts';

/**
 * Does what the plan says. What will be changed is remembered before anything is, so that an `init` that was killed is
 * completed by the next one and taken back by `deinit`.
 */
export async function carryOut(
  plan: Plan,
  places: Pick<Places, 'commonDir' | 'agentDir' | 'userDir'>,
  place: GitPlace,
): Promise<void> {
  checkWritable(plan.changes);
  const folders = plan.changes.filter((change) => change.kind === 'own-folder');
  for (const { path: folder } of folders) makeOwnFolder(folder);
  for (const level of ['repository', 'user'] as const) {
    const changes = plan.changes.filter((change) => levelOf(change) === level);
    const folder = level === 'repository' ? places.agentDir : places.userDir;
    if (changes.length > 0 || isBegun(plan, folder)) remember(changes, folder);
  }
  for (const change of plan.changes) {
    if (change.kind === 'own-file') makeOwnFile(change.path, change.text, change.mode);
    else if (change.kind === 'own-lines') addOwnLines(change.path, change.text);
    else if (change.kind === 'file') makeFile(change);
  }
  const values = plan.changes.filter((change) => change.kind === 'value' || change.kind === 'hooks-path');
  const local = values.filter((change) => levelOf(change) === 'repository');
  if (local.length > 0) await changeOwnConfig(local, places, place);
  for (const change of values) if (levelOf(change) === 'user') await changeConfig(change, null, place);
  for (const change of plan.changes) if (change.kind === 'own-gone') fs.rmSync(change.path, { force: true });
}

/** Something is put there, and nothing remembered: also where all of it is ours, folders above it may not have been there. */
function isBegun({ changes }: Plan, folder: string): boolean {
  const own = changes.some(
    (change) => (change.kind === 'own-file' || change.kind === 'own-lines') && path.dirname(change.path) === folder,
  );
  return own && lstat(installedIn(folder)) === undefined;
}

function levelOf(change: Change): Level | undefined {
  if (change.kind === 'file') return change.level;
  if (change.kind === 'hooks-path') return 'repository';
  if (change.kind !== 'value') return undefined;
  return change.value.scope === 'local' ? 'repository' : 'user';
}

function makeOwnFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.chmodSync(folder, 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault('surroundings', `The folder ${folder} cannot be made, nothing was changed: ${why}`);
  }
}

function makeOwnFile(file: string, text: string, mode: number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, text, mode);
}

function addOwnLines(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.appendFileSync(file, Buffer.from(text, 'latin1'), { mode: 0o600 });
}

function remember(changes: readonly Change[], folder: string): void {
  const installed = readInstalled(folder);
  const files = changes.flatMap((change) => (change.kind === 'file' ? [remembered(change.file)] : []));
  const values = changes.flatMap((change) => (change.kind === 'value' ? [change.value] : []));
  const chain = changes.flatMap((change) => (change.kind === 'hooks-path' && change.chain ? [change.chain] : []));
  const made = [folder, ...files.map((file) => path.dirname(file.path))].flatMap(missingFolders);
  writeInstalled(folder, {
    ...installed,
    files: [...new Map([...installed.files, ...files].map((file) => [file.path, file])).values()],
    values: [...installed.values.filter((old) => !values.some((value) => sameValue(value, old))), ...values],
    folders: [...new Set([...installed.folders, ...made])],
    chain: chain.at(-1) ?? installed.chain,
  });
}

function sameValue(a: ConfigValue, b: ConfigValue): boolean {
  return a.scope === b.scope && a.key === b.key && a.value === b.value;
}

/** Folders that have to be made for a file, outermost first. */
function missingFolders(folder: string): string[] {
  return lstat(folder) === undefined ? [...missingFolders(path.dirname(folder)), folder] : [];
}

export function writeInstalled(folder: string, installed: Installed): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFile(installedIn(folder), bytesOf(printInstalled(installed)), 0o600);
}

function makeFile({ file, mode }: Extract<Change, { kind: 'file' }>): void {
  fs.mkdirSync(path.dirname(file.path), { recursive: true });
  // the old hook is there under both names before the new one takes its place: at no moment does git find none
  if (file.kept && lstat(file.path + KEPT) === undefined) {
    const there = readFound(file.path);
    if (there.kind === 'link') restore(file.path + KEPT, there);
    else if (there.kind === 'file') fs.linkSync(file.path, file.path + KEPT);
  }
  replaceFile(file.path, file.after, mode);
}

/** `chain` is what we remember of the last time. */
async function changeConfig(change: Change, chain: Installed['chain'], place: GitPlace): Promise<void> {
  if (change.kind === 'value') await addConfig(place, change.value);
  else if (change.kind !== 'hooks-path') return;
  else if (change.chain !== null) await chainHooksPath(place, change.chain);
  else if (chain !== null) await unchainHooksPath(place, chain);
}

/** The same for the repository's own, remembering what of the file's bytes changed: git itself gives them back exactly only where it has laid the file out itself. */
async function changeOwnConfig(
  changes: readonly Change[],
  { agentDir, commonDir }: Pick<Places, 'agentDir' | 'commonDir'>,
  place: GitPlace,
): Promise<void> {
  const file = realFile(path.join(commonDir, 'config'));
  const before = readText(file) ?? '';
  const installed = readInstalled(agentDir);
  const steps: Step[] = [];
  let now = before;
  for (const change of changes) {
    const last = now;
    await changeConfig(change, installed.chain, place);
    now = readText(file) ?? '';
    steps.push(stepBetween(last, now));
  }
  const known = stepsTo(before, installed.config);
  const unchained = changes.some((change) => change.kind === 'hooks-path' && change.chain === null);
  writeInstalled(agentDir, {
    ...installed,
    config: known === undefined ? null : { path: file, steps: [...known, ...steps], after: digestOf(now) },
    chain: unchained ? null : installed.chain,
  });
}

/** Stands in every value of ours. */
const OURS = /git-agent-blame|refs\/notes\/agent\/|agent\/hooks\/chain/;

/** The steps that led to these bytes. Undefined: nobody knows any more how ours came into them, so no step back is one to what was there before. */
function stepsTo(bytes: string, config: Installed['config']): readonly Step[] | undefined {
  if (config?.after === digestOf(bytes)) return config.steps;
  return OURS.test(bytes) ? undefined : [];
}

/** Looks before anything is changed whether everything can be. */
function checkWritable(changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind === 'value' || change.kind === 'hooks-path') continue;
    const target = change.kind === 'file' ? change.file.path : change.path;
    const folder = nearestThere(path.dirname(target));
    try {
      fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
      if (!fs.statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Fault('surroundings', `${target} cannot be written, so nothing was changed: ${why}`);
    }
  }
}

function nearestThere(folder: string): string {
  return lstat(folder) === undefined ? nearestThere(path.dirname(folder)) : folder;
}
