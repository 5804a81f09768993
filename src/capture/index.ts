import { acp } from './acp/index.ts';
import type { AgentAdapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';
import { pi } from './pi/index.ts';

/** Every agent that is captured. */
export const AGENTS: readonly AgentAdapter[] = [claudeCode, pi];

/** And whoever else files payloads. */
export const LISTENERS: readonly AgentAdapter[] = [...AGENTS, acp];

export function findAdapter(name: string): AgentAdapter | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
