import { findFile } from './disk.ts';
import { listSessions, type SessionFile } from './documents.ts';
import type { Store } from './store.ts';

/** A stored session as its file has it: unread, for those who look at many of them. */
export interface SessionText extends SessionFile {
  readonly text: string;
}

/** Every stored session, newest first, one at a time: all of them together may not fit. */
export function* scanSessions(store: Store): Generator<SessionText> {
  for (const one of listSessions(store)) {
    const text = findFile(one.file)?.toString('utf8');
    if (text !== undefined) yield { ...one, text };
  }
}
