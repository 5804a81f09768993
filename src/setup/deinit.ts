import fs from 'node:fs';
import path from 'node:path';
import { unsetConfig } from '../git/config.ts';
import { withLock } from '../git/lock.ts';
import type { Repository } from '../git/repository.ts';
import { bytesOf } from './bytes.ts';
import { writeInstalled } from './carry-out.ts';
import { parseLink } from './chain.ts';
import { lstat, readText, removeFolder, replaceFile } from './files.ts';
import { chainFolder, placesOf, type Surroundings, userFolder } from './places.ts';
import { commonDirOf, readRepositories } from './repositories.ts';
import { recall } from './survey.ts';
import { removeIfEmpty, removeOwn, takeBack } from './take-back.ts';
import { findUnremembered, findUsersUnremembered } from './unremembered.ts';

export interface DeinitWishes {
  /** Recorded sessions go too. */
  readonly purge: boolean;
  /** The hooks in the user's git configuration go too, though other repositories may use them. */
  readonly global: boolean;
}

/** What is ours alone and of no use without the hooks; the rest of `agent/` are recorded sessions. */
const OWN = ['hooks', 'since.json', 'hooks.log', 'hooks.log.1', 'cache'];

/** What was done and what could not be, one line each. */
export interface Done {
  readonly said: readonly string[];
  readonly left: readonly string[];
}

/** Takes back what `init` did. What we remember goes last: killed half-way, it can be run again. */
export async function deinit(repository: Repository, world: Surroundings, wishes: DeinitWishes): Promise<Done> {
  const { agentDir, commonDir } = placesOf(repository.commonDir, world);
  const there = fs.existsSync(agentDir);
  const leave = async (): Promise<Done> => {
    const parts = [await leaveRepository(repository, agentDir), await leaveUser(repository, world, wishes.global)];
    removeSnapshots(commonDir);
    const moved = moveForeign(commonDir);
    if (wishes.purge) removeFolder(agentDir);
    else removeOwnFiles(agentDir);
    return {
      said: [...parts.flatMap(({ said }) => said), ...moved],
      left: parts.flatMap(({ left }) => left),
    };
  };
  if (!there) return leave();
  // the work may be writing: it ends first
  const { said, left } = await withLock(commonDir, leave);
  removeIfEmpty(agentDir);
  const kept = `${agentDir}: recorded sessions kept (--purge removes them)`;
  return { said: [...said, fs.existsSync(agentDir) ? kept : `${agentDir}: removed`], left };
}

/** First what we remember; what is ours by its marks even then was remembered once. */
async function leaveRepository(repository: Repository, agentDir: string): Promise<Done> {
  const { place } = repository;
  const { installed, whole } = recall(agentDir);
  const said = [...(await takeBack(installed, place))];
  const { installed: marked, hooksPath, others } = await findUnremembered(repository);
  said.push(...(await takeBack(marked, place)));
  const left = marked.files.length > 0 ? (await findUnremembered(repository)).installed.files : [];
  const parts = left.map(({ path: file }) => `${file}: our lines in it have lost their end, take them out by hand`);
  if (hooksPath !== undefined) {
    await unsetConfig(place, { scope: 'local', key: 'core.hooksPath', value: hooksPath });
    parts.push('core.hooksPath: ours is taken out, what it was before is not known any more: set it as it should be');
  }
  // what the team has committed is not known from what init --project wrote
  const shared = whole ? [] : others.map((file) => `${file}: our lines stay, since it is not yours alone`);
  return { said, left: [...parts, ...shared] };
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
async function leaveUser(repository: Repository, world: Surroundings, global: boolean): Promise<Done> {
  const { place } = repository;
  const userDir = userFolder(world);
  const before = readRepositories(userDir);
  const left = before.filter((line) => {
    const other = commonDirOf(line);
    return other !== repository.commonDir && fs.existsSync(path.join(other, 'agent', 'hooks'));
  });
  const { installed } = recall(userDir);
  if (left.length > 0) {
    if (before.includes(repository.commonDir)) {
      replaceFile(path.join(userDir, 'repositories'), bytesOf(left.map((line) => `${line}\n`).join('')), 0o600);
    }
    const count = new Set(left.map(commonDirOf)).size;
    const others = count === 1 ? 'another repository uses them' : `${count} other repositories use them`;
    const kept = installed.files.length > 0 ? [`hooks in the settings of agents: kept, ${others}`] : [];
    if (!global || installed.values.length === 0) return { said: kept, left: [] };
    const values = await takeBack({ ...installed, files: [], folders: [] }, place);
    writeInstalled(userDir, { ...installed, values: [] });
    return { said: [...values, ...kept], left: [] };
  }
  // a user-level set-up that no repository is listed for was made by nobody that we know of but us
  const said = [...(await takeBack({ ...installed, folders: [] }, place))];
  const marked = await findUsersUnremembered(repository, world);
  said.push(...(await takeBack(marked, place)));
  const still = marked.files.length > 0 ? (await findUsersUnremembered(repository, world)).files : [];
  removeOwn(userDir, ['agent-hook', 'repositories', 'installed.json']);
  removeIfEmpty(userDir);
  for (const folder of [...installed.folders].reverse()) removeIfEmpty(folder);
  const how = 'mend it, then run git agent deinit again';
  return { said, left: still.map(({ path: file }) => `${file}: calls our hooks and is not valid, ${how}`) };
}
