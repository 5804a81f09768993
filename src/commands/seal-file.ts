import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { isObject, type JsonObject } from '../json.ts';
import { sealBytes } from '../seal/seal.ts';
import { writeNamed } from '../sessions/disk.ts';
import { plain } from '../terminal/plain.ts';
import { parseVac } from '../vac/parse.ts';
import { traceMetadataOf } from '../vac/trace-metadata.ts';
import type { World } from './command.ts';
import { readSource } from './import-source.ts';
import { openKey } from './seal-key.ts';

/** The draft names no type of its own for its records. */
const TYPES = { json: 'application/json', cbor: 'application/cbor' } as const;

export interface FileSeal {
  readonly name: string;
  readonly form: 'attached' | 'detached';
  readonly output: string | undefined;
  readonly dryRun: boolean;
}

/** Seals a verifiable-agent-record as its bytes stand in the file; the seal goes into a file of its own. */
export async function sealFile(world: World, { name, form, output, dryRun }: FileSeal): Promise<number> {
  const { bytes } = readSource(world, name);
  const parsed = parseVac(bytes);
  if (parsed.kind !== 'record') {
    const why = parsed.kind === 'signed' ? 'it is sealed already' : parsed.problem;
    throw new Fault('refused', `${name} is no verifiable-agent-record that can be sealed: ${why}.`);
  }
  const target = path.resolve(world.cwd, output ?? `${name}.cose`);
  // an earlier seal may carry receipts that nobody can make again
  if (output === undefined && fs.existsSync(target))
    throw new Fault('usage', `${name}.cose is there already: name another file with --output.`);
  const { signer, principal } = await openKey(world, await findRepository(world.cwd));
  if (dryRun) {
    await world.err.write(`${plain(name)} would be sealed as ${principal}; nothing was written\n`);
    return 0;
  }
  const { cose, hashed } = await sealBytes(signer, bytes, {
    ...{ principal, form, at: world.now(), contentType: TYPES[parsed.form] },
    subject: subjectOf(parsed.record),
    ...traceMetadataOf(parsed.record),
  });
  writeNamed(target, cose);
  await world.err.write(`${plain(name)} sealed as ${principal} in ${plain(output ?? `${name}.cose`)}\n`);
  if (form === 'detached' || hashed) {
    const what = hashed ? 'only the hash of the record is' : 'the record is not';
    await world.err.write(`${world.name}: ${what} in the seal: verify it with --payload ${plain(name)}.\n`);
  }
  return 0;
}

/** The record's id, else that of its session, without which no record is read. */
function subjectOf({ id, session }: JsonObject): string {
  if (typeof id === 'string' && id !== '') return id;
  return isObject(session) ? String(session['session-id']) : '';
}
