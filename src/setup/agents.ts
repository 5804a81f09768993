import path from 'node:path';
import type { CommandFor, FilesBefore, HookFile, HookMode, Refused } from '../capture/adapter.ts';
import { AGENTS, findAdapter } from '../capture/index.ts';
import { Fault } from '../fault.ts';
import type { Places } from './places.ts';

const MODES: readonly HookMode[] = ['event', 'before', 'after', 'end', 'pre', 'post'];

/** The file with our hooks of today and none of yesterday's. */
export function withHooks(
  file: HookFile,
  text: string | undefined,
  { command, before }: { readonly command: CommandFor; readonly before: FilesBefore },
): { readonly text: string } | Refused {
  if (text === undefined || !callsUs(text)) return file.add(text, command, before);
  const today = new Set(MODES.map(command));
  const cleared = file.remove(text, (found) => isOurCommand(found) && !today.has(found));
  return 'refused' in cleared ? cleared : file.add(cleared.text, command, before);
}

/** The file without our hooks; no text: nothing is left. */
export function withoutHooks(
  { agent, file: name }: { readonly agent: string; readonly file?: string | undefined },
  text: string,
): { readonly text: string | undefined } | Refused {
  const files = findAdapter(agent)?.hookFiles ?? [];
  const file = name === undefined ? files[0] : files.find((one) => one.name === name);
  return file && callsUs(text) ? file.remove(text, isOurCommand) : { text };
}

/** `--agents LIST`, `all`, `none`; undefined: those found on this machine. */
export function parseAgents(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  if (list === 'none') return [];
  const known = AGENTS.map((agent) => agent.name);
  if (list === 'all') return known;
  const names = list.split(',').map((name) => name.trim());
  for (const name of names) {
    if (findAdapter(name) === undefined) {
      throw new Fault('usage', `--agents: there is no capture for "${name}"; there is for: ${known.join(', ')}.`);
    }
  }
  return [...new Set(names)];
}

/** What an agent's user-level settings call. The shim may be gone, as settings travel between machines: then the input is read, as the agent expects, and nothing is done. */
export function userCommand(agent: string, { home, userDir }: Places): CommandFor {
  const shim = path.join(userDir, 'agent-hook');
  const below = path.relative(home, shim);
  const word = below.startsWith('..') || /["$`\\]/.test(below) ? quote(shim) : `"$HOME/${below}"`;
  return (mode) => `[ ! -f ${word} ] || exec sh ${word} ${agent} ${mode}; cat >/dev/null`;
}

/** What settings call that a team commits: our copy in the git dir of whoever runs it, nothing where there is none. */
export function projectCommand(agent: string): CommandFor {
  return (mode) =>
    `f="$(git rev-parse --git-common-dir 2>/dev/null)/agent/hooks/agent-hook"; [ ! -f "$f" ] || exec sh "$f" ${agent} ${mode}; cat >/dev/null`;
}

/** Whether a settings file calls us at all: what does not is never rewritten. */
function callsUs(text: string): boolean {
  return text.includes('agent-hook');
}

function isOurCommand(command: string): boolean {
  return /\/git-agent-blame\/agent-hook['"\s]|\/agent\/hooks\/agent-hook"/.test(command);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
