import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { dataFolder, locate } from './locate.ts';
import { decodeDatabase } from './sessions.ts';

export const goose: AgentAdapter = {
  name: 'goose',
  decodeTranscript: (file) => (file.path.endsWith('.db') ? decodeDatabase(file) : []),
  decodeHook: () => assemble({ session: '', tool: { name: 'goose' }, steps: [], skipped: { hook: 1 } }),
  locate,
  home: dataFolder,
  hookFiles: [],
};
