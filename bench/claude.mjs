// Plays Claude Code: calls the hooks that `git agent init` put into its settings with payloads in its shape, and leaves its transcript.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export function openClaude(place, { session, version, model }) {
  const folder = path.join(place.home, '.claude', 'projects', place.dir.replace(/[^A-Za-z0-9]/g, '-'));
  const transcript = path.join(folder, `${session}.jsonl`);
  const settings = () => JSON.parse(fs.readFileSync(path.join(place.home, '.claude', 'settings.json'), 'utf8')).hooks;
  let count = 0;

  const append = (line) => {
    fs.mkdirSync(folder, { recursive: true });
    const common = {
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: place.dir,
      sessionId: session,
      version,
    };
    const whole = { ...common, uuid: `step-${++count}`, timestamp: new Date().toISOString(), ...line };
    fs.appendFileSync(transcript, `${JSON.stringify(whole)}\n`);
  };
  const answer = (content) =>
    append({
      type: 'assistant',
      message: { id: `msg_${count}`, type: 'message', role: 'assistant', model, content: [content] },
    });
  const result = (id, toolUseResult) =>
    append({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
      toolUseResult,
    });
  const payload = (more) => ({
    session_id: session,
    transcript_path: transcript,
    cwd: place.dir,
    permission_mode: 'default',
    ...more,
  });

  const hook = (more) => {
    for (const { matcher, hooks } of settings()[more.hook_event_name] ?? []) {
      if (matcher && !new RegExp(`^(${matcher})$`).test(more.tool_name ?? '')) continue;
      for (const { command } of hooks)
        spawnSync('sh', ['-c', command], { cwd: place.dir, env: place.env, input: JSON.stringify(payload(more)) });
    }
  };
  const editCall = (name, id, { file, text, input, response }) => {
    const full = path.join(place.dir, file);
    const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
    const call = { tool_name: name, tool_use_id: id, tool_input: { file_path: full, ...input } };
    const after = {
      filePath: full,
      ...response(before),
      structuredPatch: [],
      originalFile: before,
      userModified: false,
    };
    answer({ type: 'tool_use', id, name, input: call.tool_input });
    place.write(file, text(before));
    hook({ hook_event_name: 'PostToolUse', ...call, tool_response: after });
    result(id, after);
  };

  return {
    payload,
    hook,
    prompt(text) {
      const promptId = `prompt-${++count}`;
      hook({ hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id: promptId });
      append({ type: 'user', promptId, message: { role: 'user', content: text } });
    },
    say: (text) => answer({ type: 'text', text }),
    write: (id, file, content) =>
      editCall('Write', id, {
        file,
        text: () => content,
        input: { content },
        response: (before) => ({ type: before === null ? 'create' : 'update', content }),
      }),
    edit: (id, file, [old, fresh]) =>
      editCall('Edit', id, {
        file,
        text: (before) => before.replace(old, () => fresh),
        input: { old_string: old, new_string: fresh, replace_all: false },
        response: () => ({ oldString: old, newString: fresh, replaceAll: false }),
      }),
    shell(id, command) {
      const call = { tool_name: 'Bash', tool_use_id: id, tool_input: { command } };
      answer({ type: 'tool_use', id, name: 'Bash', input: call.tool_input });
      hook({ hook_event_name: 'PreToolUse', ...call });
      const env = { ...place.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session };
      spawnSync('sh', ['-c', command], { cwd: place.dir, env });
      const response = { stdout: '', stderr: '', interrupted: false };
      hook({ hook_event_name: 'PostToolUse', ...call, tool_response: response });
      result(id, response);
    },
    end: () => hook({ hook_event_name: 'SessionEnd', reason: 'other' }),
  };
}
