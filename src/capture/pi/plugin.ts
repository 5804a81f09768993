import type { CommandFor, HookFile } from '../adapter.ts';
import { OWN_MARK, ownFile } from '../own-file.ts';
import { agentFolder } from './locate.ts';

/** Pi loads every file of its folder of extensions, TypeScript or not; ours is plain code. */
export const plugin: HookFile = {
  name: 'extension',
  user: (place) => `${agentFolder(place)}/extensions/git-agent-blame.ts`,
  project: '.pi/extensions/git-agent-blame.ts',
  ...ownFile(print),
};

function print(command: CommandFor): string {
  const commands = JSON.stringify(Object.fromEntries(MODES.map((mode) => [mode, command(mode)])));
  return `// ${OWN_MARK}\n${CODE.replace('COMMANDS_OF_INIT', () => commands)}`;
}

const MODES = ['event', 'before', 'after', 'end'] as const;

/** An error in a handler of \`tool_call\` would keep the tool from running: none leaves ours. Only around the shell is it waited for. */
const CODE = `import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

const COMMANDS = COMMANDS_OF_INIT;
const SHELLS = ['bash', 'powershell'];
const EDITS = ['edit', 'write'];
const LARGE = 8 * 1024 * 1024;

export default function (pi) {
  const calls = new Map();
  const telling = new Set();

  const tell = (mode, ctx, more) => {
    const sessions = ctx.sessionManager;
    const payload = JSON.stringify({
      git_agent: 'pi',
      session_id: sessions.getSessionId(),
      cwd: ctx.cwd,
      transcript_path: sessions.getSessionFile(),
      at: Date.now(),
      provider: ctx.model && ctx.model.provider,
      model: ctx.model && ctx.model.id,
      ...more,
    });
    const told = new Promise((done) => {
      // of its own group: what stops Pi does not stop it
      const child = spawn('sh', ['-c', COMMANDS[mode]], {
        cwd: ctx.cwd,
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
        windowsHide: true,
      });
      const timer = setTimeout(done, 15000);
      child.on('error', done).on('close', done);
      child.on('close', () => clearTimeout(timer));
      child.stdin.on('error', () => {});
      child.stdin.end(payload);
    }).then(() => void telling.delete(told));
    telling.add(told);
    return told;
  };

  // null: there is no file; undefined: it cannot be told
  const textAt = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    return found.isFile() && found.size <= LARGE ? readFileSync(path, 'utf8') : undefined;
  };

  const pathOf = (event, ctx) => {
    const path = String(event.input.path).replace(/^@/, '').replace(/^~(?=[\\\\/]|$)/, homedir());
    return resolve(ctx.cwd, path);
  };

  const on = (name, handler) =>
    pi.on(name, async (event, ctx) => {
      try {
        await handler(event, ctx);
      } catch {}
    });

  on('message_end', (event, ctx) => {
    const { role, content, timestamp } = event.message;
    if (role === 'user') void tell('event', ctx, { hook: 'prompt', timestamp, content: textsOf(content) });
  });

  on('tool_call', async (event, ctx) => {
    const call = { began: Date.now() };
    calls.set(event.toolCallId, call);
    if (SHELLS.includes(event.toolName)) await tell('before', ctx, { hook: 'tool_call', ...namesOf(event), tool_input: event.input });
    if (!EDITS.includes(event.toolName)) return;
    call.path = pathOf(event, ctx);
    // calls of one message run side by side: of two on one file the disk does not tell which did what
    const others = [...calls.values()].filter((other) => other !== call && other.path === call.path);
    for (const one of others.length > 0 ? [call, ...others] : []) one.shared = true;
    call.before = textAt(call.path);
  });

  on('tool_result', async (event, ctx) => {
    const { began, path, before, shared } = calls.get(event.toolCallId) || {};
    calls.delete(event.toolCallId);
    const told = { hook: 'tool_result', ...namesOf(event), began, is_error: event.isError };
    if (SHELLS.includes(event.toolName)) {
      return tell('after', ctx, { ...told, tool_input: event.input, content: textsOf(event.content) });
    }
    if (!EDITS.includes(event.toolName) || event.isError) return;
    const after = shared || before === undefined ? undefined : textAt(path);
    const whole = typeof after === 'string';
    const input = whole ? {} : event.input;
    const details = whole || !event.details ? undefined : { patch: event.details.patch };
    const texts = whole ? { before, after } : {};
    void tell('event', ctx, { file_path: path || pathOf(event, ctx), ...told, tool_input: input, details, ...texts });
  });

  on('agent_end', (event, ctx) => {
    calls.clear();
    void tell('end', ctx, { hook: 'agent_end' });
  });

  on('session_shutdown', () => Promise.race([Promise.all(telling), new Promise((done) => void setTimeout(done, 2000).unref())]));
}

function namesOf(event) {
  return { tool_call_id: event.toolCallId, tool_name: event.toolName };
}

function textsOf(content) {
  if (typeof content === 'string') return content;
  return content.filter((block) => block.type === 'text').map((block) => block.text).join('\\n');
}
`;
