import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { cursorHome, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

/** Cursor, the editor and its command line. */
export const cursor: AgentAdapter = {
  name: 'cursor',
  decodeTranscript,
  decodeHook,
  locate,
  home: cursorHome,
  hookFiles: [settings],
};
