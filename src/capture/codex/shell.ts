import type { JsonObject } from '../../json.ts';
import { listOf, textOf } from '../fields.ts';
import type { ToldCall } from './draft.ts';

const SHELLS = new Set(['shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec', 'unified_exec']);

/** The shell command that a call asks for. */
export function commandOf({ name, input }: NonNullable<ToldCall['asked']>): string | undefined {
  return SHELLS.has(name) ? commandText(input.cmd ?? input.command) : undefined;
}

/** As a person would type it: without the shell that it is given to. */
export function commandText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const words = listOf(value).filter((word): word is string => typeof word === 'string');
  const [shell = '', flag = '', script] = words;
  const isScript =
    words.length === 3 && /(?:sh|shell|cmd)(?:\.exe)?$/i.test(shell) && /^(?:-\w*c|-Command|\/c)$/i.test(flag);
  if (isScript) return script;
  return words.length > 0 ? words.join(' ') : undefined;
}

/** The patch that a call asks for: by the tool, or by a shell, which Codex does not run then. */
export function patchOf(asked: NonNullable<ToldCall['asked']>): string | undefined {
  const { name, input } = asked;
  if (name === 'apply_patch') return textOf(input.input) ?? textOf(input.patch) ?? textOf(input.command);
  const [program, patch] = listOf(input.command);
  return SHELLS.has(name) && /^apply_?patch$/.test(textOf(program) ?? '') ? textOf(patch) : commandOf(asked);
}

/** A script that calls tools. Without events of their own nobody tells what its commands did. */
export function hidesCommands(name: string, input: JsonObject): boolean {
  return name === 'exec' && /\b(?:exec_command|shell_command|write_stdin|shell)\b/.test(textOf(input.input) ?? '');
}
