/** Other tools' names of agents, where ours is another. */
const NAMES: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  claude_code: 'claude-code',
  claudecode: 'claude-code',
  'codex-cli': 'codex',
  gemini: 'gemini-cli',
  gemini_cli: 'gemini-cli',
  open_code: 'opencode',
  'github-copilot': 'copilot',
  github_copilot: 'copilot',
  'continue-cli': 'continue',
  continue_cli: 'continue',
  'roo-code': 'roo',
  qwen: 'qwen-code',
  'kilo-code': 'kilo',
};

/** Longer names are nobody's. */
const MAX_NAME = 200;

/** The agent by our name; one that we do not know by the name it has. */
export function toolNameOf(name: string | undefined): string {
  const plain = (name ?? '').trim().slice(0, MAX_NAME);
  const key = plain.toLowerCase();
  return (Object.hasOwn(NAMES, key) ? NAMES[key] : undefined) ?? (plain || 'unknown');
}

/** What another tool calls the model, as a models.dev id: only where it is one. */
export function modelIdOf(
  tool: string,
  model: string | undefined,
  modelOf: ((tool: string, model: string) => string | undefined) | undefined,
): string | undefined {
  if (!model || model === 'unknown') return undefined;
  return modelOf?.(tool, model) ?? (/^[a-z0-9-]{1,60}\/[\w.:/-]{1,180}$/.test(model) ? model : undefined);
}
