import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { home, settings } from './settings.ts';

/** What Cascade itself writes down is encrypted: only hooks tell. */
export const windsurf: AgentAdapter = {
  name: 'windsurf',
  decodeTranscript: () => [],
  decodeHook,
  locate: () => [],
  home,
  hookFiles: [settings],
};
