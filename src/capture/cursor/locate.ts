import type { LocateIn, Surroundings } from '../adapter.ts';

export function cursorHome({ home }: Surroundings): string {
  return `${home}/.cursor`;
}

/** Transcripts of projects whose name may be a work tree's, or that of a folder above or below one. */
export function locate(place: LocateIn): string[] {
  const root = `${cursorHome(place)}/projects`;
  const trees = place.worktrees.map(encoded);
  const mayHold = (name: string) =>
    trees.some((tree) => `${tree}-`.startsWith(`${name}-`) || name.startsWith(`${tree}-`));
  return place
    .list(root)
    .filter(({ name, folder }) => folder && mayHold(encoded(name)))
    .flatMap(({ name }) => transcripts(place, `${root}/${name}/agent-transcripts`));
}

/** `ID/ID.jsonl`, sub-agents beside it or in `ID/subagents`. */
function transcripts({ list }: LocateIn, folder: string): string[] {
  const files = (at: string): string[] =>
    list(at).flatMap(({ name, folder: inner }) => (!inner && name.endsWith('.jsonl') ? [`${at}/${name}`] : []));
  const below = list(folder).flatMap(({ name, folder: inner }) => (inner ? [`${folder}/${name}`] : []));
  return [folder, ...below.flatMap((session) => [session, `${session}/subagents`])].flatMap(files);
}

/** Cursor names a project's folder by its path, with `-` for whatever is no letter or digit. */
export function encoded(path: string): string {
  return path
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** The name of the project that a transcript is of. */
export function projectIn(path: string): string | undefined {
  return /[\\/]projects[\\/]([^\\/]+)[\\/]agent-transcripts[\\/]/.exec(path)?.[1];
}
