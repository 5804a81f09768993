/** It is waited for later: until then its failure is not forgotten, only not told. */
export function quietly<T>(later: Promise<T>): Promise<T> {
  later.catch(() => {});
  return later;
}
