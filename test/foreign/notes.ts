import type { CommitFile, ImportContext } from '../../src/foreign/claim.ts';
import { splitString } from '../../src/lines/text.ts';

export const COMMIT = '5e1f'.padEnd(40, '0');
export const TEXT = Array.from({ length: 12 }, (_, i) => `const line${i + 1} = ${i + 1};\n`).join('');

export function context(
  files: Readonly<Record<string, Partial<CommitFile>>>,
  more: Partial<ImportContext> = {},
): ImportContext {
  const byPath = new Map(Object.entries(files));
  return {
    commit: COMMIT,
    vcs: { type: 'git', revision: COMMIT },
    time: Date.UTC(2026, 0, 23, 14, 30),
    ownVersion: '0.1.0',
    findFile: (path) => {
      const file = byPath.get(path);
      return file && { blob: 'b10b'.padEnd(40, '0'), lines: splitString(TEXT), ...file };
    },
    ...more,
  };
}

/** One note with all three kinds of keys, a path with a space, and lines that no key has. */
export const gitAiNote = `src/a.ts
  s_0123456789abcd::t_0123456789abcd 1-3,5
  h_0123456789abcd 6
  d9978a8723e02b52 8-9
"my file.ts"
  d9978a8723e02b52 1
  abc1234 2
---
${JSON.stringify(
  {
    schema_version: 'authorship/3.0.0',
    git_ai_version: '1.0.23',
    base_commit_sha: '7734793b756b3921c88db5375a8c156e9532447b',
    sessions: {
      s_0123456789abcd: {
        agent_id: { tool: 'claude', id: 'conv-1', model: 'claude-opus-4-5-20251101' },
        human_author: 'Ada <ada@example.com>',
      },
    },
    humans: { h_0123456789abcd: { author: 'Ada <ada@example.com>' } },
    prompts: {
      d9978a8723e02b52: {
        agent_id: { tool: 'cursor', id: 'conv-2', model: 'claude-4.5-opus-high-thinking' },
        messages: [
          { type: 'user', text: 'add it', timestamp: '2025-12-05T01:22:13.211Z' },
          { type: 'assistant', text: 'yes' },
          { type: 'tool_use', name: 'edit', input: { path: 'a' } },
          { type: 'thinking' },
          null,
        ],
      },
    },
  },
  null,
  2,
)}`;

export const agentblameNotes = {
  1: {
    version: 1,
    timestamp: '2026-01-01T00:00:00Z',
    attributions: [
      {
        path: 'src/a.ts',
        start_line: 2,
        end_line: 3,
        category: 'ai_generated',
        provider: 'claude_code',
        model: 'claude',
        confidence: 1,
        match_type: 'exact_hash',
        content_hash: 'sha256:00',
      },
    ],
  },
  2: {
    version: 2,
    timestamp: '2026-01-01T00:00:00Z',
    attributions: [
      {
        path: 'src/a.ts',
        startLine: 2,
        endLine: 3,
        category: 'ai_generated',
        provider: 'claudeCode',
        model: 'anthropic/claude-opus-4-5',
        confidence: 1,
        matchType: 'exactHash',
        contentHash: 'sha256:00',
      },
      { path: 'src/a.ts', startLine: 5, endLine: 5, category: 'guessed', provider: 'cursor' },
      { path: '../evil', startLine: 1, endLine: 1, category: 'ai_generated' },
      { path: 'src/a.ts', startLine: 9, endLine: 1, category: 'ai_generated' },
      7,
    ],
  },
} as const;
