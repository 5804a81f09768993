import { isObject, parseJson } from '../json.ts';
import {
  anObject,
  check,
  dateTime,
  fault,
  inside,
  listOf,
  object,
  type Problem,
  type Shape,
  string,
  stringThat,
} from '../shape.ts';
import { name, segment } from './chain.ts';
import { EVENT_TYPES, type EventType, familyOf, isEventType, SCHEMA_VERSION } from './event.ts';
import { renamed } from './former.ts';
import { linesOf, MAX_EVENTS, MAX_LINE_LENGTH } from './parse.ts';
import { findSensitive, type Scrub } from './scrub.ts';

/** To be said with every verdict: nobody outside has the schema itself. */
export const RULES_SOURCE =
  'These rules come from the public page of agent_activity.v1; the validator of its makers may ask for more.';

/** The page calls nine types canonical, and speaks of others without naming them. */
const eventType: Shape = (value, at) => {
  name(value, at);
  if (typeof value === 'string' && value !== '' && !isEventType(value))
    fault({ ...at, rule: 'agent_activity.v1 canonical families' }, 'note', 'is none of the nine types of the page');
};

const START = 'agent_activity.v1 session start';
/** "Older connector payload fixtures must continue to ingest." */
const OLDER = 'agent_activity.v1 compatibility rules';

const fields = object(START, {
  required: {
    schema_version: stringThat((text) => text === SCHEMA_VERSION, `must be "${SCHEMA_VERSION}"`),
    event_id: name,
    event_type: eventType,
  },
  optional: {
    event_family: string,
    occurred_at: dateTime,
    team_id: string,
    source: object(`${START} source`, { optional: { kind: string, name: string, version: string } }),
    agent: object(`${START} agent`, { optional: { id: string, name: string, provider: string } }),
    developer: object(`${START} developer`, { optional: { id: string } }),
    session: object(`${START} session`, {
      required: { id: name },
      optional: { environment: string, status: string },
    }),
    actor_chain: listOf(segment),
    attributes: anObject,
  },
});

/** What the page shows or advises and older events lack. */
const advice: Shape = (value, at) => {
  if (!isObject(value) || typeof value.event_type !== 'string') return;
  const note = (key: string, message: string) => fault(inside(at, START, key), 'note', message);
  if (typeof value.event_family === 'string' && value.event_family !== familyOf(value.event_type))
    note('event_family', `is not the family of ${value.event_type}`);
  if (value.session === undefined) note('session', 'is missing: the event belongs to no session');
  if (value.event_type === 'session.started' && value.source === undefined)
    note('source', 'is missing: a connector should start by naming it');
};

export interface ValidateOptions {
  /** Takes secrets out of a text: what it changes must not be in an event. */
  readonly scrub?: Scrub;
}

/** Every rule of the page that the value breaks. Problems of kind `note` do not make an event non-conformant. */
export function validateEvent(value: unknown, { scrub = (text) => text }: ValidateOptions = {}): Problem[] {
  const whole: Shape = (one, at) => {
    const { event, former } = isObject(one) ? renamed(one) : { event: one, former: [] };
    fields(event, at);
    advice(event, at);
    for (const key of former) fault(inside(at, OLDER, key), 'note', 'is a name that older events have');
    findSensitive(one, at, { scrub, secret: false, chain: false });
  };
  return check(whole, value, START);
}

export interface StreamReport {
  readonly source: typeof RULES_SOURCE;
  /** How many lines say anything. */
  readonly events: number;
  readonly problems: readonly (Problem & { readonly line: number })[];
  /** Types of the nine that no sound event of the stream has. */
  readonly missing: readonly EventType[];
  /** By the profile that was asked for. */
  readonly conforms: boolean;
}

/** `default` looks at each event alone; `core` asks also that all nine types occur. */
export type Profile = 'default' | 'core';

/** Nobody reads more. */
const MAX_PROBLEMS = 10_000;

export function validateStream(text: string, profile: Profile, options: ValidateOptions = {}): StreamReport {
  const problems: (Problem & { line: number })[] = [];
  const seen = new Set<unknown>();
  let events = 0;
  let broken = false;
  for (const { line, raw } of linesOf(text)) {
    if (++events > MAX_EVENTS) {
      problems.push({ ...lineProblem(`the stream has more than ${MAX_EVENTS} events`), line });
      broken = true;
      break;
    }
    const { found, type } = validateLine(raw, options);
    const sound = found.every((problem) => problem.kind === 'note');
    if (sound) seen.add(type);
    broken ||= !sound;
    for (const problem of found) if (problems.length < MAX_PROBLEMS) problems.push({ ...problem, line });
  }
  const missing = EVENT_TYPES.filter((type) => !seen.has(type));
  const conforms = !broken && events > 0 && (profile === 'default' || missing.length === 0);
  return { source: RULES_SOURCE, events, problems, missing, conforms };
}

function validateLine(raw: string, options: ValidateOptions): { found: readonly Problem[]; type?: unknown } {
  const json = parseJson(raw, MAX_LINE_LENGTH);
  if ('problem' in json) return { found: [lineProblem(json.problem)] };
  const type = isObject(json.value) ? renamed(json.value).event.event_type : undefined;
  return { found: validateEvent(json.value, options), type };
}

function lineProblem(message: string): Problem {
  return { rule: 'agent_activity.v1 line', path: '', message, kind: 'shape' };
}
