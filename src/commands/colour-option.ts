import type { Command as Verb } from 'commander';
import { Fault } from '../fault.ts';
import { parseWhen, type When } from '../terminal/colour.ts';

/** Alone the option means the first. */
export const WHEN = ['always', 'never', 'auto'];

/** As git's own verbs have it. */
export function addColourOption(sub: Verb): Verb {
  return sub.option('--color [when]', 'always, never or auto').option('--no-color', 'no colours');
}

/** What was asked for. */
export function askedColour(value: unknown): When | undefined {
  if (typeof value === 'boolean') return value ? 'always' : 'never';
  if (typeof value !== 'string') return undefined;
  const when = value === '' ? undefined : parseWhen(value);
  if (!when) throw new Fault('usage', '--color takes always, never or auto.');
  return when;
}
