import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { dataFolder, locate } from './locate.ts';
import { decodeThread } from './thread.ts';

/** Amp's plug-ins are behind a flag and may change any day: only its threads are read. */
export const amp: AgentAdapter = {
  name: 'amp',
  decodeTranscript: (file) => [decodeThread(file)],
  decodeHook: () => assemble({ session: '', tool: { name: 'amp' }, steps: [], skipped: { hook: 1 } }),
  locate,
  home: dataFolder,
  hookFiles: [],
};
