import type { AgentAdapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';

/** Every agent that is captured. */
export const AGENTS: readonly AgentAdapter[] = [claudeCode];

export function findAdapter(name: string): AgentAdapter | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
