import fs from 'node:fs';
import path from 'node:path';
import type { CommandFor, FilesBefore, HookFile } from '../capture/adapter.ts';
import { AGENTS } from '../capture/index.ts';
import { Fault } from '../fault.ts';
import { findLeftLocks } from '../git/broken-refs.ts';
import { holder } from '../git/lock.ts';
import { atLeast, gitVersion, type Repository } from '../git/repository.ts';
import { projectCommand, userCommand, withHooks } from './agents.ts';
import { textOf } from './bytes.ts';
import { lstat, readText, realFile } from './files.ts';
import { SHIMS } from './hook-file.ts';
import type { ChainRecord } from './hooks-path.ts';
import { findLeftPayloads } from './left-payloads.ts';
import { type NotesHealth, readNotes } from './notes-health.ts';
import { findInTheWay, findLinked, type InTheWay, type Linked } from './odd-files.ts';
import { ownPaths, type Places, placesOf, type Surroundings } from './places.ts';
import { CONFIG_HOOKS_SINCE, type ConfigValues, hasJj, installedIn, readInstalled, readValues } from './survey.ts';
import { type FoundHooks, surveyHooks } from './survey-hooks.ts';
import { FIX, INIT, UPGRADE } from './verdict.ts';

/** Everything that `doctor` looks at: gathered first, judged afterwards. */
export interface Health {
  readonly git: string;
  readonly node: string;
  readonly agentDir: string;
  /** Null: `init` was not run. */
  readonly mode: number | null;
  /** What is wrong with `installed.json`. */
  readonly damage: { readonly said: string; readonly mend: string } | null;
  /** What stands where our files belong. */
  readonly inTheWay: readonly InTheWay[];
  readonly linked: readonly Linked[];
  readonly configHooks: boolean;
  readonly hooks: FoundHooks;
  readonly local: ConfigValues;
  readonly global: ConfigValues;
  readonly shims: readonly { readonly path: string; readonly there: boolean }[];
  readonly program: { readonly node: string; readonly script: string; readonly there: boolean } | null;
  readonly agents: readonly AgentHealth[];
  readonly userShim: { readonly path: string; readonly there: boolean };
  readonly notes: readonly NotesHealth[];
  readonly remotes: readonly string[];
  readonly jj: boolean;
  readonly journal: { readonly facts: number; readonly torn: number } | null;
  readonly payloads: number;
  readonly log: readonly string[];
  readonly lock: 'free' | 'held' | 'stale' | 'blocked';
  /** Locks of our refs that some git has left behind. */
  readonly refLocks: readonly { readonly file: string; readonly age: number }[];
  /** Payloads that hooks have left among the temporary files. */
  readonly leftPayloads: readonly string[];
  readonly freeBytes: number;
  readonly skipped: ReadonlyMap<string, number>;
}

export interface AgentHealth {
  readonly name: string;
  readonly wanted: boolean;
  readonly present: boolean;
  readonly path: string;
  readonly state: 'in place' | 'missing' | 'invalid';
  /** A setting of the agent that keeps our hooks from running, and its file. */
  readonly disabled: string | null;
  /** What the user has not said yes to, and it wants. */
  readonly asks: string | null;
}

/** Longer journals are judged by their last part. */
const JOURNAL_PART = 8 << 20;
const LOG_LINES = 3;
/** Notes, sessions that are shared, and what was fetched of either. */
const OUR_REFS = { under: ['refs/notes', 'refs/agent'], wanted: /^refs\/(notes\/(.+\/)?)?agent\// };

export async function gatherHealth(repository: Repository, world: Surroundings): Promise<Health> {
  const { place, commonDir } = repository;
  const places = placesOf(commonDir, world);
  const own = ownPaths(places, SHIMS);
  const version = await gitVersion(place);
  const { record, damage } = readRecord(places.agentDir);
  const local = await readValues(place, '--local');
  const there = (file: string) => ({ path: file, there: fs.existsSync(file) });
  const stat = fs.statSync(places.agentDir, { throwIfNoEntry: false });
  // one of them gone is a damage; deinit takes them all
  const left = [own.program, own.since, installedIn(places.agentDir)].some((file) => lstat(file) !== undefined);
  return {
    git: version,
    node: process.versions.node,
    agentDir: places.agentDir,
    mode: stat === undefined || !left ? null : stat.mode & 0o7777,
    damage,
    inTheWay: findInTheWay(places.agentDir, [own.missed, own.userShim]),
    linked: findLinked(places.agentDir),
    configHooks: atLeast(version, CONFIG_HOOKS_SINCE),
    hooks: await surveyHooks(repository, { project: false, record }),
    local,
    global: await readValues(place, '--global'),
    shims: [...own.shims.values()].map(there),
    program: readProgram(own.program),
    agents: readAgents(places, world, repository.worktree),
    userShim: there(own.userShim),
    notes: await readNotes(place),
    remotes: [...local.keys()].flatMap((key) => /^remote\.([\s\S]+)\.fetch$/.exec(key)?.[1] ?? []),
    jj: hasJj(repository),
    journal: readJournal(own.journal, path.join(places.agentDir, 'state.json')),
    payloads: countFiles(path.join(places.agentDir, 'payloads')),
    log: (readText(path.join(places.agentDir, 'hooks.log')) ?? '')
      .split('\n')
      .filter(Boolean)
      .slice(-LOG_LINES)
      .map(textOf),
    lock: holder(commonDir) ? 'held' : lockAt(path.join(places.agentDir, 'lock')),
    refLocks: findLeftLocks(commonDir, OUR_REFS),
    leftPayloads: findLeftPayloads(world.env),
    freeBytes: freeBytes(commonDir),
    skipped: readSkipped(path.join(places.agentDir, 'state.json')),
  };
}

function lockAt(file: string): Health['lock'] {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'free';
  return found.isFile() ? 'stale' : 'blocked';
}

/** `init` stops where its memory is damaged; here it is one more thing to tell. */
function readRecord(agentDir: string): Pick<Health, 'damage'> & { readonly record: ChainRecord | null } {
  try {
    return { record: readInstalled(agentDir).chain, damage: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { version } = error.data;
    const said = `${agentDir}/installed.json is ${version === undefined ? 'damaged' : `of the newer form ${version}`}`;
    return {
      record: null,
      damage: { said, mend: version === undefined ? `${FIX}, or remove it and ${INIT}` : UPGRADE },
    };
  }
}

function readProgram(file: string): Health['program'] {
  const [node = '', script = ''] = textOf(readText(file) ?? '').split('\n');
  return node === '' ? null : { node, script, there: fs.existsSync(node) && fs.existsSync(script) };
}

function readAgents(places: Places, world: Surroundings, worktree: string | null): AgentHealth[] {
  const since = parseObject(readText(path.join(places.agentDir, 'since.json'))).agents;
  return AGENTS.flatMap((setup): AgentHealth[] => {
    const wanted = Array.isArray(since) && since.includes(setup.name);
    const present = lstat(setup.home(world)) !== undefined;
    const all = hookStates(setup.hookFiles, (hooks) => hooks.user(world), userCommand(setup.name, places));
    const user = all.filter(({ asks }) => asks === null);
    const project = hookStates(
      setup.hookFiles,
      ({ project: file }) => (worktree === null || file === undefined ? undefined : path.join(worktree, file)),
      projectCommand(setup.name),
    );
    const inProject = project.length > 0 && project.every(({ state }) => state === 'in place');
    // the first that is not as it should be tells
    const [first] = inProject ? project : [...user.filter(({ state }) => state !== 'in place'), ...user];
    if (!first) return [];
    const switches = setup.name === 'claude-code' ? managedSettings() : [];
    const disabled = [...switches, user[0]?.path ?? ''].map(disabledBy).find((said) => said !== null) ?? null;
    const asked = inProject ? undefined : all.find(({ asks, state }) => asks !== null && state !== 'in place');
    return [{ name: setup.name, wanted, present, ...first, disabled, asks: asked?.asks ?? null }];
  });
}

type HookState = Pick<AgentHealth, 'path' | 'state' | 'asks'>;

function hookStates(
  files: readonly HookFile[],
  pathOf: (hooks: HookFile) => string | undefined,
  command: CommandFor,
): HookState[] {
  const before = new Map<string, { path: string; named: string; text: string }>();
  return files.flatMap((hooks): HookState[] => {
    const file = pathOf(hooks);
    if (file === undefined) return [];
    const text = readText(file);
    before.set(hooks.name, { path: realFile(file), named: file, text: text === undefined ? '' : textOf(text) });
    return [{ path: file, state: stateOf(hooks, text, { command, before }), asks: hooks.asks ?? null }];
  });
}

function stateOf(
  hooks: HookFile,
  text: string | undefined,
  how: { readonly command: CommandFor; readonly before: FilesBefore },
): AgentHealth['state'] {
  if (text === undefined) return 'missing';
  const edited = withHooks(hooks, textOf(text), how);
  if ('refused' in edited) return 'invalid';
  return edited.text === textOf(text) ? 'in place' : 'missing';
}

/** Settings of the machine's administrator, which go before the user's. */
function managedSettings(): string[] {
  return process.platform === 'darwin'
    ? ['/Library/Application Support/ClaudeCode/managed-settings.json']
    : ['/etc/claude-code/managed-settings.json'];
}

function disabledBy(file: string): string | null {
  const settings = parseObject(readText(file));
  const key = ['disableAllHooks', 'allowManagedHooksOnly'].find((name) => settings[name] === true);
  return key === undefined ? null : `${key} in ${file}`;
}

/** Lines that cannot be read stay where they are: those that were told once are no news. */
function readJournal(file: string, state: string): Health['journal'] {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return null;
  const { size } = found;
  const part = Buffer.alloc(Math.min(size, JOURNAL_PART));
  const handle = fs.openSync(file, 'r');
  try {
    fs.readSync(handle, part, 0, part.length, size - part.length);
  } finally {
    fs.closeSync(handle);
  }
  const text = part.toString('latin1');
  const linesFrom = (start: number) => text.slice(start).split('\n').filter(Boolean);
  const isFact = (line: string) => typeof parseObject(line).fact === 'string';
  const from = size > part.length ? text.indexOf('\n') + 1 : 0;
  const { told } = parseObject(readText(state));
  const known = typeof told === 'number' && told <= size ? told - (size - part.length) : 0;
  return {
    facts: linesFrom(from).filter(isFact).length,
    torn: linesFrom(Math.max(from, known)).filter((line) => !isFact(line)).length,
  };
}

function countFiles(folder: string): number {
  return fs.existsSync(folder) ? fs.readdirSync(folder).length : 0;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

/** How often a kind of input was not understood, as the work counted it. */
function readSkipped(file: string): ReadonlyMap<string, number> {
  const skipped = parseObject(readText(file)).skipped;
  const entries = typeof skipped === 'object' && skipped !== null ? Object.entries(skipped) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0));
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
