/** One answer of `git cat-file --batch` or `--batch-check`; undefined: missing, ambiguous, or not an object. */
export type BatchAnswer = BatchObject | undefined;

export interface BatchObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  /** Empty from `--batch-check`. */
  readonly bytes: Buffer;
}

/**
 * Takes the output in pieces of any size and hands out the answers, which come in the order of the names asked for. What follows the
 * first word of a negative answer is the name itself, so only an exact `id type size` is a positive one. At a body that is not wanted it
 * stops for good: nothing that comes then is kept.
 */
export function batchDecoder(
  bodies: boolean,
  emit: (answer: BatchAnswer) => void,
  wants: (size: number) => boolean = () => true,
): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let header: Omit<BatchObject, 'bytes'> | undefined;
  let stopped = false;
  return (chunk) => {
    if (stopped) return;
    chunks.push(chunk);
    held += chunk.length;
    // joining pieces only once a body is complete keeps huge objects linear
    if (header && held <= header.size) return;
    const data = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    let at = 0;
    for (;;) {
      if (!header) {
        const end = data.indexOf(10, at);
        if (end < 0) break;
        header = parseHeader(data.toString('latin1', at, end));
        at = end + 1;
        if (!header || !bodies) {
          emit(header && { ...header, bytes: Buffer.alloc(0) });
          header = undefined;
          continue;
        }
        stopped = !wants(header.size);
        if (stopped) break;
      }
      // a body is followed by one line end of its own
      if (data.length - at <= header.size) break;
      emit({ ...header, bytes: data.subarray(at, at + header.size) });
      at += header.size + 1;
      header = undefined;
    }
    held = stopped ? 0 : data.length - at;
    chunks = held > 0 ? [data.subarray(at)] : [];
  };
}

function parseHeader(line: string): Omit<BatchObject, 'bytes'> | undefined {
  const [, id, type, size] = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? [];
  return id && type && size ? { id, type, size: Number(size) } : undefined;
}
