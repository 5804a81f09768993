import { modelsDevId } from '../models-dev.ts';

/** Cline's word for a provider, and that of models.dev. Its `openai` is whatever speaks OpenAI's language. */
const PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  'openai-native': 'openai',
  gemini: 'google',
  xai: 'xai',
  deepseek: 'deepseek',
  mistral: 'mistral',
};

export function modelId(provider: string | undefined, model: string | undefined): string | undefined {
  return provider && Object.hasOwn(PROVIDERS, provider) ? modelsDevId(PROVIDERS[provider], model) : undefined;
}
