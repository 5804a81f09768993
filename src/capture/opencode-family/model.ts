import { modelsDevId } from '../models-dev.ts';

/** Providers that sell other makers' models. The agents take the ids of both from models.dev itself. */
const RESELLERS = new Set(
  (
    'amazon-bedrock cerebras fireworks-ai github-copilot google-vertex google-vertex-anthropic groq kilo opencode opencode-go ' +
    'openrouter togetherai vercel'
  ).split(' '),
);

/**
 * The models.dev id of a model; none for a provider of the user's own, whose models may be called anything, none for Azure, where the
 * user names them, and none for names that stand for whatever is best today.
 */
export function modelOf(provider: string | undefined, model: string | undefined): string | undefined {
  const own = modelsDevId(provider, model);
  if (own !== undefined || !provider || !model || !RESELLERS.has(provider)) return own;
  const plain = model.length <= 150 && /^[A-Za-z0-9][A-Za-z0-9._:@/-]*$/.test(model);
  return plain && !/(?:^|[/-])(?:auto|latest)(?:$|[/-])/.test(model) ? `${provider}/${model}` : undefined;
}
