import { createHash, hash } from 'node:crypto';
import { Fault } from '../fault.ts';
import { type BatchAnswer, batchDecoder } from './batch.ts';
import type { ObjectFormat } from './repository.ts';
import { ended, type GitPlace, gitFault, offline, startGit } from './run.ts';

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export type GitObjects = Map<string, GitObject | undefined>;

export interface ReadOptions {
  /** Larger objects are left unread: their answer is undefined. */
  readonly maxBytes?: number;
}

/** One running `git cat-file`, asked in rounds: what one round finds may be asked for in the next. */
export interface ObjectReader {
  read(names: readonly string[], options?: ReadOptions): Promise<GitObjects>;
  close(): void;
}

/** Reads any number of objects with one process (two with a size limit); what is not there is undefined. */
export async function readObjects(
  place: GitPlace,
  names: readonly string[],
  options: ReadOptions = {},
): Promise<GitObjects> {
  if (names.length === 0) return new Map();
  const reader = openObjects(place);
  try {
    return await reader.read(names, options);
  } finally {
    reader.close();
  }
}

export function openObjects(place: GitPlace): ObjectReader {
  const bodies = openBatch(place, '--batch');
  const sizes = openBatch(place, '--batch-check');
  const readBelow = async (names: readonly string[], limit: number, objects: GitObjects) => {
    const found = await sizes.ask(names);
    const small = names.filter((_, i) => (found[i]?.size ?? Number.POSITIVE_INFINITY) <= limit);
    await readAll(small, objects);
  };
  const readAll = async (names: readonly string[], objects: GitObjects) => {
    const answers = await bodies.ask(names);
    for (const [i, name] of names.entries()) objects.set(name, answers[i]);
  };
  return {
    async read(names, { maxBytes } = {}) {
      const unique = [...new Set(names)];
      const bad = unique.find((name) => name === '' || /[\n\0]/.test(name));
      if (bad !== undefined) throw new Fault('bug', `${JSON.stringify(bad)} cannot name an object`);
      const objects: GitObjects = new Map(unique.map((name) => [name, undefined]));
      // the first are read while the sizes of the next are looked up
      await Promise.all(
        maxBytes === undefined
          ? [readAll(unique, objects)]
          : portions(unique).map((some) => readBelow(some, maxBytes, objects)),
      );
      return objects;
    },
    close() {
      bodies.close();
      sizes.close();
    },
  };
}

const PORTION = 200;

function portions(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / PORTION);
  return Array.from({ length: count }, (_, i) => names.slice(i * PORTION, (i + 1) * PORTION));
}

interface Batch {
  ask(names: readonly string[]): Promise<BatchAnswer[]>;
  close(): void;
}

/**
 * In a partial clone, git before 2.44 dies at the first object that it would have to fetch. The answers come in order, so that object is
 * the first one unanswered: it counts as missing, and a new process is asked for the rest.
 */
function openBatch(place: GitPlace, mode: '--batch' | '--batch-check'): Batch {
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (names: readonly string[]): Promise<BatchAnswer[]> => {
    const answers: BatchAnswer[] = [];
    while (answers.length < names.length) {
      running ??= startBatch(place, mode);
      const part = await running.ask(names.slice(answers.length));
      for (const answer of part) answers.push(answer);
      if (answers.length < names.length) {
        answers.push(undefined);
        running = undefined;
      }
    }
    return answers;
  };
  // one question after the other: else it would not be known whose name git died at
  const inTurn = (names: readonly string[]) => {
    const turn = last.then(() => ask(names));
    last = turn.catch(() => {});
    return turn;
  };
  return { ask: inTurn, close: () => running?.close() };
}

interface Running {
  /** Fewer answers than names: the process died at the next one. */
  ask(names: readonly string[]): Promise<BatchAnswer[]>;
  close(): void;
}

function startBatch(place: GitPlace, mode: string): Running {
  const args = ['cat-file', mode];
  const child = startGit(offline(place), args);
  const waiting: { answers: BatchAnswer[]; count: number; resolve: () => void }[] = [];
  let err = '';
  child.stdin?.on('error', () => {});
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString('latin1');
  });
  const decode = batchDecoder(mode === '--batch', (answer) => {
    const first = waiting[0];
    if (!first) return;
    first.answers.push(answer);
    if (first.answers.length === first.count) waiting.shift()?.resolve();
  });
  child.stdout?.on('data', decode);
  const end = ended(child);
  end.catch(() => {});
  return {
    async ask(names) {
      const answers: BatchAnswer[] = [];
      const complete = new Promise<void>((resolve) => waiting.push({ answers, count: names.length, resolve }));
      child.stdin?.write(`${names.join('\n')}\n`);
      const code = await Promise.race([complete, end]);
      if (typeof code === 'number' && !/from promisor remote/.test(err))
        throw gitFault(args, { code, err: err.trim() });
      return answers;
    },
    close: () => child.stdin?.end(),
  };
}

/** Up to here a copy takes less time than a hash that is fed twice. */
const SMALL = 16 * 1024;

/** The id that git gives to an object, worked out here. */
export function hashObject(format: ObjectFormat, type: string, bytes: Uint8Array): string {
  const head = Buffer.from(`${type} ${bytes.length}\0`, 'latin1');
  if (bytes.length <= SMALL) return hash(format, Buffer.concat([head, bytes]));
  return createHash(format).update(head).update(bytes).digest('hex');
}

export function hashBlob(format: ObjectFormat, bytes: Uint8Array): string {
  return hashObject(format, 'blob', bytes);
}
