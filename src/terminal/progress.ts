/** Where progress is shown: a terminal; a pipe gets none. */
export interface ProgressSink {
  readonly isTTY: boolean;
  write(text: string): Promise<unknown>;
}

const WIDTH = 24;

/** A bar that is drawn over itself, and wiped when it is done. */
export function progressOn(sink: ProgressSink, what: string): (done: number, of: number) => void {
  if (!sink.isTTY) return () => {};
  return (done, of) => {
    const full = of === 0 ? WIDTH : Math.floor((WIDTH * done) / of);
    const bar = `${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}`;
    void sink.write(done >= of ? '\r\x1b[K' : `\r${what} [${bar}] ${done}/${of}\x1b[K`);
  };
}
