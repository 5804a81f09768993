import type { TokenUsage } from '../../agentlog/document.ts';
import { countOf, objectOf } from '../fields.ts';

/** Codex counts what came from a cache as input too. */
export function usageOf(value: unknown): TokenUsage | undefined {
  const usage = objectOf(value);
  const [input, output] = [countOf(usage?.input_tokens), countOf(usage?.output_tokens)];
  if (!usage || input === undefined || output === undefined) return undefined;
  const [read, write] = [countOf(usage.cached_input_tokens) ?? 0, countOf(usage.cache_write_input_tokens) ?? 0];
  return {
    inputTokens: Math.max(input - read - write, 0),
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    reasoningTokens: countOf(usage.reasoning_output_tokens) ?? 0,
  };
}
