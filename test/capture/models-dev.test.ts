import { expect, test } from 'vitest';
import { modelsDevId } from '../../src/capture/models-dev.ts';

test.each<[string | undefined, string | undefined, string | undefined]>([
  ['anthropic', 'claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['openai', 'gpt-5.1-codex', 'openai/gpt-5.1-codex'],
  ['openai', 'o3', 'openai/o3'],
  ['google', 'gemini-3-pro', 'google/gemini-3-pro'],
  ['anthropic', 'claude-3-5-sonnet-latest', undefined],
  ['anthropic', 'gpt-5', undefined],
  ['openai', 'my-finetune', undefined],
  ['openrouter', 'anthropic/claude-sonnet-4.5', undefined],
  ['rehearsal', 'scripted-1', undefined],
  ['toString', 'x', undefined],
  [undefined, 'gpt-5', undefined],
  ['openai', undefined, undefined],
])('%s %s is %s', (provider, model, id) => expect(modelsDevId(provider, model)).toBe(id));
