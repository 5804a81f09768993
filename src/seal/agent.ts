import net from 'node:net';
import { Fault } from '../fault.ts';
import { decodeBlob, type PublicKey } from './keys.ts';
import type { Signer } from './seal.ts';
import { fixedWidth, wireReader, wireString, wireUint32 } from './ssh-wire.ts';

/** Messages of the agent protocol (RFC 9987, formerly draft-miller-ssh-agent). */
const LIST = 11;
const IDENTITIES = 12;
const SIGN = 13;
const SIGNATURE = 14;

const MAX_ANSWER = 256 * 1024;
const LIST_TIMEOUT = 5000;
/** A person may have to touch something, or to say yes. */
const SIGN_TIMEOUT = 120_000;

/** The keys of the agent that can seal, in its order. Absence of an agent is no error: there are none. */
export async function readAgentKeys(socket: string | undefined): Promise<readonly PublicKey[]> {
  if (!socket) return [];
  const answer = await ask(socket, Uint8Array.of(LIST), LIST_TIMEOUT).catch((error: unknown) => {
    if (error instanceof Fault && error.data.absent === true) return undefined;
    throw error;
  });
  if (!answer) return [];
  if (answer[0] !== IDENTITIES) throw odd('does not list its keys');
  const reader = wireReader(answer.subarray(1));
  const count = reader.readUint32() ?? 0;
  const keys: PublicKey[] = [];
  for (let i = 0; i < count; i++) {
    const [blob, comment] = [reader.readBytes(), reader.readBytes()];
    if (!blob || !comment) throw odd('lists fewer keys than it says');
    const key = decodeBlob(Buffer.from(blob));
    if (key) keys.push(key);
  }
  return keys;
}

export function agentSigner(socket: string, key: PublicKey): Signer {
  return { key, from: 'agent', sign: (bytes) => signByAgent(socket, key, bytes) };
}

async function signByAgent(socket: string, key: PublicKey, bytes: Uint8Array): Promise<Uint8Array> {
  const request = Buffer.concat([Uint8Array.of(SIGN), wireString(key.blob), wireString(bytes), wireUint32(0)]);
  const answer = await ask(socket, request, SIGN_TIMEOUT);
  if (answer[0] !== SIGNATURE) {
    throw new Fault(
      'surroundings',
      'ssh-agent refused to sign: check ssh-add -l, and whether it waits for a word from you.',
    );
  }
  const reader = wireReader(wireReader(answer.subarray(1)).readBytes() ?? new Uint8Array());
  const [type, signature] = [reader.readText(), reader.readBytes()];
  const plain = type === key.type && signature ? plainSignature(key, signature) : undefined;
  if (!plain) throw odd('sent a signature of another kind');
  return plain;
}

/** Ed25519 as it is; ECDSA comes as two numbers and becomes 32 bytes each. */
function plainSignature({ type }: PublicKey, signature: Uint8Array): Uint8Array | undefined {
  if (type === 'ssh-ed25519') return Buffer.from(signature);
  const reader = wireReader(signature);
  const [r, s] = [reader.readBytes(), reader.readBytes()].map((number) => number && fixedWidth(number, 32));
  return r && s && Buffer.concat([r, s]);
}

function odd(what: string): Fault {
  return new Fault('surroundings', `ssh-agent ${what}: check what SSH_AUTH_SOCK points to.`);
}

/** One message there, one back: the type and what follows it. */
function ask(socket: string, message: Uint8Array, timeout: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    const timer = setTimeout(() => end(odd(`did not answer within ${timeout / 1000} seconds`)), timeout);
    let answer = Buffer.alloc(0);
    const end = (outcome: Uint8Array | Fault) => {
      clearTimeout(timer);
      connection.destroy();
      if (outcome instanceof Fault) reject(outcome);
      else resolve(outcome);
    };
    connection.on('error', (error: NodeJS.ErrnoException) => end(connectionFault(error)));
    connection.on('close', () => end(odd('hung up without an answer')));
    connection.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length < 4) return;
      const length = answer.readUInt32BE(0);
      if (length === 0 || length > MAX_ANSWER) end(odd('sent an answer of a strange size'));
      else if (answer.length >= 4 + length) end(answer.subarray(4, 4 + length));
    });
    connection.write(wireString(message));
  });
}

function connectionFault({ code }: NodeJS.ErrnoException): Fault {
  const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
  const what = absent ? 'ssh-agent is not running' : `ssh-agent cannot be reached (${code ?? 'unknown'})`;
  return new Fault('surroundings', `${what}: start it and run ssh-add.`, { absent });
}
