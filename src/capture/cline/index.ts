import type { AgentAdapter } from '../adapter.ts';
import { decodeTask } from './classic.ts';
import { decodeHook } from './hook.ts';
import { hookFiles } from './hook-files.ts';
import { clineFolder, isTask, locate } from './locate.ts';
import { decodeSession } from './session.ts';

export const cline: AgentAdapter = {
  name: 'cline',
  decodeTranscript: (file) => [isTask(file.path) ? decodeTask(file) : decodeSession(file)],
  decodeHook,
  locate,
  home: clineFolder,
  hookFiles,
};
