import { spawn } from 'node:child_process';

export interface PagerOptions {
  /** A shell command, as `git var GIT_PAGER` prints it. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Pager {
  /** False once the person has left the pager: the rest need not be made. */
  write(text: string | Uint8Array): Promise<boolean>;
  /** Waits until the person has left the pager; false where it could not be started at all. */
  close(): Promise<boolean>;
}

/** How a shell tells that a program may not be run, or is not there. */
const NOT_STARTED = [126, 127];

/** Git's own rule for "no pager". */
export function isPager(command: string): boolean {
  return command !== '' && command !== 'cat';
}

/** Starts a pager as git does: by the shell, with LESS and LV set unless the person has set them. */
export function openPager({ command, cwd, env }: PagerOptions): Pager {
  const child = spawn(command, {
    cwd,
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env, GIT_PAGER_IN_USE: 'true' },
  });
  const stay = () => {};
  // ^C belongs to the pager: were we to end first, it would fight with the shell for the terminal
  process.on('SIGINT', stay);
  let open = true;
  const leave = () => {
    open = false;
  };
  const left = new Promise<boolean>((resolve) => {
    child.on('close', (code) => resolve(!NOT_STARTED.includes(code ?? 0)));
    child.on('error', () => resolve(false));
  });
  void left.then(leave);
  child.stdin.on('error', leave);
  return {
    async write(text) {
      if (open && !child.stdin.write(text)) {
        await Promise.race([left, new Promise((resolve) => child.stdin.once('drain', resolve).once('close', resolve))]);
      }
      return open;
    },
    async close() {
      child.stdin.end();
      const started = await left;
      process.off('SIGINT', stay);
      return started;
    },
  };
}
