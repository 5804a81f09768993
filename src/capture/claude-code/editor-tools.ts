import type { Outcome } from './calls.ts';

/** What `claude-code-acp` offers in the place of Claude Code's own tools: the same, done by the editor. */
const NAME = /^mcp__acp__(Read|Write|Edit|Bash)$/;

/** Claude Code's own name of a tool, where it is the editor's. */
export function editorTool(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

const SUCCESS: Readonly<Record<string, RegExp>> = {
  Write: /^The file .+ has been updated successfully\.$/s,
  Edit: /^Index: .+\n@@ /s,
  Bash: /^(?:Exited with code \d{1,9}\.|Command started in background )/,
};

/** They answer in words alone, and a session that is over answers without an error too: an edit is made only where they say so. */
export function editorOutcome(name: string, text: string): Outcome {
  return SUCCESS[name]?.test(text) === false ? 'failed' : 'done';
}

/** Every command has its code in its answer, also one that did what it was to do. */
export function editorExitCode(text: string): number | undefined {
  const code = /^Exited with code (\d{1,9})\./.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}
