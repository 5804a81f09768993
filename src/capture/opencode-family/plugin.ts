import type { CommandFor, HookFile, HookMode } from '../adapter.ts';
import { OWN_MARK, ownFile } from '../own-file.ts';
import { configFolder } from './locate.ts';

/**
 * For the user alone: in a repository it would make the agent install a package there, for everybody who works in it. Of the names that
 * the folder of plug-ins may have, the older one, which all versions know.
 */
export function plugin(name: string): HookFile {
  return {
    name: 'plugin',
    user: (place) => `${configFolder(name, place)}/plugin/git-agent-blame.js`,
    ...ownFile((command) => print(name, command)),
  };
}

const MODES: readonly HookMode[] = ['event', 'before', 'after', 'end'];

function print(name: string, command: CommandFor): string {
  const commands = Object.fromEntries(MODES.map((mode) => [mode, command(mode)]));
  const names = `const AGENT = ${JSON.stringify(name)};\nconst COMMANDS = ${JSON.stringify(commands)};\n`;
  return `// ${OWN_MARK}\n${names}${CODE}`;
}

/**
 * An error in one of these hooks would make the tool fail: none leaves ours. Only around the shell is it waited for. `shell.env` comes
 * when the user has agreed to a command: what is changed while the question stands is not the command's.
 */
const CODE = `import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';

const EDITORS = ['edit', 'write', 'multiedit', 'apply_patch', 'patch'];
const SHELLS = ['bash', 'background_process'];
const OWN = ['plan_enter', 'plan_exit'];
const LARGE = 8 * 1024 * 1024;
const PATIENCE = 15000;

export const GitAgentBlame = async ({ directory }) => {
  // under way, by session and id
  const calls = new Map();
  const models = new Map();
  const children = new Set();
  const keyOf = ({ sessionID, callID }) => sessionID + ' ' + callID;

  const payloadOf = (hook, session, more) => {
    const { providerID, modelID } = models.get(session) || {};
    return {
      git_agent: AGENT,
      session_id: session,
      cwd: directory,
      directory,
      // its place is here, in front of long texts
      file_path: undefined,
      at: Date.now(),
      hook,
      provider: providerID,
      model: modelID,
      ...more,
    };
  };

  const tellCall = (mode, hook, call, more) =>
    tell(
      mode,
      payloadOf(hook, call.session, {
        cwd: resolve(directory, String((call.input && call.input.workdir) || '.')),
        call_id: call.id,
        tool_name: call.tool,
        began: call.began,
        tool_input: call.input,
        ...more,
      }),
    );

  const begin = async (call) => {
    call.began = Date.now();
    call.told = true;
    await tellCall('before', 'before', call);
  };

  const look = (call) => {
    call.before = call.paths.map(textAt);
  };

  const tellEdit = (call, output) => {
    const after = call.shared ? [] : call.paths.map(textAt);
    const known = after.length > 0 && [...call.before, ...after].every((text) => text !== undefined);
    const files = call.paths.map((path, i) => ({ path, before: call.before[i], after: after[i] }));
    const told = known ? { tool_input: {} } : { metadata: shortMetadata(output.metadata) };
    // a payload goes to the repository of its first file
    const inside = files.filter(({ path }) => path.startsWith(directory + sep));
    const outside = files.filter(({ path }) => !path.startsWith(directory + sep));
    const groups = known ? [inside, ...outside.map((file) => [file])] : [files];
    for (const group of groups.filter((one) => one.length > 0)) {
      void tellCall('event', 'edit', call, { file_path: group[0].path, ...told, files: known ? group : undefined });
    }
  };

  const onEvent = ({ type, properties }) => {
    if (type === 'message.updated' && properties.info.role === 'assistant') {
      models.set(properties.info.sessionID, properties.info);
    } else if (type === 'session.created' && properties.info.parentID) {
      children.add(properties.info.id);
    } else if (type === 'session.idle' && !children.has(properties.sessionID)) {
      void tell('end', payloadOf('idle', properties.sessionID));
    } else if (type === 'permission.replied') {
      // what was typed while the question stood is not the edit's
      for (const call of calls.values()) if (call.session === properties.sessionID && call.paths) look(call);
    } else if (type === 'message.part.updated' && properties.part.type === 'tool') {
      const { state, ...part } = properties.part;
      const call = state.status === 'error' && calls.get(keyOf(part));
      if (!call) return;
      calls.delete(keyOf(part));
      if (call.told) void tellCall('after', 'after', call, { error: String(state.error) });
    }
  };

  return {
    'chat.message': safely((input, { message, parts }) => {
      const texts = parts.filter((part) => part.type === 'text');
      const told = texts.map(({ type, text, synthetic, ignored }) => ({ type, text, synthetic, ignored }));
      void tell('event', payloadOf('prompt', message.sessionID, { message_id: message.id, parts: told }));
    }),

    'tool.execute.before': safely(async (input, { args }) => {
      const { tool, sessionID, callID } = input;
      // SERVER_TOOL: of an MCP server, which may write files as well
      const foreign = tool.includes('_') && !OWN.includes(tool);
      if (!EDITORS.includes(tool) && !SHELLS.includes(tool) && !foreign) return;
      const call = { id: callID, session: sessionID, tool, input: args, began: Date.now() };
      calls.set(keyOf(input), call);
      if (EDITORS.includes(tool)) {
        call.paths = pathsOf(args).map((path) => resolve(directory, path));
        look(call);
        // calls of one message run side by side: of two on one file the disk does not tell which did what
        const others = [...calls.values()].filter((other) => other !== call && sharePath(other, call));
        for (const one of others.length > 0 ? [call, ...others] : []) one.shared = true;
      } else if (tool !== 'bash') await begin(call);
    }),

    'shell.env': safely(async (input, { env }) => {
      const call = calls.get(keyOf(input));
      // a command that the person typed is none of the agent's
      if (!call) return;
      env.GIT_AGENT_SESSION = AGENT + ':' + call.session;
      if (!call.told) await begin(call);
    }),

    'tool.execute.after': safely(async (input, output) => {
      const call = calls.get(keyOf(input));
      calls.delete(keyOf(input));
      if (!call) return;
      if (call.paths) tellEdit(call, output);
      else {
        const { exit } = output.metadata || {};
        await tellCall('after', 'after', call, { output: String(output.output), metadata: { exit } });
      }
    }),

    event: safely(({ event }) => onEvent(event)),
  };
};

function safely(hook) {
  return async (...given) => {
    try {
      await hook(...given);
    } catch {}
  };
}

/** From a file, which is whole when the agent ends before it is read; in a group of its own: what stops the agent does not stop it. */
function tell(mode, payload) {
  return new Promise((done) => {
    const file = join(tmpdir(), 'agent-hook.' + randomUUID());
    let input;
    try {
      writeFileSync(file, JSON.stringify(payload), { mode: 0o600, flag: 'wx' });
      input = openSync(file, 'r');
      const options = { stdio: [input, 'ignore', 'ignore'], detached: true, windowsHide: true };
      const child = spawn('sh', ['-c', COMMANDS[mode]], options);
      const timer = setTimeout(done, PATIENCE);
      const end = () => {
        clearTimeout(timer);
        done();
      };
      child.on('error', end).on('close', end);
      child.unref();
    } catch {
      done();
    } finally {
      if (input !== undefined) closeSync(input);
      rmSync(file, { force: true });
    }
  });
}

// null: there is no file; undefined: it cannot be told
function textAt(path) {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    return found.isFile() && found.size <= LARGE ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function pathsOf(args) {
  if (typeof args.filePath === 'string') return [args.filePath];
  const named = String(args.patchText).matchAll(/^\\*\\*\\* (?:(?:Add|Update|Delete) File|Move to): *(.+?)\\s*$/gm);
  return [...new Set([...named].map(([, path]) => path))];
}

function sharePath(one, other) {
  return one.paths !== undefined && one.paths.some((path) => other.paths.includes(path));
}

function shortMetadata(metadata) {
  const { diff, filediff, filepath, exists, files, results } = metadata || {};
  return { diff, filediff, filepath, exists, files, results };
}
`;
