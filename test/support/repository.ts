import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findHead, initLike } from './model.ts';
import { removeFolder } from './remove.ts';

export interface TestRepository {
  /** The real path of the work tree, or of the bare repository. */
  readonly dir: string;
  /** Runs git there; its output without the final line end. A failure throws with git's words. */
  git(...args: string[]): string;
  /** The same with bytes out, and bytes in. */
  gitBytes(args: readonly string[], input?: string | Uint8Array): Buffer;
  write(file: string, content: string | Uint8Array): void;
  read(file: string): string;
  /** Adds everything and commits; gives the commit's id. Empty commits are allowed. */
  commit(message?: string): string;
  remove(): void;
}

export interface RepositoryOptions {
  readonly bare?: boolean;
  readonly objectFormat?: 'sha1' | 'sha256';
  /** Refs in tables came with git 2.45. */
  readonly refFormat?: 'reftable';
}

export function makeRepository({ bare, objectFormat = 'sha1', refFormat }: RepositoryOptions = {}): TestRepository {
  const dir = makeFolder('repository');
  const repository = openRepository(dir);
  const refs = refFormat ? [`--ref-format=${refFormat}`] : [];
  initLike(dir, [`--object-format=${objectFormat}`, ...refs, ...(bare ? ['--bare'] : [])], repository.git);
  return repository;
}

/** The same words for a folder that is already there: a clone, a linked work tree. */
export function openRepository(dir: string): TestRepository {
  const gitBytes = (args: readonly string[], input?: string | Uint8Array) => gitAt(dir, args, input);
  const git = (...args: string[]) => gitBytes(args).toString('utf8').trimEnd();
  return {
    dir,
    git,
    gitBytes,
    write(file, content) {
      const full = path.join(dir, file);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.writeFileSync(full, content);
    },
    read: (file) => fs.readFileSync(path.join(dir, file), 'utf8'),
    commit(message = 'change') {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return findHead(dir) ?? git('rev-parse', 'HEAD');
    },
    remove: () => removeFolder(dir),
  };
}

/** A temporary folder with its real path: on some systems the temporary folder is itself a link. */
export function makeFolder(name: string): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `agent-${name}-`)));
}

function gitAt(cwd: string, args: readonly string[], input?: string | Uint8Array): Buffer {
  try {
    return execFileSync('git', args, { cwd, input, stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 30 });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`git ${args.join(' ')}: ${said.trim()}`);
  }
}
