import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { copilotHome, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

/** GitHub Copilot: the CLI, and the chat in VS Code. */
export const copilot: AgentAdapter = {
  name: 'copilot',
  decodeTranscript,
  decodeHook,
  locate,
  home: copilotHome,
  hookFiles: [settings],
};
