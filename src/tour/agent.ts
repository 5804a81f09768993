import fs from 'node:fs';
import path from 'node:path';
import { isObject, parseJson } from '../json.ts';
import type { Place } from './place.ts';
import { type Doing, FILE, SESSION } from './recording.ts';

/** Plays Claude Code: calls the hooks that `git agent init` put into its settings with payloads in its shape, and leaves its transcript. */
export interface Agent {
  prompt(text: string): void;
  say(text: string): void;
  call(id: string, doing: Doing): void;
  end(): void;
}

export function openAgent(place: Place, now: () => number): Agent {
  const folder = path.join(place.home, '.claude', 'projects', place.dir.replace(/[^A-Za-z0-9]/g, '-'));
  const transcript = path.join(folder, `${SESSION.id}.jsonl`);
  fs.mkdirSync(folder, { recursive: true });
  let count = 0;
  const common = { parentUuid: null, isSidechain: false, userType: 'external', version: SESSION.version };
  const append = (line: object) => {
    const step = { uuid: `step-${++count}`, timestamp: new Date(now()).toISOString() };
    const whole = { ...common, cwd: place.dir, sessionId: SESSION.id, ...step, ...line };
    fs.appendFileSync(transcript, `${JSON.stringify(whole)}\n`);
  };
  const answer = (content: object) => {
    const message = {
      id: `msg_${count}`,
      type: 'message',
      role: 'assistant',
      model: SESSION.model,
      content: [content],
    };
    append({ type: 'assistant', message });
  };
  const hook = (event: string, more: object, tool = '') => {
    const about = { session_id: SESSION.id, transcript_path: transcript, cwd: place.dir, permission_mode: 'default' };
    const input = JSON.stringify({ ...about, hook_event_name: event, ...more });
    for (const command of hooksFor(place, event, tool)) place.shell(command, { input });
  };
  return {
    prompt(text) {
      const promptId = `prompt-${++count}`;
      hook('UserPromptSubmit', { prompt: text, prompt_id: promptId });
      append({ type: 'user', promptId, message: { role: 'user', content: text } });
    },
    say: (text) => answer({ type: 'text', text }),
    call(id, doing) {
      const { input, run } = callOf(place, doing);
      const call = { tool_name: doing.tool, tool_use_id: id, tool_input: input };
      answer({ type: 'tool_use', id, name: doing.tool, input });
      if (doing.tool === 'Bash') hook('PreToolUse', call, doing.tool);
      const response = run();
      hook('PostToolUse', { ...call, tool_response: response }, doing.tool);
      const content = [{ type: 'tool_result', tool_use_id: id, content: 'done' }];
      append({ type: 'user', message: { role: 'user', content }, toolUseResult: response });
    },
    end: () => hook('SessionEnd', { reason: 'other' }),
  };
}

/** What is handed to a tool, and its doing, with what it answers. */
function callOf(place: Place, doing: Doing): { input: object; run(): object } {
  if (doing.tool === 'Bash') {
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: SESSION.id };
    const run = () => {
      place.shell(doing.command, { env });
      return { stdout: '', stderr: '', interrupted: false };
    };
    return { input: { command: doing.command }, run };
  }
  const full = path.join(place.dir, FILE);
  const before = fs.existsSync(full) ? place.read(FILE) : null;
  const rest = { filePath: full, structuredPatch: [], originalFile: before, userModified: false };
  const put = (text: string, more: object) => () => {
    place.write(FILE, text);
    return { ...rest, ...more };
  };
  if (doing.tool === 'Write') {
    const { content } = doing;
    const type = before === null ? 'create' : 'update';
    return { input: { file_path: full, content }, run: put(content, { type, content }) };
  }
  const words = { old_string: doing.old, new_string: doing.new, replace_all: false };
  const told = { oldString: doing.old, newString: doing.new, replaceAll: false };
  return {
    input: { file_path: full, ...words },
    run: put(
      (before ?? '').replace(doing.old, () => doing.new),
      told,
    ),
  };
}

const MAX_SETTINGS = 1 << 20;

/** The commands that the settings name for an event and a tool. */
function hooksFor(place: Place, event: string, tool: string): string[] {
  const file = path.join(place.home, '.claude', 'settings.json');
  const parsed = parseJson(fs.readFileSync(file, 'utf8'), MAX_SETTINGS);
  const settings = 'value' in parsed && isObject(parsed.value) ? parsed.value : {};
  const hooks = isObject(settings.hooks) ? settings.hooks[event] : undefined;
  return listOf(hooks).flatMap((group) => {
    const names = typeof group.matcher === 'string' ? group.matcher.split('|') : [];
    if (names.length > 0 && !names.includes(tool)) return [];
    return listOf(group.hooks).flatMap(({ command }) => (typeof command === 'string' ? [command] : []));
  });
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
