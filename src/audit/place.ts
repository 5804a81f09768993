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
    .filter((one) => whole === one || whole.startsWith(one.endsWith(path.sep) ? one : one + path.sep))
    .reduce<string | undefined>((best, one) => (one.length > (best?.length ?? -1) ? one : best), undefined);
  return root === undefined
    ? { inside: false, path: whole }
    : { inside: true, path: path.relative(root, whole).split(path.sep).join('/') };
}
