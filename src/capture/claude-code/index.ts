import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { configFolder, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

export const claudeCode: AgentAdapter = {
  name: 'claude-code',
  decodeTranscript: (file) => [decodeTranscript(file.lines())],
  decodeHook,
  locate,
  home: configFolder,
  hookFiles: [settings],
};
