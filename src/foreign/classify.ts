import { STATUSES, TOLERATED_STATUSES } from '../agentlog/document.ts';
import { isObject, type JsonObject } from '../json.ts';

/** Formats that are JSON, or JSON Lines of it. */
export type TextFormat = 'agentlog' | 'agent-trace' | 'agent-activity' | 'vac-json' | 'agentblame-note';

/** What one JSON object is. Each test asks for what nobody else has; a name alone, or a version, proves nothing. */
export function classify(value: JsonObject): TextFormat | undefined {
  return TESTS.find(([, test]) => test(value))?.[0];
}

const TESTS: readonly (readonly [TextFormat, (value: JsonObject) => boolean])[] = [
  ['agent-activity', isActivity],
  ['vac-json', isAgentRecord],
  ['agentlog', isAgentLog],
  ['agentblame-note', isAgentblame],
  ['agent-trace', isTrace],
];

/** The nine types of agent_activity.v1. Older events name no schema; then the type and a session must be there. */
const ACTIVITY_TYPES =
  /^(?:session\.(?:started|finished)|tool\.(?:started|finished)|model\.completed|approval\.requested|hook\.blocked|agent_run_audit\.(?:source_snapshot|file_change))$/;

function isActivity({ schema_version: schema, event_type: told, type: former, ...event }: JsonObject): boolean {
  const { session, session_id: flat } = event;
  const type = told ?? former;
  if (typeof type !== 'string') return false;
  if (typeof schema === 'string') return schema.startsWith('agent_activity.');
  return (
    schema === undefined && ACTIVITY_TYPES.test(type) && (isObject(session) || typeof (session ?? flat) === 'string')
  );
}

function isAgentRecord({ version, id, session }: JsonObject): boolean {
  return (
    typeof version === 'string' &&
    typeof id === 'string' &&
    isObject(session) &&
    Array.isArray(session.entries) &&
    (typeof session['session-id'] === 'string' || isObject(session['agent-meta']))
  );
}

function isAgentLog({ specVersion, id, status, agent, events }: JsonObject): boolean {
  if (typeof id !== 'string' || (events !== undefined && !Array.isArray(events))) return false;
  const named = typeof agent === 'string' || (isObject(agent) && typeof agent.name === 'string');
  const known = [...STATUSES, ...TOLERATED_STATUSES].some((one) => one === status);
  // of a document that names no version, or has no status that we know, the rest of the envelope must be there
  const [versioned, told] = [typeof specVersion === 'string', Array.isArray(events)];
  return named && (known ? versioned || told : versioned && told);
}

function isAgentblame({ version, attributions }: JsonObject): boolean {
  if ((version !== 1 && version !== 2) || !Array.isArray(attributions)) return false;
  return attributions.length === 0 || attributions.some((one) => isObject(one) && typeof one.path === 'string');
}

function isTrace({ version, id, timestamp, files }: JsonObject): boolean {
  if (!Array.isArray(files)) return false;
  if (files.length === 0) return typeof version === 'string' && typeof id === 'string' && typeof timestamp === 'string';
  return files.some((file) => isObject(file) && typeof file.path === 'string' && Array.isArray(file.conversations));
}
