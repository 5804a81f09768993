import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { parseDocument } from '../agentlog/parse.ts';
import { hashBlob } from '../git/objects.ts';
import { isRunning } from '../git/realm.ts';
import { isObject } from '../json.ts';
import { listFolder, readPart, readTail, sizeOf } from './disk.ts';
import { listTexts, type TextEntry } from './drop-texts.ts';
import { scanSessions } from './scan.ts';
import { findJson, findNewer, findSince, type Store } from './store.ts';

/** What is not as the work wrote it. */
export interface Damage {
  readonly kind: 'since' | 'state' | 'session' | 'lines' | 'texts' | 'draft';
  readonly file: string;
  /** How many lines, or texts, cannot be read. */
  readonly count: number;
}

export interface Soundness {
  /** Of a form that came after this program: then nothing else is looked at. */
  readonly newer: { readonly file: string; readonly version: number } | undefined;
  readonly damaged: readonly Damage[];
}

/** So much of each kind is looked into, the newest first. */
const LOOKED_AT = 32 << 20;

export function readSoundness(store: Store): Soundness {
  const newer = findNewer(store);
  if (newer) return { newer, damaged: [] };
  const damaged = [
    ...brokenSince(store),
    ...brokenState(store),
    ...brokenSessions(store),
    ...brokenLines(store),
    ...brokenTexts(store),
    ...leftDrafts(store),
  ];
  return { newer, damaged };
}

function brokenSince(store: Store): Damage[] {
  const file = path.join(store.dir, 'since.json');
  return findSince(store) ? [] : [{ kind: 'since', file, count: 1 }];
}

function brokenState(store: Store): Damage[] {
  const file = path.join(store.dir, 'state.json');
  return !fs.existsSync(file) || isObject(findJson(file)) ? [] : [{ kind: 'state', file, count: 1 }];
}

function brokenSessions(store: Store): Damage[] {
  const damaged: Damage[] = [];
  let left = LOOKED_AT;
  for (const { file, text } of scanSessions(store)) {
    if (parseDocument(text).kind === 'foreign') damaged.push({ kind: 'session', file, count: 1 });
    left -= text.length;
    if (left < 0) break;
  }
  return damaged;
}

/** A line that a kill tore is closed by the next writer, and passed over by readers. */
function brokenLines(store: Store): Damage[] {
  const timelines = listFolder(path.join(store.dir, 'timelines')).filter((name) => name.endsWith('.jsonl'));
  const names = ['commands.jsonl', 'rewrites.jsonl', ...timelines.map((name) => path.join('timelines', name))];
  return names.flatMap((name): Damage[] => {
    const file = path.join(store.dir, name);
    const count = readTail(file, LOOKED_AT / 16)
      .split('\n')
      .filter((line) => line !== '' && !isObjectText(line)).length;
    return count === 0 ? [] : [{ kind: 'lines', file, count }];
  });
}

function isObjectText(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

function brokenTexts(store: Store): Damage[] {
  const count = sortTexts(store).broken.length;
  return count === 0 ? [] : [{ kind: 'texts', file: path.join(store.dir, 'texts', 'pack'), count }];
}

export interface SortedTexts {
  readonly whole: readonly TextEntry[];
  readonly broken: readonly TextEntry[];
}

/** Each text is named by what is in it. What is too old to be looked at counts as whole. */
export function sortTexts(store: Store): SortedTexts {
  const all = listTexts(store);
  const size = sizeOf(path.join(store.dir, 'texts', 'pack'));
  const isBeyond = ({ offset, length }: TextEntry) => offset + length > size;
  const broken = new Set<TextEntry>(all.filter(isBeyond));
  let left = LOOKED_AT;
  for (const entry of all.toReversed()) {
    if (broken.has(entry)) continue;
    left -= entry.length;
    if (left < 0) break;
    if (!isWhole(entry, store)) broken.add(entry);
  }
  return { whole: all.filter((entry) => !broken.has(entry)), broken: [...broken] };
}

function isWhole({ id, ...place }: TextEntry, store: Store): boolean {
  const packed = readPart(path.join(store.dir, 'texts', 'pack'), place);
  try {
    return packed !== undefined && hashBlob(store.format, inflateSync(packed, { maxOutputLength: LOOKED_AT })) === id;
  } catch {
    return false;
  }
}

/** What a killed process was about to rename into place: `.NAME.PID.N`. Nobody looks at it again. */
function leftDrafts(store: Store): Damage[] {
  const agents = listFolder(path.join(store.dir, 'sessions')).map((name) => path.join('sessions', name));
  return ['', 'payloads', 'texts', 'sessions', ...agents].flatMap((folder) =>
    listFolder(path.join(store.dir, folder)).flatMap((name): Damage[] => {
      const pid = Number(/^\..+\.(\d{1,10})\.\d+$/.exec(name)?.[1] ?? 0);
      return pid > 0 && !isRunning(pid) ? [{ kind: 'draft', file: path.join(store.dir, folder, name), count: 1 }] : [];
    }),
  );
}
