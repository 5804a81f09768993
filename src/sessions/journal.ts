import path from 'node:path';
import { isObject } from '../json.ts';
import { readFrom } from './disk.ts';
import type { Store } from './store.ts';

/** What the shims write down; src/README.md has the forms. `seq` is the fact's place in the journal. */
export type Fact = { readonly at: number; readonly seq: number; readonly worktree: string } & (
  | {
      readonly fact: 'payload';
      readonly agent: string;
      readonly file: string;
      readonly tree?: string;
      readonly head?: string;
    }
  | { readonly fact: 'commit'; readonly commit: string; readonly agent?: string; readonly session?: string }
  | { readonly fact: 'rewrite'; readonly kind: string; readonly file: string }
  | { readonly fact: 'merge'; readonly commit: string; readonly squash: boolean }
  | { readonly fact: 'applied'; readonly commit: string }
);

export interface JournalTail {
  readonly facts: readonly Fact[];
  /** Where the next reading starts: behind the last whole line. */
  readonly next: number;
  /** Lines that were torn or are not ours. */
  readonly torn: number;
}

export function readJournal(store: Store, from: number): JournalTail {
  return parseJournal(readFrom(path.join(store.dir, 'journal'), from), from);
}

export function parseJournal(text: string, from: number): JournalTail {
  const facts: Fact[] = [];
  let torn = 0;
  let seq = from;
  const end = text.lastIndexOf('\n') + 1; // what follows is still being written, or torn: the next reading sees it again
  for (const line of text.slice(0, end).split('\n').slice(0, -1)) {
    const fact = parseFact(line, seq) ?? parseFact(line.slice(Math.max(0, line.lastIndexOf('{"fact"'))), seq);
    if (fact) facts.push(fact);
    else if (line.trim() !== '') torn++;
    seq += Buffer.byteLength(line) + 1;
  }
  return { facts, next: from + Buffer.byteLength(text.slice(0, end)), torn };
}

function parseFact(line: string, seq: number): Fact | undefined {
  const value = parseJson(line);
  if (!isObject(value) || typeof value.at !== 'number') return undefined;
  const text = (key: string) =>
    typeof value[key] === 'string' && value[key] !== '' ? (value[key] as string) : undefined;
  const common = { at: value.at, seq, worktree: text('worktree') ?? '' };
  const [agent, session, commit, file] = [text('agent'), text('session'), text('commit'), plainName(text('file'))];
  switch (value.fact) {
    case 'payload': {
      if (!agent || !file) return undefined;
      const [tree, head] = [text('tree'), text('head')];
      return { ...common, fact: 'payload', agent, file, ...(tree && { tree }), ...(head && { head }) };
    }
    case 'commit':
      return commit
        ? { ...common, fact: 'commit', commit, ...(agent && { agent }), ...(session && { session }) }
        : undefined;
    case 'rewrite':
      return file ? { ...common, fact: 'rewrite', kind: text('kind') ?? '', file } : undefined;
    case 'merge':
      return commit ? { ...common, fact: 'merge', commit, squash: text('squash') === '1' } : undefined;
    case 'applied':
      return commit ? { ...common, fact: 'applied', commit } : undefined;
    default:
      return undefined;
  }
}

/** A payload's name leads nowhere but into `payloads/`. */
function plainName(name: string | undefined): string | undefined {
  return name && /^[\w][\w.-]*$/.test(name) ? name : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
