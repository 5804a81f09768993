import type { FileSystem } from './repository.ts';

type Call = (path: unknown, ...rest: unknown[]) => unknown;

/** Questions that isomorphic-git asks again for every object it reads. */
const ASKED_AGAIN = new Set(['stat', 'readdir']);

/**
 * The file system as it stood at the first look: half the time of reading many objects would go into asking the same again. Only of
 * those that answer with promises.
 */
export function standingStill(fs: FileSystem): FileSystem {
  if (!('promises' in fs)) return fs;
  const known = new Map<string, unknown>();
  const promises = new Proxy(fs.promises, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      const bound: Call = call.bind(target);
      return ASKED_AGAIN.has(String(name)) ? askOnce(bound, String(name), known) : bound;
    },
  });
  return { promises };
}

function askOnce(call: Call, name: string, known: Map<string, unknown>): Call {
  return (path, ...rest) => {
    const key = JSON.stringify([name, path, ...rest]);
    if (!known.has(key)) known.set(key, call(path, ...rest));
    return known.get(key);
  };
}
