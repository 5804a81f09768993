/** The path in a `file:` address; undefined where it is none. */
export function filePath(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:///')) return undefined;
  try {
    const path = decodeURIComponent(uri.slice(7));
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return undefined; // a sign that begins no code
  }
}
