import { modelsDevId } from '../models-dev.ts';

/** Droid's list has the makers' own names for the makers' own models. A model of the user's own is called `custom:NAME`. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^gpt-/, 'openai'],
  [/^gemini-/, 'google'],
];

/** Open models are served by Droid's maker: whose they are then is not told. `-fast` is a way to be served, and no model. */
export function modelId(name: string | undefined): string | undefined {
  if (!name || name.endsWith('-fast')) return undefined;
  return modelsDevId(MAKERS.find(([pattern]) => pattern.test(name))?.[1], name);
}
