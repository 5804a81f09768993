import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { AgentLogDocument } from '../agentlog/document.ts';
import { printDocument } from '../agentlog/print.ts';
import { Fault } from '../fault.ts';
import { redactDocument } from '../redact/redact.ts';

/** A file of the pack: its name with slashes, and its text in pieces. */
export interface PackFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/**
 * Writes the pack beside its place and renames it into it, so that a folder by this name is a whole pack. Conversations are in it: only
 * the owner may read them.
 */
export function writePack(folder: string, files: Iterable<PackFile>): void {
  refuseTaken(folder);
  const draft = path.join(path.dirname(folder), `.${path.basename(folder)}.draft-${process.pid}`);
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { recursive: true, mode: 0o700 });
    const sums = [...files].map((file) => `${writeFile(draft, file)}  ${file.name}\n`);
    fs.writeFileSync(path.join(draft, 'SHA256SUMS'), sums.sort(byName).join(''), { mode: 0o600 });
    if (fs.existsSync(folder)) fs.rmdirSync(folder);
    fs.renameSync(draft, folder);
  } catch (cause) {
    fs.rmSync(draft, { recursive: true, force: true });
    const code = (cause as NodeJS.ErrnoException)?.code;
    if (code === undefined || cause instanceof Fault) throw cause;
    throw new Fault(
      'surroundings',
      `${folder} cannot be written (${code}): check who may write there, and the space left.`,
    );
  }
}

/** Asked before anything is worked out, and again before it is written. */
export function refuseTaken(folder: string): void {
  const found = fs.statSync(folder, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || fs.readdirSync(folder).length > 0))
    throw new Fault('usage', `${folder} is there already and not an empty folder: name another one.`);
}

function byName(a: string, b: string): number {
  return a.slice(64) < b.slice(64) ? -1 : 1;
}

function writeFile(draft: string, { name, pieces }: PackFile): string {
  const file = path.join(draft, name);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const handle = fs.openSync(file, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, 'utf8');
      hash.update(bytes);
      fs.writeFileSync(handle, bytes);
    }
  } finally {
    fs.closeSync(handle);
  }
  return hash.digest('hex');
}

/** Redacted once more: what counts as a secret may have been learned since they were stored. */
export async function sessionFiles(documents: readonly AgentLogDocument[]): Promise<PackFile[]> {
  const files: PackFile[] = [];
  const taken = new Set<string>();
  for (const document of documents) {
    const base = `sessions/${plainName(document.agent.name)}/${plainName(document.id)}`;
    let name = `${base}.agentlog.json`;
    // names that differ only in signs that no file name has
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${base}-${i}.agentlog.json`;
    taken.add(name.toLowerCase());
    files.push({ name, pieces: [`${printDocument(await redactDocument(document))}\n`] });
  }
  return files;
}

/** Ids come from agents: whatever would lead out of the folder is written as a sign that does not. */
function plainName(name: string): string {
  return (
    name
      .replace(/[^\w.-]/g, '_')
      .replace(/^\./, '_')
      .slice(0, 150) || '_'
  );
}
