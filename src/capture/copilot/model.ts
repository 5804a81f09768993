import type { JsonObject } from '../../json.ts';
import { textOf } from '../fields.ts';

/** models.dev has GitHub's models under its name for them. `auto` is whichever. */
export function hostedModel(raw: unknown): string | undefined {
  const name = textOf(raw);
  if (name === undefined || name.length > 80 || !/^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/.test(name)) return undefined;
  return isAnyModel(name) ? undefined : `github-copilot/${name}`;
}

function isAnyModel(name: string): boolean {
  return name === 'auto' || name === 'default';
}

/** The name that all of a session goes by, whoever answered to it. */
export function soleName(names: readonly string[]): string | undefined {
  const [only, ...others] = new Set(names);
  return only === undefined || others.length > 0 || isAnyModel(only) ? undefined : only.slice(0, 200);
}

/**
 * Who answered. With a key of the user's own the CLI talks to any server, and writes down whatever name that was asked for: only where
 * the record shows that GitHub was asked is the model certain.
 */
export interface Providers {
  readonly github: Set<string>;
  readonly others: Set<string>;
  /** An answer carries GitHub's request id: versions that keep no record of each call. */
  traced: boolean;
}

export function noProviders(): Providers {
  return { github: new Set(), others: new Set(), traced: false };
}

export function readUsage({ github, others }: Providers, usage: JsonObject): void {
  const model = textOf(usage.model);
  if (model === undefined) return;
  if (usage.isByok === false) github.add(model);
  else if (usage.isByok === true) others.add(model);
}

export function readAnswer(providers: Providers, message: JsonObject): void {
  if (/^[0-9A-F]{4}:[0-9A-F]+:[0-9A-F]+:/.test(textOf(message.requestId) ?? '')) providers.traced = true;
}

export function certainModel({ github, others, traced }: Providers, raw: string | undefined): string | undefined {
  if (raw === undefined || others.has(raw)) return undefined;
  return github.has(raw) || traced ? hostedModel(raw) : undefined;
}
