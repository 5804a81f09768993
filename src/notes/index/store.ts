import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { decodeSegment, type Segment } from '../../anchor/segment.ts';
import { readPlain } from '../../plain-file.ts';
import { type ManifestSegment, parseManifest, printManifest } from './manifest.ts';
import type { Piece } from './pieces.ts';

/** What the index covers, and what it is made of. */
export interface State {
  /** Tip of each notes ref whose notes are in it. */
  readonly refs: ReadonlyMap<string, string>;
  readonly pieces: readonly Piece[];
  /** Some notes were not here; then the time at which packs last came or went: when they do again, those may have come. */
  readonly lackedAt?: number;
}

const MANIFEST = 'manifest.json';
const MAX_MANIFEST = 1 << 20;
const FOLDER = 0o700;
const FILE = 0o600;
/** Readers that hold an older manifest still read these files. */
const GRACE = 10 * 60_000;

/** Undefined where we have no folder of our own: then nothing is kept. */
export function findFolder(commonDir: string): string | undefined {
  const agent = path.join(commonDir, 'agent');
  return fs.statSync(agent, { throwIfNoEntry: false })?.isDirectory() ? path.join(agent, 'cache', 'index') : undefined;
}

/** Undefined: nothing there, or something of it is broken. */
export function readState(folder: string, idBytes: number): State | undefined {
  const bytes = findBytes(path.join(folder, MANIFEST), MAX_MANIFEST);
  const manifest = bytes && parseManifest(bytes.toString('utf8'));
  if (manifest?.idBytes !== idBytes) return undefined;
  const pieces = manifest.segments.map((entry) => findPiece(folder, entry, idBytes));
  const whole = pieces.filter((piece) => piece !== undefined);
  if (whole.length !== pieces.length) return undefined;
  const { refs, lackedAt } = manifest;
  return { refs, pieces: whole, ...(lackedAt === undefined ? {} : { lackedAt }) };
}

/** A file as we left it is taken to be whole until it is read; one that was written to since is read at once. */
function findPiece(folder: string, entry: ManifestSegment, idBytes: number): Piece | undefined {
  const file = path.join(folder, entry.file);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.size !== entry.size) return undefined;
  const { size, notes, since } = entry;
  let segment: Segment | undefined;
  let tried = false;
  const load = () => {
    if (tried) return segment;
    tried = true;
    const bytes = findBytes(file, size);
    const found = bytes && decodeSegment(bytes);
    segment = found?.idBytes === idBytes && found.notes === notes ? found : undefined;
    if (!segment) forget(folder);
    return segment;
  };
  if (stat.mtimeMs !== entry.modified && !load()) return undefined;
  return { size, notes, since, load, saved: { file: entry.file, modified: stat.mtimeMs } };
}

/** The next to come builds it anew. */
function forget(folder: string): void {
  try {
    fs.rmSync(path.join(folder, MANIFEST), { force: true });
  } catch {
    // where nothing can be removed, nothing can be mended
  }
}

/**
 * Files are written once, under names of their own, and the manifest that names them is renamed into place last: whoever comes second
 * has worked for nothing, no more. False: it cannot be kept.
 */
export function writeState(folder: string, idBytes: number, state: State): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: FOLDER });
    const segments = state.pieces.map((piece) => savePiece(folder, piece));
    const manifest = printManifest({ ...state, idBytes, segments });
    writeRenamed(folder, MANIFEST, manifest);
    sweep(folder, new Set([MANIFEST, ...segments.map(({ file }) => file)]));
    return true;
  } catch {
    return false;
  }
}

function savePiece(folder: string, { saved, load, size, notes, since }: Piece): ManifestSegment {
  if (saved) return { ...saved, size, notes, since };
  return { ...writeSegment(folder, load()?.bytes ?? ''), size, notes, since };
}

function writeSegment(folder: string, bytes: string | Uint8Array): { file: string; modified: number } {
  const file = `${randomUUID()}.segment`;
  return { file, modified: writeRenamed(folder, file, bytes) };
}

/** A segment goes to the disk before there is a manifest that names it, and is read again when it is asked for. Undefined: it cannot be written. */
export function putAway(folder: string, { bytes, idBytes, notes, since }: Segment): Piece | undefined {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: FOLDER });
    return findPiece(folder, { ...writeSegment(folder, bytes), size: bytes.length, notes, since }, idBytes);
  } catch {
    return undefined;
  }
}

/** Gives the time at which it was written. */
function writeRenamed(folder: string, name: string, bytes: string | Uint8Array): number {
  const draft = path.join(folder, `${randomUUID()}.draft`);
  try {
    fs.writeFileSync(draft, bytes, { mode: FILE, flag: 'wx' });
    const { mtimeMs } = fs.statSync(draft);
    fs.renameSync(draft, path.join(folder, name));
    return mtimeMs;
  } catch (cause) {
    fs.rmSync(draft, { force: true });
    throw cause;
  }
}

function sweep(folder: string, keep: ReadonlySet<string>): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const modified = keep.has(name) ? undefined : fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && Date.now() - modified > GRACE) fs.rmSync(file, { force: true });
  }
}

function findBytes(file: string, limit: number): Buffer | undefined {
  try {
    if (fs.statSync(file).size > limit) return undefined;
    return readPlain(file);
  } catch {
    return undefined;
  }
}
