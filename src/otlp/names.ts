import type { AgentInfo, KnownEvent, TokenUsage } from '../agentlog/document.ts';
import { isOpen } from '../agentlog/open-call.ts';

/** OpenTelemetry's names of providers where models.dev has others. `gcp.gen_ai` is Google by whatever door. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gen_ai',
  'google-vertex': 'gcp.vertex_ai',
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` is required; what nobody knows is OpenTelemetry's `_OTHER`. */
export function providerOf({ provider, model }: Pick<AgentInfo, 'provider' | 'model'>): string {
  const named = provider || (model?.includes('/') ? model.split('/', 1)[0] : undefined);
  if (!named) return '_OTHER';
  return (Object.hasOwn(PROVIDERS, named) ? PROVIDERS[named] : undefined) ?? named;
}

/** The model as its provider calls it: models.dev's id without the provider. */
export function modelOf(model: string | null | undefined): string | undefined {
  return model?.slice(model.indexOf('/') + 1) || undefined;
}

/** Our sessions count apart what OpenTelemetry counts as input too: what was read from a cache or written to it. */
export function usageOf(usage: TokenUsage | null | undefined): Readonly<Record<string, number | null | undefined>> {
  if (!usage) return {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
  };
}

/** `error.type` of a call that went wrong. */
export function errorOf(event: KnownEvent): string | undefined {
  switch (event.type) {
    case 'toolCall':
      return event.status === 'success' || isOpen(event)
        ? undefined
        : event.status === 'cancelled'
          ? 'cancelled'
          : '_OTHER';
    case 'terminalCommand':
      return event.exitCode ? `exit_${event.exitCode}` : undefined;
    case 'handoff':
      return event.status === 'failed' || event.status === 'rejected' ? event.status : undefined;
    default:
      return undefined;
  }
}
