import { isObject } from '../json.ts';
import { redactTexts } from '../redact/redact.ts';
import { OWN_KEY } from '../trace/record.ts';
import { objectIn } from './import-parts.ts';

/** What the format itself says: no secret stands there. */
const FIXED = new Set(['version', 'id', 'timestamp', 'type', 'revision', 'path', 'content_hash', 'model_id']);

export interface Cleansed {
  /** Byte for byte where there was nothing to take out. */
  readonly lines: readonly string[];
  /** Records from which a secret was taken. */
  readonly redacted: number;
}

/** Notes are for everybody, and strangers put anything into a record: what is secret does not go there. */
export async function cleanseRecords(lines: readonly string[]): Promise<Cleansed> {
  const values = lines.map(objectIn);
  const texts: string[] = [];
  for (const value of values) {
    walk(value, (text) => {
      texts.push(text);
      return text;
    });
  }
  const clean = (await redactTexts(texts)).values();
  let redacted = 0;
  const out = lines.map((line, i) => {
    let changed = false;
    const value = walk(values[i], (text) => {
      const next = clean.next().value ?? text;
      changed ||= next !== text;
      return next;
    });
    if (changed) redacted++;
    return changed ? JSON.stringify(value) : line;
  });
  return { lines: out, redacted };
}

/** The same tree with every text but the fixed ones changed; visits in the same order each time. */
function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === OWN_KEY) return [key, walkOwn(inner, change)];
      return [key, FIXED.has(key) ? inner : walk(inner, change)];
    }),
  );
}

/** Our hashes look like anything; what a stranger's record said is its own word. */
function walkOwn(own: unknown, change: (text: string) => string): unknown {
  return isObject(own) && own.imported !== undefined ? { ...own, imported: walk(own.imported, change) } : own;
}
