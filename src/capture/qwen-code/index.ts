import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { locate, qwenFolder } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

export const qwenCode: AgentAdapter = {
  name: 'qwen-code',
  decodeTranscript: (file) => [decodeTranscript(file.lines())],
  decodeHook,
  locate,
  home: qwenFolder,
  hookFiles: [settings],
};
