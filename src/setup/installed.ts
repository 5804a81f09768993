import { Fault } from '../fault.ts';
import { isLinked } from './chain.ts';
import type { FoundFile } from './hook-file.ts';
import type { ChainRecord } from './hooks-path.ts';

/** What of a file is ours, when it is no longer as we left it: our block in a hook, or the hooks in an agent's settings. */
export type Ours = 'block' | { readonly agent: string; readonly file?: string };

/** A file of somebody else that we changed. */
export interface ChangedFile {
  readonly path: string;
  readonly ours: Ours;
  readonly before: FoundFile;
  /** What we wrote, latin1. */
  readonly after: string;
  /** What stood there was kept beside it as `NAME.before-agent`. */
  readonly kept: boolean;
}

export interface ConfigValue {
  readonly scope: 'local' | 'global';
  readonly key: string;
  readonly value: string;
}

/** `installed.json`: everything that `deinit` takes back; one in `agent/`, one in the user's data folder. */
export interface Installed {
  readonly version: 1;
  readonly files: readonly ChangedFile[];
  readonly values: readonly ConfigValue[];
  /** Git's configuration file before and after our values, for giving back its exact bytes. */
  readonly config: { readonly path: string; readonly before: string; readonly after: string } | null;
  /** Folders that were not there before us, outermost first. */
  readonly folders: readonly string[];
  /** Our folder in the place of `core.hooksPath`. */
  readonly chain: ChainRecord | null;
}

const INSTALLED_FORMAT = 1;

export const NOTHING_INSTALLED: Installed = {
  version: 1,
  files: [],
  values: [],
  config: null,
  folders: [],
  chain: null,
};

export function printInstalled(installed: Installed): string {
  return `${JSON.stringify(installed, null, 1)}\n`;
}

/** A file that is not ours to understand stops us: guessing what to take back could destroy a user's file. */
export function parseInstalled(text: string, where: string): Installed {
  const broken = new Fault('surroundings', `${where} is damaged: remove it, then run git agent init again.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken;
  }
  if (isRecord(value) && typeof value.version === 'number' && value.version > INSTALLED_FORMAT)
    throw newer(where, value.version);
  if (!isRecord(value) || value.version !== INSTALLED_FORMAT) throw broken;
  // older versions had no chain
  const { files, values, config, folders, chain = null } = value;
  if (!Array.isArray(files) || !files.every(isChangedFile)) throw broken;
  if (!Array.isArray(values) || !values.every(isConfigValue)) throw broken;
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === 'string')) throw broken;
  if (config !== null && !isConfigFile(config)) throw broken;
  if (chain !== null && !isChainRecord(chain)) throw broken;
  return { version: 1, files, values, config, folders, chain };
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

function isFoundFile(value: unknown): value is FoundFile {
  if (!isRecord(value)) return false;
  if (value.kind === 'none') return true;
  const whole = typeof value.text === 'string' && typeof value.mode === 'number';
  return whole && (value.kind === 'file' || (value.kind === 'link' && typeof value.target === 'string'));
}

function isChangedFile(value: unknown): value is ChangedFile {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    (value.ours === 'block' || (isRecord(value.ours) && typeof value.ours.agent === 'string')) &&
    isFoundFile(value.before) &&
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
    typeof value.before === 'string' &&
    typeof value.after === 'string'
  );
}
