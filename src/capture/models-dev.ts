/** Providers by the name that models.dev and several agents give them, and what their own models are called. */
const OWN: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-[a-z0-9]+(?:-[a-z0-9]+)*$/,
  openai: /^(?:gpt-|o\d|codex-)[a-z0-9.-]*$/,
  google: /^gemini-[a-z0-9.-]+$/,
  xai: /^grok-[a-z0-9.-]+$/,
  deepseek: /^deepseek-[a-z0-9.-]+$/,
  mistral: /^(?:mistral|codestral|devstral|magistral|ministral)-[a-z0-9.-]+$/,
  zai: /^glm-[a-z0-9.-]+$/,
  moonshotai: /^kimi-[a-z0-9.-]+$/,
};

/**
 * The models.dev id of a model where an agent tells its provider too. Only a maker's own models under its own name: what a gateway,
 * a proxy or a provider of the user's own calls so may be anything, and `latest` is another model tomorrow.
 */
export function modelsDevId(provider: string | undefined, model: string | undefined): string | undefined {
  if (!provider || !model || model.length > 100 || !Object.hasOwn(OWN, provider) || /-latest$/.test(model))
    return undefined;
  return OWN[provider]?.test(model) ? `${provider}/${model}` : undefined;
}
