import { createHash } from 'node:crypto';
import type { LocateIn, Surroundings } from '../adapter.ts';
import { objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { selfAndAbove } from '../near.ts';

/** Gemini's own folder. */
export function geminiFolder({ home, env }: Surroundings): string {
  return `${env.GEMINI_CLI_HOME || home}/.gemini`;
}

/** Transcripts of sessions started in a work tree, below it, or above it; those of sub-agents lie in a folder of their session's name. */
export function locate({ list, read, worktrees, ...place }: LocateIn): string[] {
  const folder = geminiFolder(place);
  const above = new Set(worktrees.flatMap(selfAndAbove).map(hashOf));
  const mayHold = (name: string) => {
    const roots = rootsOf(folder, name, read);
    if (roots.length > 0) return roots.some((root) => worktrees.some((tree) => isNear(root, tree)));
    // up to 0.28 a folder was named by the hash of its project's; a short name that nobody explains may be anybody's
    return above.has(name) || !/^[0-9a-f]{64}$/.test(name);
  };
  const below = (parent: string, wanted: (name: string) => boolean = () => true) =>
    list(parent).flatMap((entry) => (entry.folder && wanted(entry.name) ? [`${parent}/${entry.name}`] : []));
  const chats = below(`${folder}/tmp`, mayHold).map((project) => `${project}/chats`);
  return [...chats, ...chats.flatMap((chat) => below(chat))].flatMap((parent) =>
    list(parent).flatMap((entry) => (!entry.folder && /\.jsonl?$/.test(entry.name) ? [`${parent}/${entry.name}`] : [])),
  );
}

/** Where a transcript lies. */
export interface Place {
  /** Gemini's folder. */
  readonly folder: string;
  readonly project: string;
  /** The session that a sub-agent worked for. */
  readonly parent?: string;
}

export function placeOf(file: string): Place | undefined {
  const found = /^(.*)[\\/]tmp[\\/]([^\\/]+)[\\/]chats[\\/](?:([^\\/]+)[\\/])?[^\\/]+$/.exec(file);
  const [, folder = '', project = '', parent] = found ?? [];
  return found ? { folder, project, ...(parent !== undefined && { parent }) } : undefined;
}

/** The project's folder, as Gemini has written it down beside its transcripts. */
export function rootsOf(folder: string, project: string, read: (file: string) => string | undefined): string[] {
  const own = read(`${folder}/tmp/${project}/.project_root`)?.trim();
  const listed = objectOf(objectOf(parseJsonFile(read(`${folder}/projects.json`) ?? ''))?.projects) ?? {};
  const named = Object.keys(listed).filter((root) => textOf(listed[root]) === project);
  return [...(own ? [own] : []), ...named];
}

/** What a transcript calls `projectHash`. */
export function hashOf(root: string): string {
  return createHash('sha256').update(root).digest('hex');
}

/** One is the other, or lies in it. */
function isNear(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `${path.replaceAll('\\', '/').replace(/\/+$/, '')}/`);
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}
