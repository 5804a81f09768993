import path from 'node:path';

/** Where the work trees are: every name that their folders go by. */
export type Roots = readonly string[];

export interface Place {
  readonly inside: boolean;
  /** Inside: from the top of the work tree, as git names it. Outside: whole, or as it was told where nobody knows its folder. */
  readonly path: string;
}

/** A path as an agent told it, from the folder the agent worked in. */
export function placeOf(roots: Roots, folder: string | null | undefined, told: string): Place {
  const known = path.isAbsolute(told) || (folder !== null && folder !== undefined && path.isAbsolute(folder));
  // without a folder it is one of the project, as far as it does not climb out of it
  if (!known) return { inside: !/^\.\.(?:\/|$)/.test(path.normalize(told)), path: path.normalize(told) };
  const whole = path.resolve(folder ?? '/', told);
  const root = roots
    .filter((one) => isUnder(one, whole))
    .reduce<string | undefined>((best, one) => (one.length > (best?.length ?? -1) ? one : best), undefined);
  return root === undefined
    ? { inside: false, path: whole }
    : { inside: true, path: path.relative(root, whole).split(path.sep).join('/') };
}

/**
 * Whether a session of another clone can have meant a file of its project: from here nobody can tell where that project ended. A folder
 * above our own work trees is on this machine, and what lies in it is known.
 */
export function isOfOtherClone(roots: Roots, folder: string | null | undefined, told: string): boolean {
  if (folder == null || !path.isAbsolute(folder)) return false;
  const [own, whole] = [path.resolve(folder), path.resolve(folder, told)];
  if (roots.some((root) => isUnder(root, own) || isUnder(own, root))) return false;
  return !path.isAbsolute(told) || isUnder(own, whole);
}

function isUnder(folder: string, whole: string): boolean {
  return whole === folder || whole.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
