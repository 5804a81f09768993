/** Names that other tools write where they know no file. */
const PSEUDO_PATHS = new Set(['.shell-history', '.sessions', '.unknown']);

/**
 * A record's path as git would name it, or undefined where it is no path inside a repository. Our own records name git's paths
 * exactly; in those of others a backslash is Windows' separator.
 */
export function repoPath(path: string, own: boolean): string | undefined {
  if (path === '' || path.includes('\0')) return undefined;
  if (own && !path.includes('..')) return path.startsWith('/') ? undefined : path;
  if (own) return isInside(path.split('/')) ? path : undefined;
  if (/^[A-Za-z]:[\\/]/.test(path)) return undefined;
  const [first, ...rest] = path.replaceAll('\\', '/').split('/');
  // ./a and a//b name the same file as a and a/b; a leading slash stays, and is refused
  const parts = [first === '.' ? [] : [first ?? ''], rest.filter((part) => part !== '' && part !== '.')].flat();
  const plain = parts.join('/');
  return isInside(parts) && !PSEUDO_PATHS.has(plain) ? plain : undefined;
}

function isInside(parts: readonly string[]): boolean {
  return parts.length > 0 && parts[0] !== '' && !parts.includes('..');
}
