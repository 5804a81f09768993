import { modelsDevId } from '../models-dev.ts';

/** Amp chooses among makers' own models, and names them as the makers do. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^gpt-/, 'openai'],
  [/^gemini-/, 'google'],
  [/^grok-/, 'xai'],
];

export function modelOf(name: string | undefined): string | undefined {
  return modelsDevId(MAKERS.find(([pattern]) => pattern.test(name ?? ''))?.[1], name);
}
