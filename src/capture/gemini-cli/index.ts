import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { geminiFolder, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

export const geminiCli: AgentAdapter = {
  name: 'gemini-cli',
  decodeTranscript: (file) => [decodeTranscript(file)],
  decodeHook,
  locate,
  home: geminiFolder,
  hookFiles: [settings],
};
