/** What was shared here: a tree of `AGENT/SESSION.agentlog.json`, one blob per session. */
export const SESSIONS_REF = 'refs/agent/sessions';

/** The same as a remote has it. A remote called `sessions` would lie where ours is. */
export function remoteRef(remote: string): string {
  return /^sessions(?:\/|$)/.test(remote) ? `refs/agent/-/${remote}/sessions` : `refs/agent/${remote}/sessions`;
}

export const SESSION = '.agentlog.json';
/** Stands in the place of a session that was forgotten, so that nobody's union brings it back. */
export const TOMBSTONE = '.forgotten';
