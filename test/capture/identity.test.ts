import { expect, test } from 'vitest';
import { whoIs } from '../../src/capture/identity.ts';

const claude = {
  session_id: 's',
  hook_event_name: 'PostToolUse',
  transcript_path: '/h/.claude/projects/-w/s.jsonl',
  permission_mode: 'default',
};
const { permission_mode: _, ...free } = claude;
const { transcript_path: __, ...unwritten } = claude;

test.each<[string, unknown, string | undefined]>([
  ['Claude Code', claude, 'claude-code'],
  ['Claude Code elsewhere', { ...claude, transcript_path: '/cfg/projects/-w/s.jsonl' }, 'claude-code'],
  [
    'Claude Code on Windows',
    { ...claude, transcript_path: 'C:\\Users\\u\\.claude\\projects\\C--w\\s.jsonl' },
    'claude-code',
  ],
  ['Cursor', { ...claude, cursor_version: '2.0' }, 'cursor'],
  ['Cursor by its transcript', { ...claude, transcript_path: '/h/.cursor/projects/w/s.jsonl' }, 'cursor'],
  ['Copilot in VS Code', { ...claude, transcript_path: '/h/workspaceStorage/projects/x/s.jsonl' }, 'copilot'],
  ['Copilot in VS Code by its stamps', { ...free, tool_use_id: 't', timestamp: '2026' }, 'copilot'],
  ['Copilot CLI', { sessionId: 's', toolName: 'edit', timestamp: 1 }, 'copilot'],
  ['Codex', { ...claude, transcript_path: '/h/.codex/sessions/2026/s.jsonl' }, 'codex'],
  ['Gemini', { ...claude, transcript_path: '/h/.gemini/tmp/w/chats/s.jsonl' }, 'gemini-cli'],
  ['Qwen', { ...claude, transcript_path: '/h/.qwen/projects/-w/chats/s.jsonl' }, 'qwen-code'],
  ['Qwen elsewhere', { ...claude, transcript_path: '/cfg/projects/-w/chats/s.jsonl' }, 'qwen-code'],
  ['Droid', { ...claude, transcript_path: '/h/.factory/sessions/-w/s.jsonl' }, 'droid'],
  ['Cline', { hookName: 'tool_call', taskId: 'conv_1', workspaceRoots: ['/w'] }, 'cline'],
  ['Windsurf', { agent_action_name: 'post_write_code', trajectory_id: 't' }, 'windsurf'],
  ['a plug-in of ours', { git_agent: 'opencode', session_id: 's' }, 'opencode'],
  ['nobody we know', { session_id: 's', hook_event_name: 'x', transcript_path: '/h/.other/s.json' }, undefined],
  ['nothing', null, undefined],
  ['a list', [], undefined],
])('the payload says who it was: %s', (_name, payload, who) => {
  expect(whoIs(payload)).toBe(who);
});

test('the settings that named us count only where the payload says nothing', () => {
  expect(whoIs(claude, 'codex')).toBe('claude-code');
  expect(whoIs(unwritten, 'codex')).toBe('codex');
  expect(whoIs(unwritten, 'claude-code')).toBeUndefined();
});
