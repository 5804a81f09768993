import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findRepository } from '../../src/git/repository.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { type ContentIndex, openIndex } from '../../src/notes/index/index.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { buildRecords } from '../../src/trace/build.ts';
import { printRecord } from '../../src/trace/print.ts';
import type { TestRepository } from '../support/repository.ts';
import { input, typed, written } from '../trace/samples.ts';

export const key = (n: number | string, format = 'sha1') => createHash(format).update(`commit ${n}`).digest('hex');

/** The lines of a note whose commit adds these to `file-N`; the first is a person's. */
export function noteOf(n: number, texts: readonly string[] = [`line ${n}`, '}'], format = 'sha1'): string[] {
  const runs = texts.map((text, i) => ({ start: i + 1, lines: [text], origin: i === 0 ? typed : written }));
  const commit = key(n, format);
  return buildRecords(
    input([{ path: `file-${n % 5}`, blob: key('blob', format), runs }], {
      commit,
      vcs: { type: 'git', revision: commit },
      changeId: `change-${n % 50}`,
      time: 1_700_000_000_000 + n * 1000,
    }),
  ).map(printRecord);
}

export async function append({ dir }: TestRepository, notes: Iterable<[string, readonly string[]]>, ref = TRACE_REF) {
  await appendNotes(await findRepository(dir), ref, new Map(notes));
}

export const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Notes `from` to `to`, without the last. */
export function appendMany(repository: TestRepository, from: number, to: number, ref = TRACE_REF): Promise<void> {
  return append(
    repository,
    numbers(from, to).map((n) => [key(n), noteOf(n)]),
    ref,
  );
}

export async function open({ dir }: TestRepository, refs: readonly string[] = [TRACE_REF]): Promise<ContentIndex> {
  return openIndex(await findRepository(dir), refs);
}

/** Everything that one may ask about notes 0 to `count`. */
export function answers(index: ContentIndex, count: number) {
  const texts = [...numbers(0, count).map((n) => `line ${n}`), '}', 'nowhere'];
  return {
    lines: texts.map((text) => index.findLines([lineHash(text)]).get(lineHash(text))),
    changes: numbers(0, 51).map((n) => index.findChange(`change-${n}`)),
    since: index.since,
  };
}

export function cacheOf({ dir }: TestRepository): string {
  return path.join(dir, '.git', 'agent', 'cache', 'index');
}

export function initialised(repository: TestRepository): TestRepository {
  fs.mkdirSync(path.join(repository.dir, '.git', 'agent'), { recursive: true });
  return repository;
}
