import { Fault } from '../fault.ts';
import { isLinked } from './chain.ts';
import type { FoundFile, Standing } from './hook-file.ts';
import type { ChainRecord } from './hooks-path.ts';
import { fromFirst } from './installed-first.ts';
import { digestOf, type Step, stepBetween, undoStep } from './step.ts';

/** What of a file is ours, when it is no longer as we left it: our block in a hook, or the hooks in an agent's settings. */
export type Ours = 'block' | { readonly agent: string; readonly file?: string };

/** A file of somebody else that we change. */
export interface ChangedFile {
  readonly path: string;
  readonly ours: Ours;
  readonly before: Standing;
  /** What we write, latin1. */
  readonly after: string;
  /** What stood there is kept beside it as `NAME.before-agent`. */
  readonly kept: boolean;
}

/** What is remembered of it: enough to give back every byte as long as it is as we left it, and no more, since secrets may stand in the rest. */
export interface RememberedFile extends Pick<ChangedFile, 'path' | 'ours' | 'kept'> {
  readonly before:
    | Exclude<Standing, { readonly kind: 'file' }>
    | { readonly kind: 'file'; readonly step: Step; readonly mode: number };
  /** The digest of what we wrote. */
  readonly after: string;
}

export interface ConfigValue {
  readonly scope: 'local' | 'global';
  readonly key: string;
  readonly value: string;
}

/** `installed.json`: everything that `deinit` takes back; one in `agent/`, one in the user's data folder. */
export interface Installed {
  readonly version: 2;
  readonly files: readonly RememberedFile[];
  readonly values: readonly ConfigValue[];
  /** How our values came into git's configuration file, in order, and the digest of what it was then: for giving back its exact bytes. */
  readonly config: { readonly path: string; readonly steps: readonly Step[]; readonly after: string } | null;
  /** Folders that were not there before us, outermost first. */
  readonly folders: readonly string[];
  /** Our folder in the place of `core.hooksPath`. */
  readonly chain: ChainRecord | null;
}

export const INSTALLED_FORMAT = 2;

export const NOTHING_INSTALLED: Installed = {
  version: 2,
  files: [],
  values: [],
  config: null,
  folders: [],
  chain: null,
};

export function remembered({ path, ours, before, after, kept }: ChangedFile): RememberedFile {
  return { path, ours, before: kept ? { kind: 'none' } : withoutText(before, after), after: digestOf(after), kept };
}

function withoutText(before: Standing, after: string): RememberedFile['before'] {
  switch (before.kind) {
    case 'none':
      return before;
    case 'link':
      return { kind: 'link', target: before.target };
    case 'file':
      return { kind: 'file', step: stepBetween(before.text, after), mode: before.mode };
  }
}

/** What stood there before us; undefined: it is not as we left it. */
export function beforeOf({ before, after }: RememberedFile, now: FoundFile): Standing | undefined {
  if (now.kind === 'none' || digestOf(now.text) !== after) return undefined;
  return before.kind === 'file' ? { kind: 'file', text: undoStep(now.text, before.step), mode: before.mode } : before;
}

export function printInstalled(installed: Installed): string {
  return `${JSON.stringify(installed, null, 1)}\n`;
}

/** A file that is not ours to understand stops us: guessing what to take back could destroy a user's file. */
export function parseInstalled(text: string, where: string): Installed {
  const words = `${where} is damaged: remove it, then run git agent init again.`;
  const broken = new Fault('surroundings', words, { damaged: true });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken;
  }
  if (!isRecord(value) || typeof value.version !== 'number') throw broken;
  if (value.version > INSTALLED_FORMAT) throw newer(where, value.version);
  // older versions had no chain
  const { files, values, config, folders, chain = null } = value.version === 1 ? fromFirst(value) : value;
  if (!Array.isArray(files) || !files.every(isRememberedFile)) throw broken;
  if (!Array.isArray(values) || !values.every(isConfigValue)) throw broken;
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === 'string')) throw broken;
  if (config !== null && !isConfigFile(config)) throw broken;
  if (chain !== null && !isChainRecord(chain)) throw broken;
  return { version: INSTALLED_FORMAT, files, values, config, folders, chain };
}

/** Not damaged, and not to be removed. */
function newer(where: string, version: number): Fault {
  const words = `${where} is of form ${version}, this program knows ${INSTALLED_FORMAT}: install a newer one.`;
  return new Fault('surroundings', words, { version });
}

function isChainRecord(value: unknown): value is ChainRecord {
  return isRecord(value) && typeof value.value === 'string' && isLinked(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBefore(value: unknown): value is RememberedFile['before'] {
  if (!isRecord(value)) return false;
  if (value.kind === 'none') return true;
  if (value.kind === 'link') return typeof value.target === 'string';
  return value.kind === 'file' && isStep(value.step) && typeof value.mode === 'number';
}

function isStep(value: unknown): value is Step {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.at) &&
    Number.isSafeInteger(value.added) &&
    typeof value.removed === 'string'
  );
}

function isRememberedFile(value: unknown): value is RememberedFile {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    (value.ours === 'block' || (isRecord(value.ours) && typeof value.ours.agent === 'string')) &&
    isBefore(value.before) &&
    typeof value.after === 'string' &&
    typeof value.kept === 'boolean'
  );
}

function isConfigValue(value: unknown): value is ConfigValue {
  return (
    isRecord(value) &&
    (value.scope === 'local' || value.scope === 'global') &&
    typeof value.key === 'string' &&
    typeof value.value === 'string'
  );
}

function isConfigFile(value: unknown): value is NonNullable<Installed['config']> {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    Array.isArray(value.steps) &&
    value.steps.every(isStep) &&
    typeof value.after === 'string'
  );
}
