import { Fault } from '../fault.ts';
import { isObject } from '../json.ts';
import { plain } from '../terminal/plain.ts';
import type { Argument, ArgumentSchema, Arguments } from './tool.ts';

/** Exactly what the schema has; whoever sends anything else is told what is wrong. */
export function parseArguments(said: unknown, { properties, required }: ArgumentSchema): Arguments {
  if (said !== undefined && !isObject(said)) throw new Fault('usage', 'The arguments must be an object.');
  const given = new Map(Object.entries(said ?? {}).filter(([, value]) => value !== null));
  const parsed = new Map<string, string | number | boolean>();
  for (const [key, value] of given) {
    if (!Object.hasOwn(properties, key)) {
      throw new Fault(
        'usage',
        `There is no argument ${plain(key).slice(0, 60)}: it takes ${Object.keys(properties).join(', ')}.`,
      );
    }
    const argument = properties[key];
    if (argument) parsed.set(key, parseOne(key, value, argument));
  }
  const missing = required.find((key) => !parsed.has(key));
  if (missing) throw new Fault('usage', `The argument ${missing} is missing.`);
  return Object.fromEntries(parsed);
}

const MOST_CHARACTERS = 4096;

function parseOne(key: string, value: unknown, argument: Argument): string | number | boolean {
  const { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, maxLength = MOST_CHARACTERS } = argument;
  if (type === 'string' && typeof value === 'string') {
    if (value.length > maxLength) throw new Fault('usage', `${key} is longer than ${maxLength} characters.`);
    if (value === '' || value.includes('\0')) throw new Fault('usage', `${key} is empty, or has a zero byte in it.`);
    return value;
  }
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'integer' && Number.isSafeInteger(value) && typeof value === 'number') {
    if (value < minimum || value > maximum)
      throw new Fault('usage', `${key} must be between ${minimum} and ${maximum}.`);
    return value;
  }
  throw new Fault('usage', `${key} must be of type ${type}.`);
}
