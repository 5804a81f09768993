import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { continueFolder, locate } from './locate.ts';
import { decodeTranscript } from './transcript.ts';

/** Its CLI reads hooks from settings, and ran none of them when it was last looked at (1.5.47): only what it writes down tells. */
export const continueCli: AgentAdapter = {
  name: 'continue',
  decodeTranscript: (file) => [decodeTranscript(file)],
  decodeHook,
  locate,
  home: continueFolder,
  hookFiles: [],
};
