import { acp } from './acp/index.ts';
import type { AgentAdapter } from './adapter.ts';
import { aider } from './aider/index.ts';
import { amp } from './amp/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { cline } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { continueCli } from './continue/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { droid } from './droid/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { goose } from './goose/index.ts';
import { kilo } from './kilo/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import { qwenCode } from './qwen-code/index.ts';
import { roo } from './roo/index.ts';
import { windsurf } from './windsurf/index.ts';
import { zed } from './zed/index.ts';

/** Every agent that is captured. */
export const AGENTS: readonly AgentAdapter[] = [
  claudeCode,
  codex,
  pi,
  droid,
  cline,
  continueCli,
  copilot,
  cursor,
  geminiCli,
  qwenCode,
  opencode,
  kilo,
  aider,
  amp,
  goose,
  roo,
  windsurf,
  zed,
];

/** And whoever else files payloads. */
export const LISTENERS: readonly AgentAdapter[] = [...AGENTS, acp];

export function findAdapter(name: string): AgentAdapter | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
