import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { droidFolder, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

/** Factory Droid. */
export const droid: AgentAdapter = {
  name: 'droid',
  decodeTranscript: (file) => [decodeTranscript(file)],
  decodeHook,
  locate,
  home: droidFolder,
  hookFiles: [settings],
};
