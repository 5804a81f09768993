/** What stands in for node's module `buffer` in the bundles for other runtimes: the Buffer that isomorphic-git needs anyway. */
const { Buffer } = globalThis;

export { Buffer };
