import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { agentFolder, locate } from './locate.ts';
import { plugin } from './plugin.ts';
import { decodeTranscript } from './transcript.ts';

export const pi: AgentAdapter = {
  name: 'pi',
  decodeTranscript: (file) => [decodeTranscript(file.lines())],
  decodeHook,
  locate,
  home: agentFolder,
  hookFiles: [plugin],
};
