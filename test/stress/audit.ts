import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Test texts name their writer: `agent ...` or `person ...`. */
const WRITERS: Readonly<Record<string, string>> = { agent: 'ai', person: 'human' };

interface NoteRecord {
  readonly id: string;
  readonly files: readonly {
    readonly path: string;
    readonly conversations: readonly {
      readonly contributor?: { readonly type: string };
      readonly ranges: readonly { readonly start_line: number; readonly end_line: number }[];
    }[];
  }[];
  readonly metadata?: Record<string, { readonly supersedes?: readonly string[] }>;
}

export interface Audited {
  readonly commits: number;
  readonly lines: number;
  /** Everything that is not as it should be, in words. */
  readonly faults: readonly string[];
}

/** Reads all commits of all branches with git alone and compares what they add with what their notes say. */
export function auditNotes(dir: string): Audited {
  const format = '--format=%x01%H%n%N%x02';
  const args = ['log', '--branches', '--notes=agent/trace', format, '--root', '-p', '-U0', '--no-renames'];
  const out = execFileSync('git', args, { cwd: dir, encoding: 'utf8', maxBuffer: 1 << 28 });
  const faults: string[] = [];
  const commits = out.split('\u0001').slice(1);
  let lines = 0;
  for (const text of commits) {
    const [head = '', patch = ''] = text.split('\u0002');
    const [commit = '', ...note] = head.split('\n').filter(Boolean);
    const said = (words: string) => faults.push(`${commit.slice(0, 8)} ${words}`);
    if (note.length === 0) said('has no note');
    if (new Set(note).size !== note.length) said('has a line twice in its note');
    const claims = claimsOf(note, said);
    for (const [place, line] of addedLines(patch)) {
      lines++;
      const types = claims.get(place) ?? [];
      claims.delete(place);
      const expected = WRITERS[line.split(' ')[0] ?? ''];
      if (types.length !== 1 || types[0] !== expected) said(`${place} "${line}" is ${types.join('+') || 'nobody’s'}`);
    }
    for (const place of claims.keys()) said(`claims ${place}, which it did not add`);
  }
  return { commits: commits.length, lines, faults };
}

/** `path:line` -> the types that ranges give to it, one for each range. */
function claimsOf(note: readonly string[], said: (words: string) => void): Map<string, string[]> {
  const claims = new Map<string, string[]>();
  const records = note.flatMap((line): NoteRecord[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      said(`has a broken line in its note: ${line.slice(0, 40)}`);
      return [];
    }
  });
  const ids = records.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) said('has two records of one id');
  for (const { files } of records) {
    for (const { path: name, conversations } of files) {
      for (const { contributor, ranges } of conversations) {
        for (const { start_line, end_line } of ranges) {
          for (let line = start_line; line <= end_line; line++) {
            const place = `${name}:${line}`;
            claims.set(place, [...(claims.get(place) ?? []), contributor?.type ?? 'nothing']);
          }
        }
      }
    }
  }
  return claims;
}

function addedLines(patch: string): Map<string, string> {
  const added = new Map<string, string>();
  let [file, line] = ['', 0];
  for (const text of patch.split('\n')) {
    const [, name] = /^\+\+\+ b\/(.*)$/.exec(text) ?? [];
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(text) ?? [];
    if (name !== undefined) file = name;
    else if (start !== undefined) line = Number(start);
    else if (text.startsWith('+') && !text.startsWith('+++ ')) added.set(`${file}:${line++}`, text.slice(1));
  }
  return added;
}

/** Files under `agent/` that a writer leaves only while it is at work. */
export function leftovers(common: string): string[] {
  const names = fs.readdirSync(path.join(common, 'agent'));
  return [
    ...names.filter((name) => name.startsWith('lock')),
    ...fs.readdirSync(path.join(common, 'agent', 'payloads')),
  ];
}

/** Background work on this repository that still runs. */
export function runningWork(common: string): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.includes(common) && words.some((word) => word === 'work' || word.endsWith('wake'));
    } catch {
      return false; // it has just ended
    }
  });
}

/** Numbers from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
