import { isObject, type JsonObject } from '../json.ts';

/** Names that older events have where the page has others. */
const FORMER: readonly (readonly [former: string, page: string])[] = [
  ['type', 'event_type'],
  ['id', 'event_id'],
  ['schema', 'schema_version'],
];

export interface Renamed {
  readonly event: JsonObject;
  /** The names that the page does not have. */
  readonly former: readonly string[];
}

/** The event by the names of the page; what came stays beside it. */
export function renamed(value: JsonObject): Renamed {
  const named = FORMER.filter(([former, page]) => value[page] === undefined && typeof value[former] === 'string');
  const session = sessionOf(value);
  const moved = session !== undefined && session !== value.session;
  return {
    event: {
      ...value,
      ...Object.fromEntries(named.map(([former, page]) => [page, value[former]])),
      ...(session && { session }),
    },
    former: [
      ...named.map(([former]) => former),
      ...(moved ? [value.session === undefined ? 'session_id' : 'session'] : []),
    ],
  };
}

/** Older ones name it by its id alone, or beside it. */
function sessionOf({ session, session_id: flat }: JsonObject): JsonObject | undefined {
  if (isObject(session) && typeof session.id === 'string') return session;
  const id = [session, flat].find((one) => typeof one === 'string' && one !== '');
  return id === undefined ? undefined : { ...(isObject(session) ? session : {}), id };
}
