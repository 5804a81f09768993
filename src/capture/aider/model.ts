import { modelsDevId } from '../models-dev.ts';

/** Names of litellm, which aider uses: a maker's models have no prefix, or the maker's own. Gateways have prefixes of their own. */
const PROVIDERS: Readonly<Record<string, string>> = { gemini: 'google' };
const BARE: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:gpt-|o\d|codex-)/, 'openai'],
];

export function modelOf(name: string | undefined): string | undefined {
  const [, prefix, rest] = /^([a-z]+)\/([^/]+)$/.exec(name ?? '') ?? [];
  if (prefix !== undefined) return modelsDevId(PROVIDERS[prefix] ?? prefix, rest);
  return modelsDevId(BARE.find(([pattern]) => pattern.test(name ?? ''))?.[1], name);
}
