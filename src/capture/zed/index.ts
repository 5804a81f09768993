import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { dataFolder, locate } from './locate.ts';
import { decodeDatabase } from './threads.ts';

/** Zed's own agent. Others that run in Zed write their own transcripts. */
export const zed: AgentAdapter = {
  name: 'zed',
  decodeTranscript: (file) => (file.path.endsWith('.db') ? decodeDatabase(file) : []),
  decodeHook: () => assemble({ session: '', tool: { name: 'zed' }, steps: [], skipped: { hook: 1 } }),
  locate,
  home: dataFolder,
  hookFiles: [],
};
