import type { ToolInfo } from '../lines/origin.ts';

/** Names that programs give themselves on the wire, and the agents that they bring. */
const AGENTS: readonly (readonly [RegExp, string])[] = [
  [/claude-(?:agent|code)(?:-acp)?$|claude code/i, 'claude-code'],
  [/codex/i, 'codex'],
  [/gemini/i, 'gemini-cli'],
  [/opencode/i, 'opencode'],
  [/qwen/i, 'qwen-code'],
  [/copilot/i, 'copilot'],
  [/kilo/i, 'kilo'],
  [/goose/i, 'goose'],
  [/cursor/i, 'cursor'],
];

/** The agent's own word, else its program's name. The version of an adapter is not the agent's. */
export function toolOf(info: { name?: string; version?: string }, argv: readonly string[]): ToolInfo {
  const said = info.name ?? argv.map((word) => word.split(/[\\/]/).at(-1) ?? '').join(' ');
  const known = AGENTS.find(([pattern]) => pattern.test(said))?.[1];
  const name = known ?? plainName(info.name ?? argv[0]?.split(/[\\/]/).at(-1) ?? '');
  const own = info.version !== undefined && !/acp/i.test(said);
  return { name, ...(own && info.version && { version: info.version.slice(0, 64) }) };
}

function plainName(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 64) || 'unknown'
  );
}
