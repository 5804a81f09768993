import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { home, locate } from './locate.ts';
import { decodeTask } from './task.ts';

export const roo: AgentAdapter = {
  name: 'roo',
  decodeTranscript: (file) => [decodeTask(file)],
  decodeHook: () => assemble({ session: '', tool: { name: 'roo' }, steps: [], skipped: { hook: 1 } }),
  locate,
  home,
  hookFiles: [],
};
