import type { AgentAdapter } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { environmentSession, locate } from './locate.ts';
import { addHooks, removeHooks, settingsFile } from './settings.ts';
import { decodeTranscript } from './transcript.ts';

export const claudeCode: AgentAdapter = {
  name: 'claude-code',
  decodeTranscript,
  decodeHook,
  locate,
  environmentSession,
  settingsFile,
  addHooks,
  removeHooks,
};
