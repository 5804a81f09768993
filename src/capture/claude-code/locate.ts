import type { LocateIn, Surroundings } from '../adapter.ts';
import { selfAndAbove } from '../near.ts';

export interface TranscriptFolders {
  /** Folders that hold one folder per project; they need not exist. */
  readonly roots: readonly string[];
  /** Whether a folder there may belong to one of the work trees. Names lose information: the lines' own `cwd` decides. */
  readonly mayHold: (folder: string) => boolean;
}

/** Claude Code cuts longer folder names here, and adds a hash of its own. */
const NAME_LENGTH = 200;

/** Where transcripts are: of sessions started in a work tree, in a folder below it, or in one above it. */
export function transcriptFolders({
  home,
  env,
  worktrees,
}: Surroundings & { worktrees: readonly string[] }): TranscriptFolders {
  const config = env.XDG_CONFIG_HOME || `${home}/.config`;
  const homes = [env.CLAUDE_CONFIG_DIR, `${home}/.claude`, `${config}/claude`].filter((folder) => folder);
  const exact = new Set(worktrees.flatMap(selfAndAbove).map(folderName));
  if (env.CLAUDE_CODE_PROJECT_DIR_NAME) exact.add(env.CLAUDE_CODE_PROJECT_DIR_NAME.toLowerCase());
  const starts = worktrees.map((worktree) => `${encode(trimmed(worktree))}-`.slice(0, NAME_LENGTH));
  const long = [...exact].filter((name) => name.length === NAME_LENGTH);
  return {
    roots: [...new Set(homes.map((folder) => `${trimmed(folder ?? '')}/projects`))],
    mayHold: (folder) => {
      const name = folder.toLowerCase();
      return exact.has(name) || [...starts, ...long].some((start) => name.startsWith(start));
    },
  };
}

/** Letters' case is left aside: drives and some file systems do not keep it. */
function encode(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-').toLowerCase();
}

function folderName(path: string): string {
  return encode(path).slice(0, NAME_LENGTH);
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)[\\/]+$/, '');
}

/** Every transcript that may speak of the work trees: sessions, and sub-agents beside or below them. */
export function locate({ list, ...place }: LocateIn): string[] {
  const { roots, mayHold } = transcriptFolders(place);
  const below = (folder: string): string[] =>
    list(folder).flatMap((entry) => (entry.folder ? [`${folder}/${entry.name}`] : []));
  const files = (folder: string): string[] =>
    list(folder).flatMap((entry) => (entry.folder ? [] : [`${folder}/${entry.name}`]));
  return roots.flatMap(below).flatMap((project) => {
    if (!mayHold(project.slice(project.lastIndexOf('/') + 1))) return [];
    const nested = below(project).map((session) => `${session}/subagents`);
    const flows = nested.flatMap((folder) => below(`${folder}/workflows`));
    return [project, ...nested, ...flows].flatMap(files).filter((file) => isTranscript(file.slice(project.length + 1)));
  });
}

export type TranscriptKind = 'session' | 'sub-agent';

/** What a file in a project's folder is, by its path there; undefined: nothing of ours. */
export function transcriptKind(path: string): TranscriptKind | undefined {
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? '';
  // a compaction's helper repeats the session
  if (!/^[A-Za-z0-9._-]+\.jsonl$/.test(name) || name.startsWith('agent-acompact-')) return undefined;
  if (name.startsWith('agent-')) return parts.length === 1 || parts[1] === 'subagents' ? 'sub-agent' : undefined;
  return parts.length === 1 ? 'session' : undefined;
}

export function isTranscript(path: string): boolean {
  return transcriptKind(path) !== undefined;
}

/** The user's own folder of settings and transcripts. */
export function configFolder({ home, env }: Surroundings): string {
  return env.CLAUDE_CONFIG_DIR || `${home}/.claude`;
}
