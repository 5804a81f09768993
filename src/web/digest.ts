import { sha256 } from '@noble/hashes/sha2.js';

/*
 * What stands in for node:crypto where there is none: the bundles for other runtimes are built with it (build/library.mjs). SHA-256 is all we
 * ask for, and at once: the browser's own is asynchronous.
 */

type Bytes = string | Uint8Array;
type Encoding = 'hex' | 'base64' | 'buffer';

interface Hash {
  update(data: Bytes, encoding?: 'utf8'): Hash;
  digest(encoding?: Encoding): string | Buffer;
}

export function createHash(_name: 'sha256'): Hash {
  const state = sha256.create();
  const self: Hash = {
    update(data) {
      state.update(typeof data === 'string' ? Buffer.from(data, 'utf8') : data);
      return self;
    },
    digest: (encoding = 'buffer') => print(Buffer.from(state.digest()), encoding),
  };
  return self;
}

export function hash(name: 'sha256', data: Bytes, encoding: Encoding = 'hex'): string | Buffer {
  return createHash(name).update(data).digest(encoding);
}

function print(bytes: Buffer, encoding: Encoding): string | Buffer {
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}
