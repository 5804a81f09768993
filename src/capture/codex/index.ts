import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { codexFolder, locate } from './locate.ts';
import { settings } from './settings.ts';
import { decodeTranscript } from './transcript.ts';
import { trust } from './trust.ts';

export const codex: AgentAdapter = {
  name: 'codex',
  decodeTranscript,
  decodeHook,
  locate,
  home: codexFolder,
  hookFiles: [settings, trust],
};
