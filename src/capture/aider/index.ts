import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { locate } from './locate.ts';
import { decodeTranscript } from './transcript.ts';

/** Aider has no hooks: its history in the work tree tells, which is written before aider commits. */
export const aider: AgentAdapter = {
  name: 'aider',
  decodeTranscript,
  decodeHook: () => assemble({ session: '', tool: { name: 'aider' }, steps: [], skipped: { hook: 1 } }),
  locate,
  home: ({ home }) => `${home}/.aider`,
  hookFiles: [],
};
