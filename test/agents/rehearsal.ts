import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildPrograms } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import type { BlameJson } from '../support/workshop.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const REHEARSAL = path.join(ROOT, '..', 'shared', 'rehearsal');
const PROGRAM = path.join(REHEARSAL, 'rehearse');
const MODEL = 'anthropic/claude-opus-4-5-20251101';
const OWN_PORT = 8765; // each run has a network of its own

/** With hooks in the agent's settings, or from what the agent itself writes down. */
export type Mode = 'hooks' | 'transcripts';

/** An agent as the rehearsal and as we call it. */
export interface Agent {
  readonly rehearsed: string;
  readonly name: string;
  /** More words for `git agent init`. */
  readonly init?: string;
  /** For the agent's environment. */
  readonly env?: readonly string[];
}

const CLAUDE: Agent = { rehearsed: 'claude', name: 'claude-code' };

/** Why a real agent cannot be run here; undefined: it can. `name`: as the rehearsal calls it. */
export function whyNot(name = 'claude'): string | undefined {
  const why = whyNoStage();
  if (why) return why;
  const { status } = spawnSync(PROGRAM, [name, '--install-only'], { stdio: 'ignore', timeout: 180_000 });
  return status === 0 ? undefined : 'the agent’s package cannot be installed';
}

/** Why nothing can be rehearsed here, whatever the agent. */
export function whyNoStage(): string | undefined {
  if (!fs.existsSync(PROGRAM)) return 'the rehearsal is not beside the repository';
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the rehearsal wants Linux x64';
  if (process.getuid?.() !== 0) return 'the rehearsal wants root';
  return spawnSync('unshare', ['-n', '-p', '--fork', 'true']).status === 0
    ? undefined
    : 'no namespaces can be made here';
}

export const rehearsalScript = (name: string) => path.join(REHEARSAL, 'scripts', `${name}.json`);
export const ownScript = (name: string) => path.join(ROOT, 'fixtures', 'rehearsal', `${name}.json`);

export interface PlayOptions {
  /** Another agent than the stage's. */
  readonly agent?: Agent;
  /** Where the agent is started; the stage's repository unless told. */
  readonly cwd?: string;
  readonly resume?: boolean;
  readonly prompt?: string;
  readonly setup?: string;
  /** More arguments for the agent itself. */
  readonly args?: readonly string[];
  /** The script has steps that only our own model server knows. */
  readonly ownModel?: boolean;
}

/** A tool call as the transcript tells it. */
export interface TranscriptCall {
  readonly id: string;
  readonly name: string;
  readonly session: string;
  readonly at: string;
}

/** The programs as they are installed: on PATH, the shims beside them. */
export interface Installed {
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export async function install(): Promise<Installed> {
  const built = await buildPrograms();
  const folder = makeFolder('installed');
  fs.cpSync(built.dir, path.join(folder, 'dist'), { recursive: true, verbatimSymlinks: true });
  fs.symlinkSync(path.join(ROOT, 'git-hooks'), path.join(folder, 'git-hooks'));
  built.remove();
  const env = { ...process.env, PATH: `${path.join(folder, 'dist')}${path.delimiter}${process.env.PATH}` };
  return { env, remove: () => removeFolder(folder) };
}

/** A home and repositories in which a person and the real agent work by turns. */
export class Stage {
  readonly mode: Mode;
  readonly agent: Agent;
  readonly root = makeFolder('stage');
  readonly home = path.join(this.root, 'home');
  readonly dir = path.join(this.root, 'main');
  readonly #installed: Installed;

  constructor(mode: Mode, installed: Installed, agent: Agent = CLAUDE) {
    this.mode = mode;
    this.agent = agent;
    this.#installed = installed;
    fs.mkdirSync(this.home);
    this.repository(this.dir);
  }

  /** A new repository; the agent's own commits are in its owner's name. */
  repository(dir: string): void {
    fs.mkdirSync(dir);
    this.git(['init', '-q', '-b', 'main'], dir);
    this.git(['config', 'user.name', 'Ada'], dir);
    this.git(['config', 'user.email', 'ada@example.com'], dir);
  }

  get initCommand(): string {
    return `git agent init --agents ${this.mode === 'hooks' ? this.agent.name : 'none'} ${this.agent.init ?? ''}`;
  }

  init(dir = this.dir): this {
    this.run('sh', ['-c', this.initCommand], dir);
    return this;
  }

  run(program: string, args: readonly string[], cwd = this.dir): string {
    const env = { ...this.#installed.env, HOME: this.home };
    const options = { cwd, env, encoding: 'utf8' as const, stdio: 'pipe' as const, maxBuffer: 1 << 28 };
    return execFileSync(program, args, options).trimEnd();
  }

  git(args: readonly string[], cwd = this.dir): string {
    return this.run('git', args, cwd);
  }

  /** A person saves a file. */
  human(file: string, text: string, mode = 0o644): this {
    const full = path.resolve(this.dir, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text, { mode });
    return this;
  }

  read(file: string): string {
    return fs.readFileSync(path.resolve(this.dir, file), 'utf8');
  }

  /** A person stages everything and commits. */
  commit(message = 'change', dir = this.dir): this {
    this.git(['add', '-A'], dir);
    this.git(['commit', '-q', '-m', message], dir);
    return this;
  }

  /** The real agent plays a script. */
  async play(script: string, options: PlayOptions = {}): Promise<this> {
    const { agent = this.agent, cwd = this.dir, resume, prompt, ownModel, args = [] } = options;
    const server = [process.execPath, path.join(import.meta.dirname, 'model-server.mjs'), script, OWN_PORT];
    const setup = ownModel ? `'${server.join("' '")}' >/dev/null 2>&1 & sleep 0.3` : options.setup;
    const all = [agent.rehearsed, script, cwd, '--home', this.home];
    for (const pair of agent.env ?? []) all.push('--env', pair);
    if (setup) all.push('--setup', setup);
    if (ownModel) all.push('--env', `ANTHROPIC_BASE_URL=http://127.0.0.1:${OWN_PORT}`);
    if (prompt) all.push('--prompt', prompt);
    if (resume) all.push('--resume');
    if (args.length > 0) all.push('--', ...args);
    const child = spawn(PROGRAM, all, { env: this.#installed.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(`the rehearsal of ${path.basename(script)} ended with ${code}: ${said}`);
    return this;
  }

  /** Every tool call that the transcripts have, in order, each once. */
  calls(): TranscriptCall[] {
    const folder = path.join(this.home, '.claude', 'projects');
    const files = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'));
    const age = (name: string) => fs.statSync(path.join(folder, name)).birthtimeMs;
    const calls = new Map<string, TranscriptCall>();
    for (const name of files.sort((a, b) => age(a) - age(b))) {
      for (const text of fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean)) {
        const line = JSON.parse(text);
        if (line.type !== 'assistant' || !Array.isArray(line.message?.content)) continue;
        for (const block of line.message.content) {
          if (block.type !== 'tool_use' || calls.has(block.id)) continue;
          calls.set(block.id, { id: block.id, name: block.name, session: line.sessionId, at: line.timestamp });
        }
      }
    }
    return [...calls.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  }

  blame(files: readonly string[], dir = this.dir): BlameJson[] {
    return this.git(['agent-blame', '--json', '--', ...files], dir)
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /**
   * A word for each line of each file: `h`uman, `u`nknown, `m`ixed, and for an agent's line the number of the tool call that made it,
   * counted from 1 over all transcripts. Whatever an agent's line must also say is checked on the way.
   */
  origins(files: readonly string[], dir = this.dir): Record<string, string> {
    const calls = this.calls();
    const told = this.blame(files, dir).map(({ lines }) => lines.map((line) => this.#wordOf(line, calls)).join(' '));
    return Object.fromEntries(files.map((file, i) => [file, told[i] ?? '']));
  }

  #wordOf(line: BlameJson['lines'][number], calls: readonly TranscriptCall[]): string {
    const agent = line.type === 'ai' || line.type === 'mixed';
    const index = calls.findIndex(({ id }) => id === line.event);
    // hooks see both texts; transcripts leave them out where they are large, and in sub-agents
    const evidence = line.evidence === 'observed' || (this.mode === 'transcripts' && line.evidence === 'replayed');
    const right = agent
      ? line.session === calls[index]?.session && line.model === MODEL && line.tool?.name === 'claude-code' && evidence
      : line.session === null && line.event === null && line.model === null;
    if (!right) throw new Error(`not told right: ${JSON.stringify(line)}`);
    return line.type === 'ai' ? String(index + 1) : line.type.charAt(0);
  }

  /** What the hooks show; without them a shell's lines and a person's are nobody's. */
  expected(words: string): string {
    if (this.mode === 'hooks') return words;
    const calls = this.calls();
    const shell = (word: string) => calls[Number(word) - 1]?.name === 'Bash';
    return words
      .split(' ')
      .map((word) => (word === 'h' || word === 'm' || shell(word) ? 'u' : word))
      .join(' ');
  }

  /** What has been recorded: every file of ours in the git dir with its size, and the notes. A lock says only that work is at it, and its cache that it was. */
  recorded(): readonly string[] {
    const folder = path.join(this.dir, '.git', 'agent');
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    const sizes = files
      .filter((name) => name !== 'lock' && !/^cache\b/.test(name))
      .map((name) => `${name} ${fs.statSync(path.join(folder, name)).size}`);
    return [...sizes, this.git(['for-each-ref', 'refs/notes'])];
  }

  remove(): void {
    removeFolder(this.root);
  }
}
