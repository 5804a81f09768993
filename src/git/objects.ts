import { createHash, hash } from 'node:crypto';
import { Fault } from '../fault.ts';
import { type BatchAnswer, batchDecoder } from './batch.ts';
import type { ObjectFormat } from './repository.ts';
import { ended, type GitPlace, gitFault, offline, signalOf, startGit } from './run.ts';

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
  /** Those that are here, whatever their size: nothing is read of them. */
  present(names: readonly string[]): Promise<ReadonlySet<string>>;
  close(): void;
}

/** Reads any number of objects with one process (three where one is too large); what is not there is undefined. */
export async function readObjects(
  place: GitPlace,
  names: readonly string[],
  options: ReadOptions = {},
): Promise<GitObjects> {
  if (names.length === 0) return new Map();
  return withObjects(place, (reader) => reader.read(names, options));
}

/** With a reader that is closed in the end, whatever happens. */
export async function withObjects<T>(place: GitPlace, use: (reader: ObjectReader) => Promise<T>): Promise<T> {
  const reader = openObjects(place);
  try {
    return await use(reader);
  } finally {
    reader.close();
  }
}

/**
 * Git is stopped at an object that is too large, which hardly ever is there. After the first one sizes are asked for before contents:
 * somebody may have made a thousand of them.
 */
export function openObjects(place: GitPlace): ObjectReader {
  const bodies = openBatch(place, '--batch');
  const sizes = openBatch(place, '--batch-check');
  const readSome = async (names: readonly string[], most: number, objects: GitObjects) => {
    const answers = await bodies.ask(names, most);
    for (const [i, answer] of answers.entries()) objects.set(names[i] ?? '', answer);
    return names.slice(answers.length);
  };
  const readBelow = async (names: readonly string[], most: number, objects: GitObjects) => {
    const found = await sizes.ask(names);
    const small = names.filter((_, i) => (found[i]?.size ?? Number.POSITIVE_INFINITY) <= most);
    await readSome(small, most, objects);
  };
  return {
    async read(names, { maxBytes: most = Number.POSITIVE_INFINITY } = {}) {
      const unique = [...new Set(names)];
      const bad = unique.find((name) => name === '' || /[\n\0]/.test(name));
      if (bad !== undefined) throw new Fault('bug', `${JSON.stringify(bad)} cannot name an object`);
      const objects: GitObjects = new Map(unique.map((name) => [name, undefined]));
      const rest = await readSome(unique, most, objects);
      // the first are read while the sizes of the next are looked up
      await Promise.all(portions(rest).map((some) => readBelow(some, most, objects)));
      return objects;
    },
    async present(names) {
      const found = names.length > 0 ? await sizes.ask(names) : [];
      return new Set(names.filter((_, i) => found[i]));
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
  /** Ends with the first answer that is too large, which is undefined. */
  ask(names: readonly string[], most?: number): Promise<BatchAnswer[]>;
  close(): void;
}

/**
 * Git dies at an object that is damaged; in a partial clone, before 2.44, also at one that it would have to fetch. The answers come in order,
 * so that object is the first one unanswered: it counts as missing, and a new process is asked for the rest.
 */
function openBatch(place: GitPlace, mode: '--batch' | '--batch-check'): Batch {
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (names: readonly string[], most: number): Promise<BatchAnswer[]> => {
    const answers: BatchAnswer[] = [];
    while (answers.length < names.length) {
      running ??= startBatch(place, mode);
      const { some, stopped } = await running.ask(names.slice(answers.length), most);
      for (const answer of some) answers.push(answer);
      if (answers.length === names.length) break;
      answers.push(undefined);
      running = undefined;
      if (stopped) break;
    }
    return answers;
  };
  // one question after the other: else it would not be known whose name git died at
  const inTurn = (names: readonly string[], most = Number.POSITIVE_INFINITY) => {
    const turn = last.then(() => ask(names, most));
    last = turn.catch(() => {});
    return turn;
  };
  return { ask: inTurn, close: () => running?.close() };
}

interface Running {
  /** Fewer answers than names: the process died at the next one, or was stopped because that is too large. */
  ask(names: readonly string[], most: number): Promise<{ readonly some: BatchAnswer[]; readonly stopped: boolean }>;
  close(): void;
}

interface Question {
  readonly some: BatchAnswer[];
  readonly count: number;
  readonly most: number;
  stopped: boolean;
  resolve(): void;
}

function startBatch(place: GitPlace, mode: string): Running {
  const args = ['cat-file', mode];
  const child = startGit(offline(place), args);
  let asked: Question | undefined;
  let err = '';
  child.stdin?.on('error', () => {});
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString('latin1');
  });
  const take = (answer: BatchAnswer) => {
    asked?.some.push(answer);
    if (asked?.some.length === asked?.count) asked?.resolve();
  };
  const wants = (size: number) => {
    if (!asked || size <= asked.most) return true;
    asked.stopped = true;
    child.kill();
    asked.resolve();
    return false;
  };
  child.stdout?.on('data', batchDecoder(mode === '--batch', take, wants));
  const end = ended(child);
  end.catch(() => {});
  return {
    async ask(names, most) {
      const question: Question = { some: [], count: names.length, most, stopped: false, resolve: () => {} };
      const complete = new Promise<void>((resolve) => (question.resolve = resolve));
      asked = question;
      child.stdin?.write(`${names.join('\n')}\n`);
      const code = await Promise.race([complete, end]);
      if (typeof code === 'number' && !NOT_HERE.test(err))
        throw gitFault(args, { code, err: err.trim(), ...signalOf(child) });
      return question;
    },
    close: () => child.stdin?.end(),
  };
}

/** What git says as it dies of an object that it cannot have, or cannot read. */
const NOT_HERE = /from promisor remote|^fatal: (?:loose|packed) object .* is corrupt$/m;

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
