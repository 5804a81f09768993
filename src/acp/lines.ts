/** Cuts a stream of bytes into lines, without touching it. A line that is longer than anybody's message is passed over, not kept. */
export class LineCutter {
  #pieces: Buffer[] = [];
  #length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that these bytes complete; undefined stands for one that is too long. */
  take(chunk: Buffer): (Buffer | undefined)[] {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      lines.push(this.#length > this.#limit ? undefined : Buffer.concat(this.#pieces));
      [this.#pieces, this.#length, from] = [[], 0, end + 1];
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }
}
