import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { agent } from '../../src/commands/agent.ts';
import { blame } from '../../src/commands/blame.ts';
import { inWorld, type Outcome } from '../cli/program.ts';
import { findHead, type Model, makeLike, modelOf } from './model.ts';
import { removeFolder } from './remove.ts';
import { makeFolder, makeRepository, type RepositoryOptions } from './repository.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** Milliseconds between the words of a story, where it should take as long as in life: git's clock knows seconds. */
const PACE = Number(process.env.PACE ?? 0);
const SHIM = path.join(ROOT, 'git-hooks', 'agent-hook');

export interface BlameJson {
  readonly revision: string | null;
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly commit: string | null;
    readonly type: 'ai' | 'human' | 'mixed' | 'unknown';
    readonly evidence: string | null;
    readonly via: string | null;
    readonly reason: string | null;
    readonly model: string | null;
    readonly session: string | null;
    readonly event: string | null;
    readonly tool: { readonly name: string } | null;
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

export interface WorkshopOptions extends RepositoryOptions {
  /** Names for `init --agents`; false: no init at all. */
  readonly agents?: string | false;
}

/**
 * A repository in which a person and agents work, told in words. Agents speak through the real shim with payloads in Claude Code's shape,
 * and leave a transcript; git and its hooks are real; the background work is not started, so that readers must see what is pending.
 */
export async function openWorkshop({ agents = 'claude-code', ...options }: WorkshopOptions = {}): Promise<Workshop> {
  if (agents === false) return new Workshop(makeRepository(options).dir, makeFolder('home'));
  const key = JSON.stringify([agents, options]);
  const model = models.get(key);
  if (model) return openLike(model);
  const shop = new Workshop(makeRepository(options).dir, makeFolder('home'));
  await shop.init(agents);
  models.set(key, { from: shop, dir: modelOf(shop.dir), home: modelOf(shop.home) });
  return shop;
}

/** The first workshop of its kind in a process is really made; the others are copies of it. */
interface WorkshopModel {
  readonly from: Workshop;
  readonly dir: Model;
  readonly home: Model;
}
const models = new Map<string, WorkshopModel>();

/** A workshop in which something was done before the test begins: done once in a process, and copied for the others. */
export async function openPrepared(key: string, prepare: () => Promise<Workshop>): Promise<Workshop> {
  const model = models.get(key);
  if (model) {
    const shop = copyOf(model);
    // the files are as they were, but their times are not
    shop.git('update-index', '-q', '--refresh');
    return shop;
  }
  const shop = await prepare();
  models.set(key, { from: shop, dir: modelOf(shop.dir), home: modelOf(shop.home) });
  return shop;
}

function copyOf({ from, dir, home }: WorkshopModel): Workshop {
  const shop = new Workshop(makeFolder('repository'), makeFolder('home'));
  const words = { [from.dir]: shop.dir, [from.home]: shop.home };
  makeLike(dir, shop.dir, words);
  makeLike(home, shop.home, words);
  return shop;
}

function openLike(model: WorkshopModel): Workshop {
  const shop = copyOf(model);
  // capture begins now
  const since = path.join(shop.common, 'agent', 'since.json');
  fs.writeFileSync(since, JSON.stringify({ ...JSON.parse(fs.readFileSync(since, 'utf8')), at: Date.now() }));
  return shop;
}

export class Workshop {
  readonly dir: string;
  readonly home: string;
  /** How the last shell command of an agent ended. */
  status: number | null = null;
  #calls = 0;
  #common: string | undefined;

  constructor(dir: string, home: string) {
    this.dir = dir;
    this.home = home;
  }

  async init(agents = 'claude-code'): Promise<void> {
    const { status, stderr } = await this.agent('init', '--agents', agents);
    if (status !== 0) throw new Error(stderr);
    // a program that is not there: nothing starts in the background
    fs.writeFileSync(path.join(this.common, 'agent', 'hooks', 'program'), '/nowhere/node\n/nowhere/git-agent.js\n');
    fs.writeFileSync(path.join(this.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  }

  /** The same repository seen from another work tree of it. */
  in(dir: string): Workshop {
    const other = new Workshop(fs.realpathSync(dir), this.home);
    other.#calls = 10_000;
    return other;
  }

  get common(): string {
    this.#common ??= fs.realpathSync(path.resolve(this.dir, this.git('rev-parse', '--git-common-dir')));
    return this.#common;
  }

  git(...args: string[]): string {
    return this.gitWith({}, ...args);
  }

  gitWith(env: Record<string, string>, ...args: string[]): string {
    if (args[0] !== 'rev-parse') pause();
    try {
      const options = { cwd: this.dir, encoding: 'utf8' as const, stdio: 'pipe' as const, maxBuffer: 1 << 28 };
      return execFileSync('git', args, { ...options, env: { ...process.env, HOME: this.home, ...env } }).trimEnd();
    } catch (error) {
      throw new Error(`git ${args.join(' ')}: ${String((error as { stderr?: string }).stderr ?? error)}`);
    }
  }

  /** A person saves a file; nobody sees it. */
  human(file: string, text: string | Buffer): this {
    pause();
    const full = path.join(this.dir, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    return this;
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.dir, file), 'utf8');
  }

  /** An agent's Write tool; gives the id of the tool call. */
  ai(file: string, text: string, session = 's1'): string {
    const id = this.#nextId();
    const full = path.join(this.dir, file);
    const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
    this.human(file, text);
    const input = { file_path: full, content: text };
    const response = {
      type: before === null ? 'create' : 'update',
      filePath: full,
      content: text,
      structuredPatch: [],
      originalFile: before === null ? null : before.replaceAll('\r\n', '\n'),
      userModified: false,
    };
    this.tell(session, id, 'Write', input);
    this.hook('event', session, {
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: id,
      tool_input: input,
      tool_response: response,
    });
    return id;
  }

  /** An agent's Edit tool: a part of a file, found by what stands there. */
  edit(file: string, [old, text]: readonly [string, string], session = 's1'): void {
    const id = this.#nextId();
    const full = path.join(this.dir, file);
    const before = fs.readFileSync(full, 'utf8');
    this.human(
      file,
      before.replace(old, () => text),
    );
    const input = { file_path: full, old_string: old, new_string: text, replace_all: false };
    const response = {
      filePath: full,
      oldString: old,
      newString: text,
      originalFile: before,
      userModified: false,
      replaceAll: false,
    };
    this.tell(session, id, 'Edit', input);
    const call = { tool_name: 'Edit', tool_use_id: id, tool_input: input, tool_response: response };
    this.hook('event', session, { hook_event_name: 'PostToolUse', ...call });
  }

  /** An agent's shell: snapshots before and after, the command in between. */
  shell(command: string, session = 's1', env: Record<string, string> = {}): string {
    pause();
    const id = this.#nextId();
    const common = { tool_name: 'Bash', tool_use_id: id, tool_input: { command } };
    this.tell(session, id, 'Bash', { command });
    this.hook('before', session, { hook_event_name: 'PreToolUse', ...common });
    const inside = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session, ...env };
    const { status } = spawnSync('sh', ['-c', command], {
      cwd: this.dir,
      env: { ...process.env, HOME: this.home, ...inside },
    });
    this.status = status;
    if (status === 0) {
      const response = { stdout: '', stderr: '', interrupted: false };
      this.hook('after', session, { hook_event_name: 'PostToolUse', ...common, tool_response: response });
    } else
      this.hook('after', session, { hook_event_name: 'PostToolUseFailure', ...common, error: `Exit code ${status}` });
    return id;
  }

  /** A tool of an MCP server, with snapshots around what it does. */
  server(name: string, input: Record<string, unknown>, does: () => void, session = 's1'): string {
    pause();
    const id = this.#nextId();
    const common = { tool_name: name, tool_use_id: id, tool_input: input };
    this.tell(session, id, name, input);
    this.hook('before', session, { hook_event_name: 'PreToolUse', ...common });
    does();
    const response = [{ type: 'text', text: 'done' }];
    this.hook('after', session, { hook_event_name: 'PostToolUse', ...common, tool_response: response });
    return id;
  }

  prompt(text: string, session = 's1'): void {
    this.hook('event', session, { hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id: this.#nextId() });
  }

  /** One call of the real shim. */
  hook(mode: string, session: string, payload: Record<string, unknown>): void {
    const whole = {
      session_id: session,
      transcript_path: this.transcript(session),
      cwd: this.dir,
      permission_mode: 'default',
      ...payload,
    };
    this.raw(mode, JSON.stringify(whole));
  }

  /** The same with any bytes as its input. */
  raw(mode: string, input: string): void {
    const env = { ...process.env, HOME: this.home };
    const options = { cwd: this.dir, env, input, encoding: 'utf8' as const };
    const installed = path.join(this.home, '.local/share/git-agent-blame/agent-hook');
    const shim = fs.existsSync(installed) ? installed : SHIM;
    const { status, stdout, stderr } = spawnSync('sh', [shim, 'claude-code', mode], options);
    if (status !== 0 || stdout !== '' || stderr !== '') throw new Error(`the shim said ${status}: ${stdout}${stderr}`);
  }

  transcript(session: string): string {
    return path.join(this.home, '.claude', 'projects', this.dir.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  }

  /** The transcript's line for a tool call. */
  tell(session: string, id: string, name: string, input: Record<string, unknown>): void {
    const message = {
      id: `msg_${id}`,
      role: 'assistant',
      model: 'claude-opus-4-5-20251101',
      content: [{ type: 'tool_use', id, name, input }],
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    this.#append(session, { type: 'assistant', uuid: `u-${id}`, message });
  }

  /** The transcript's line for a result. */
  tellResult(session: string, id: string, toolUseResult: unknown, isError = false): void {
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...(isError && { is_error: true }) }];
    this.#append(session, { type: 'user', uuid: `r-${id}`, message: { role: 'user', content }, toolUseResult });
  }

  #append(session: string, line: Record<string, unknown>): void {
    const file = this.transcript(session);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const common = {
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: this.dir,
      sessionId: session,
      version: '2.1.197',
    };
    fs.appendFileSync(file, `${JSON.stringify({ ...common, timestamp: new Date().toISOString(), ...line })}\n`);
  }

  /** Stages everything and commits, with all hooks. */
  commit(message = 'change', ...more: string[]): string {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message, ...more);
    return findHead(this.dir) ?? this.git('rev-parse', 'HEAD');
  }

  /** Any verb, in this process. */
  agent(...args: string[]): Promise<Outcome> {
    return inWorld(agent, this.dir, args, this.#world());
  }

  async work(): Promise<void> {
    const { status, stderr } = await this.agent('work');
    if (status !== 0) throw new Error(`work: ${stderr}`);
  }

  async json(...args: string[]): Promise<BlameJson> {
    return JSON.parse(await this.#blame(args));
  }

  /** The same of several files, in their order. They are asked about at once: that starts hardly more processes than one of them alone. */
  async jsonOf(files: readonly string[], ...revisions: string[]): Promise<BlameJson[]> {
    if (files.length === 0) return [];
    const told = (await this.#blame([...revisions, '--', ...files])).trimEnd().split('\n');
    if (told.length !== files.length) throw new Error(`${files.length} files, ${told.length} answers`);
    return told.map((line) => JSON.parse(line));
  }

  async #blame(args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await inWorld(blame, this.dir, ['--json', ...args], this.#world());
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  /** The letters of one file. */
  async blame(...args: string[]): Promise<string> {
    return letters(await this.json(...args));
  }

  /** The records in a commit's note, as written. */
  notes(
    commit = 'HEAD',
    ref = 'agent/trace',
  ): { readonly tool: { name: string }; readonly files: readonly { path: string }[] }[] {
    return this.git('notes', `--ref=${ref}`, 'show', commit)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  remove(): void {
    for (const folder of [this.dir, this.home]) removeFolder(folder);
  }

  #world() {
    const program = { node: process.execPath, script: path.join(ROOT, 'dist', 'git-agent.js') };
    // what other processes leave among the temporary files is nothing of this workshop
    return { home: this.home, env: { ...process.env, HOME: this.home, TMPDIR: this.home }, program };
  }

  #nextId(): string {
    return `toolu_${String(++this.#calls).padStart(4, '0')}`;
  }
}

/** One letter for each line: a(i), h(uman), m(ixed), u(nknown). */
export function letters({ lines }: BlameJson): string {
  return lines.map(({ type }) => type.charAt(0)).join('');
}

function pause(): void {
  if (PACE > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PACE);
}
