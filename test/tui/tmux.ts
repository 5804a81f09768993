import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { removeFolder } from '../support/remove.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

/** How long a screen may take to come, on a machine that does other things too. */
const PATIENCE = 20_000;

/** A real terminal with a shell in it, on a server of its own. */
export class Terminal {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tmux-'));

  constructor({ cwd, env, columns = 100, rows = 30 }: TerminalOptions) {
    const shell = ['env', '-u', 'TMUX', 'PS1=$ ', 'PS2=', 'ENV=', 'sh'];
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux(['new-session', '-d', ...size, '-c', cwd, ...shell], { ...env, LC_ALL: 'C.UTF-8' });
  }

  /** As tmux names them: `Enter`, `Escape`, `BSpace`, `C-c`; other words are typed. */
  keys(...names: string[]): this {
    this.#tmux(['send-keys', ...names]);
    return this;
  }

  type(text: string): this {
    this.#tmux(['send-keys', '-l', text]);
    return this.keys('Enter');
  }

  /** The screen, line by line, without trailing spaces; with `colours` the escapes too. */
  screen(colours = false): string {
    return this.#tmux(['capture-pane', '-p', ...(colours ? ['-e'] : [])]);
  }

  /** Waits for the screen to be as it should be. */
  async until(wanted: RegExp | string): Promise<string> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const screen = this.screen();
      if (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) return screen;
      if (Date.now() > end) throw new Error(`no ${wanted} on the screen:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  resize(columns: number, rows: number): this {
    this.#tmux(['resize-window', '-x', String(columns), '-y', String(rows)]);
    return this;
  }

  /** What tmux knows of the terminal's modes. */
  ask(format: string): string {
    return this.#tmux(['display-message', '-p', format]).trim();
  }

  close(): void {
    spawnSync('tmux', ['-S', path.join(this.#folder, 's'), 'kill-server']);
    removeFolder(this.#folder);
  }

  #tmux(args: readonly string[], env?: NodeJS.ProcessEnv): string {
    const all = ['-S', path.join(this.#folder, 's'), '-f', '/dev/null', ...args];
    return execFileSync('tmux', all, { encoding: 'utf8', ...(env && { env }) });
  }
}
