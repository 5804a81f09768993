import { askJj, type JjPlace } from './run.ts';

/** One of a repository's work trees. */
export interface Workspace {
  readonly name: string;
  readonly root: string;
  /** Its `@`, as last looked at. */
  readonly commit: string;
  readonly parents: readonly string[];
}

const TEMPLATE = [
  'json(stringify(name))',
  'json(stringify(root))',
  'json(target.commit_id())',
  'json(target.parents().map(|one| one.commit_id()))',
].join(' ++ "," ++ ');

export const WORKSPACE_ARGUMENTS = ['workspace', 'list', '-T', `"[" ++ ${TEMPLATE} ++ "]\\n"`];

/** Lines that name no workspace are skipped; so is the commit that all others stem from, which git does not have. */
export function parseWorkspaces(out: string): Workspace[] {
  return out.split('\n').flatMap((line): Workspace[] => {
    const value = parseList(line);
    const [name, root, commit, parents] = value;
    if (typeof name !== 'string' || typeof root !== 'string' || !isId(commit) || !Array.isArray(parents)) return [];
    return [{ name, root, commit, parents: parents.filter(isId).filter((id) => !/^0+$/.test(id)) }];
  });
}

function parseList(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}

export async function readWorkspaces(place: JjPlace): Promise<Workspace[] | undefined> {
  const out = await askJj(place, WORKSPACE_ARGUMENTS);
  return out === undefined ? undefined : parseWorkspaces(out);
}
