import { createHash } from 'node:crypto';

/** What was shared here: a tree of `AGENT/SESSION.agentlog.json`, one blob per session. */
export const SESSIONS_REF = 'refs/agent/sessions';

/** The same as a remote has it. A remote called `sessions` would lie where ours is. */
export function remoteRef(remote: string): string {
  return /^sessions(?:\/|$)/.test(remote) ? `refs/agent/-/${remote}/sessions` : `refs/agent/${remote}/sessions`;
}

export const SESSION = '.agentlog.json';
/** Stands in the place of a session that was forgotten, so that nobody's union brings it back. */
export const TOMBSTONE = '.forgotten';

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
