import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../git/lock.ts';
import type { Repository } from '../git/repository.ts';
import { bytesOf } from './bytes.ts';
import { writeInstalled } from './carry-out.ts';
import { parseLink } from './chain.ts';
import { lstat, readText, removeFolder, replaceFile } from './files.ts';
import { chainFolder, placesOf, type Surroundings } from './places.ts';
import { commonDirOf, readRepositories } from './repositories.ts';
import { readInstalled } from './survey.ts';
import { removeIfEmpty, removeOwn, takeBack } from './take-back.ts';

export interface DeinitWishes {
  /** Recorded sessions go too. */
  readonly purge: boolean;
  /** The hooks in the user's git configuration go too, though other repositories may use them. */
  readonly global: boolean;
}

/** What is ours alone and of no use without the hooks; the rest of `agent/` are recorded sessions. */
const OWN = ['hooks', 'since.json', 'hooks.log', 'hooks.log.1', 'cache'];

/** Takes back what `init` did; tells what was done, one line each. What we remember goes last: killed half-way, it can be run again. */
export async function deinit(
  repository: Repository,
  world: Surroundings,
  wishes: DeinitWishes,
): Promise<readonly string[]> {
  const { agentDir, userDir, commonDir } = placesOf(repository.commonDir, world);
  const there = fs.existsSync(agentDir);
  const leave = async () => {
    const said = [...(await takeBack(readInstalled(agentDir), repository.place))];
    said.push(...(await leaveUser(repository, userDir, wishes.global)));
    removeSnapshots(commonDir);
    said.push(...moveForeign(commonDir));
    if (wishes.purge) removeFolder(agentDir);
    else removeOwnFiles(agentDir);
    return said;
  };
  if (!there) return leave();
  // the work may be writing: it ends first
  const said = await withLock(commonDir, leave);
  removeIfEmpty(agentDir);
  const kept = `${agentDir}: recorded sessions kept (--purge removes them)`;
  return [...said, fs.existsSync(agentDir) ? kept : `${agentDir}: removed`];
}

function removeOwnFiles(agentDir: string): void {
  removeOwn(agentDir, OWN);
  const journal = path.join(agentDir, 'journal');
  if (fs.statSync(journal, { throwIfNoEntry: false })?.size === 0) fs.rmSync(journal);
  removeIfEmpty(path.join(agentDir, 'payloads'));
  removeOwn(agentDir, ['installed.json']);
}

/** Programs that install hooks may have put theirs over our links: those are not ours to remove. */
function moveForeign(commonDir: string): string[] {
  const folder = chainFolder(commonDir);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    if (!lstat(file)?.isFile() || parseLink(readText(file) ?? '') !== undefined) return [];
    const to = freeName(path.join(commonDir, 'hooks', name));
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.renameSync(file, to);
    return [`${file}: not ours, now ${to}`];
  });
}

function freeName(file: string): string {
  return lstat(file) === undefined ? file : freeName(`${file}.chained`);
}

/** The private indexes of snapshots lie in the git dir of each work tree; beside `agent/` what hooks could not record. */
function removeSnapshots(commonDir: string): void {
  const worktrees = path.join(commonDir, 'worktrees');
  const names = fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : [];
  for (const folder of [commonDir, ...names.map((name) => path.join(worktrees, name))]) {
    const found = fs.statSync(folder).isDirectory() ? fs.readdirSync(folder) : [];
    removeOwn(
      folder,
      found.filter((name) => /^agent-(?:missed$|index(?:\.|$))/.test(name)),
    );
  }
}

/** User-level hooks serve all repositories: they go with the last one. */
async function leaveUser(repository: Repository, userDir: string, global: boolean): Promise<string[]> {
  const before = readRepositories(userDir);
  const left = before.filter((line) => {
    const other = commonDirOf(line);
    return other !== repository.commonDir && fs.existsSync(path.join(other, 'agent', 'hooks'));
  });
  const installed = readInstalled(userDir);
  if (left.length > 0) {
    if (before.includes(repository.commonDir)) {
      replaceFile(path.join(userDir, 'repositories'), bytesOf(left.map((line) => `${line}\n`).join('')), 0o600);
    }
    const count = new Set(left.map(commonDirOf)).size;
    const others = count === 1 ? 'another repository uses them' : `${count} other repositories use them`;
    const kept = installed.files.length > 0 ? [`hooks in the settings of agents: kept, ${others}`] : [];
    if (!global || installed.values.length === 0) return kept;
    const values = await takeBack({ ...installed, files: [], folders: [] }, repository.place);
    writeInstalled(userDir, { ...installed, values: [] });
    return [...values, ...kept];
  }
  // a user-level set-up that no repository is listed for was made by nobody that we know of but us
  const said = await takeBack({ ...installed, folders: [] }, repository.place);
  removeOwn(userDir, ['agent-hook', 'repositories', 'installed.json']);
  removeIfEmpty(userDir);
  for (const folder of [...installed.folders].reverse()) removeIfEmpty(folder);
  return [...said];
}
