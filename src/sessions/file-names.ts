import { createHash } from 'node:crypto';

const MAX_NAME = 150;

/** Ids come from agents: a name that no git and no disk stumbles over, another one for every id. */
export function encodeName(id: string): string {
  const safe = [...Buffer.from(id)]
    .map((byte, i) => {
      const sign = String.fromCharCode(byte);
      const plain = /[A-Za-z0-9_-]/.test(sign) || (sign === '.' && i > 0);
      return plain ? sign : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (safe.length > 0 && safe.length <= MAX_NAME) return safe;
  // `%%` begins no byte: what is cut cannot be taken for what is not
  return `${safe.slice(0, 80)}%%${createHash('sha256').update(id).digest('hex')}`;
}

/** The id again; of one that was cut only its name is known. */
export function decodeName(name: string): string {
  if (name.includes('%%')) return name;
  const bytes = name.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** As versions before named files: several ids could have one name. Still looked for, no longer written. */
export function formerName(id: string): string {
  return id
    .replace(/[^\w.-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, MAX_NAME);
}
