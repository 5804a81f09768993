import { isObject } from '../json.ts';
import { fault, type Place } from '../shape.ts';
import type { ActivityEvent } from './event.ts';

/** Takes the secrets out of a text; the events are walked in the same order each time. */
export type Scrub = (text: string) => string;

// %40 is the @ of a URL. Every quantifier is bounded: texts come from strangers
const EMAIL =
  /[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;
/** `git@host` is how remotes are reached, and nobody's address. */
const REMOTE = /^git@/;
/** What stands for a value that was taken out, or for none. */
const HARMLESS =
  /^$|\[REDACTED(?::[a-z_]{1,30})?\]|^(?:<[\w -]{1,40}>|\*{3,64}|redacted|scrubbed|none|null|true|false)$/i;

const SECRET_KEY =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secret|secrets|token|api_?key|access_?key|private_?key|secret_?key|credentials?|authorization|cookie)$/;
/** Inside a segment also what a person said. */
const PROMPT_KEY = /(?:^|_)(?:prompt|prompts|raw_prompt)$/;
/** The schema's own words. */
const FIXED = new Set(['schema_version', 'event_type', 'event_family']);

export function withoutEmails(text: string): string {
  return text.replace(EMAIL, (found) => (REMOTE.test(found) ? found : '[REDACTED:email]'));
}

/** `apiKey`, `api-key` and `api_key` are one. */
function plainKey(key: string): string {
  return key
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** The event without e-mail addresses, without values under names of secrets, and without what `scrub` takes out. */
export function scrubEvent(event: ActivityEvent, scrub: Scrub): ActivityEvent {
  const clean = (text: string) => withoutEmails(scrub(text));
  const entries = Object.entries(event).map(([key, value]) => {
    if (FIXED.has(key)) return [key, value];
    return [clean(key), cleaned(value, { clean, secret: isSecret(key), chain: key === 'actor_chain' })];
  });
  return apart(entries as [string, unknown][]) as unknown as ActivityEvent;
}

interface Cleaning {
  readonly clean: Scrub;
  /** Whatever stands here is a secret. */
  readonly secret: boolean;
  readonly chain: boolean;
}

function cleaned(value: unknown, how: Cleaning): unknown {
  if (typeof value === 'string') return how.secret && !HARMLESS.test(value) ? '[REDACTED:custom]' : how.clean(value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, how));
  if (!isObject(value)) return value;
  return apart(
    Object.entries(value).map(([key, inner]) => [
      how.clean(key),
      cleaned(inner, { ...how, secret: how.secret || isSecret(key) || (how.chain && isPrompt(key)) }),
    ]),
  );
}

const isSecret = (key: string) => SECRET_KEY.test(plainKey(key));
const isPrompt = (key: string) => PROMPT_KEY.test(plainKey(key));

/** An object of the entries; keys that became one are told apart by a number. */
function apart(entries: readonly [string, unknown][]): Record<string, unknown> {
  const taken = new Set<string>();
  const all = entries.map(([key, value]): [string, unknown] => {
    let name = key;
    for (let i = 2; taken.has(name); i++) name = `${key} ${i}`;
    taken.add(name);
    return [name, value];
  });
  return Object.fromEntries(all);
}

const RULE = 'agent_activity.v1 compatibility rules';

/** Adds a problem for every raw address, secret or, inside a chain, prompt. */
export function findSensitive(value: unknown, at: Place, how: Omit<Cleaning, 'clean'> & { scrub: Scrub }): void {
  const place = { ...at, rule: how.chain ? 'agent_activity.v1 actor chain' : RULE };
  if (typeof value === 'string') {
    const problem = sensitiveIn(value, how);
    if (problem) fault(place, 'value', problem);
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) findSensitive(item, { ...at, step: i, up: at }, how);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const chain = how.chain || (at.up === undefined && key === 'actor_chain');
      const inside: Place = { rule: place.rule, field: key, step: key, up: at, problems: at.problems };
      const inKey = FIXED.has(key) ? undefined : sensitiveIn(key, { scrub: how.scrub, secret: false });
      if (inKey) fault({ ...place, rule: RULE }, 'value', `has a name that ${inKey}`);
      findSensitive(inner, inside, { ...how, chain, secret: how.secret || isSecret(key) || (chain && isPrompt(key)) });
    }
  }
}

function sensitiveIn(text: string, { scrub, secret }: { scrub: Scrub; secret: boolean }): string | undefined {
  if (secret && !HARMLESS.test(text)) return 'must be scrubbed: its name says that it is secret';
  if (withoutEmails(text) !== text) return 'must be scrubbed of e-mail addresses';
  return scrub(text) === text ? undefined : 'must be scrubbed of secrets';
}
