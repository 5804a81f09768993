import { EventEmitter } from 'node:events';
import type { Size } from './model.ts';

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[2J';
/** Colours off, the cursor back, the other screen back. */
const LEAVE = '\x1b[0m\x1b[?25h\x1b[?1049l';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * The terminal while the view has it. Ink is given a stand-in for standard output: for a screen as high as the terminal it would clear the
 * scrollback with every frame. Whatever ends the program, the terminal is as it was found.
 */
export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #in: NodeJS.ReadStream;
  #shown: readonly string[] = [];
  #frame = '';
  #open = false;

  constructor(input: NodeJS.ReadStream, out: NodeJS.WriteStream) {
    this.#in = input;
    this.#out = out;
  }

  get size(): Size {
    // a terminal that does not know its size says 0
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 };
  }

  enter(): void {
    this.#open = true;
    this.#out.write(ENTER);
    process.on('exit', this.leave);
    process.on('uncaughtExceptionMonitor', this.leave);
    for (const signal of SIGNALS) process.on(signal, this.#end);
  }

  readonly leave = (): void => {
    if (!this.#open) return;
    this.#open = false;
    process.off('exit', this.leave);
    process.off('uncaughtExceptionMonitor', this.leave);
    for (const signal of SIGNALS) process.off(signal, this.#end);
    this.#out.write(LEAVE);
    this.#in.setRawMode(false);
  };

  /** Ends by the same signal, so that whoever started us knows. */
  readonly #end = (signal: NodeJS.Signals): void => {
    this.leave();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };

  draw(frame: string): void {
    this.#frame = frame;
    if (!this.#open) return;
    const next = frame.split('\n').slice(0, this.size.rows);
    this.#out.write(printFrame(this.#shown, next));
    this.#shown = next;
  }

  /** Nothing of what was drawn counts any more: the terminal has moved things about. */
  forget(): void {
    this.#shown = [];
    if (this.#open) this.#out.write('\x1b[0m\x1b[2J');
  }

  redraw(): void {
    this.forget();
    this.draw(this.#frame);
  }

  /** Stops as other programs do on ctrl-z, with all of our process group: git waits for us in it. */
  suspend(): void {
    this.leave();
    process.once('SIGCONT', () => {
      this.enter();
      this.#in.setRawMode(true);
      this.redraw();
    });
    process.kill(0, 'SIGTSTP');
  }
}

/** What Ink writes to: each write is a whole frame. */
export class StandIn extends EventEmitter {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    super();
    this.#screen = screen;
  }

  get columns(): number {
    return this.#screen.size.columns;
  }

  get rows(): number {
    return this.#screen.size.rows;
  }

  write(frame: string): boolean {
    this.#screen.draw(frame);
    return true;
  }
}

/** Only the lines that changed, each at its own place: no line feed, so nothing ever scrolls. */
export function printFrame(shown: readonly string[], next: readonly string[]): string {
  const changed = next.flatMap((line, i) => (line === shown[i] ? [] : [`\x1b[${i + 1};1H\x1b[0m\x1b[2K${line}`]));
  if (shown.length > next.length) changed.push(`\x1b[${next.length + 1};1H\x1b[0m\x1b[J`);
  return changed.join('');
}
