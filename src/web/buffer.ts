/** What stands in for node's module `buffer` in the bundles for other runtimes: the Buffer that isomorphic-git needs anyway. */
const { Buffer } = globalThis;

const decoder = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export { Buffer, isUtf8 };
