import { isObject, parseJson } from '../../json.ts';

export interface Manifest {
  readonly idBytes: number;
  readonly refs: ReadonlyMap<string, string>;
  readonly segments: readonly ManifestSegment[];
  readonly lackedAt?: number;
}

export interface ManifestSegment {
  readonly file: string;
  readonly size: number;
  /** Its time of modification, as the file system has it. */
  readonly modified: number;
  readonly notes: number;
  readonly since: number;
}

const VERSION = 1;
const MAX_LENGTH = 1 << 20;

export function printManifest({ idBytes, refs, segments, lackedAt }: Manifest): string {
  return `${JSON.stringify({ version: VERSION, idBytes, refs: [...refs], segments, lackedAt })}\n`;
}

/** Undefined: of another version, or not as we wrote it. */
export function parseManifest(text: string): Manifest | undefined {
  const json = parseJson(text, MAX_LENGTH);
  if (!('value' in json) || !isObject(json.value)) return undefined;
  const { version, idBytes, refs, segments, lackedAt } = json.value;
  if (version !== VERSION || typeof idBytes !== 'number' || !Array.isArray(refs) || !Array.isArray(segments)) return;
  if (!refs.every(isRef) || !segments.every(isSegment)) return undefined;
  return { idBytes, refs: new Map(refs), segments, ...(typeof lackedAt === 'number' ? { lackedAt } : {}) };
}

function isRef(value: unknown): value is [ref: string, tip: string] {
  return Array.isArray(value) && typeof value[0] === 'string' && /^[0-9a-f]{40,64}$/.test(`${value[1]}`);
}

function isSegment(value: unknown): value is ManifestSegment {
  if (!isObject(value) || typeof value.file !== 'string') return false;
  // no other file is ever opened
  if (!/^[0-9a-f-]+\.segment$/.test(value.file)) return false;
  return [value.size, value.modified, value.notes, value.since].every(Number.isFinite);
}
