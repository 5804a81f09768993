import { isObject, type JsonObject } from '../json.ts';
import { looksRandom } from './looks.ts';
import { mark } from './secrets.ts';

/** Objects under these names hold variables: of a process, of a request. */
export const VARIABLES = /^(?:headers|env|environment)$/i;

/** Such variables may hold a secret by any name, so that no value that looks like one is kept. */
const SENT = /^(?:headers|env)$/i;

/** Names of which the value is a secret, whatever it looks like. */
const SECRET_NAME =
  /token|secret|passw|passphrase|passwd|credential|authoriz|cookie|api[_-]?key|bearer|(?:^|[_.-])(?:key|auth|pwd|pass|pat|jwt|dsn|sig|signature)(?:$|[_.-])|[a-z](?:Key|Auth|Pwd|Pass)(?![a-z])/i;

/** Servers of the Model Context Protocol are reached with secrets in their variables, by any name: of these nothing is ever stored. */
export function speaksOfMcp(key: string, value: unknown): boolean {
  if (/mcp/i.test(key)) return true;
  if (!isObject(value)) return false;
  const { name, command, args, type, transport } = value;
  if (typeof name === 'string' && /mcp/i.test(name)) return true;
  return (typeof command === 'string' && Array.isArray(args)) || [type, transport].some(isTransport);
}

function isTransport(word: unknown): boolean {
  return typeof word === 'string' && /^(?:stdio|sse|http|streamable-?http)$/i.test(word);
}

/** The same shape with every value taken out. */
export function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptied(inner)]));
  return value === null ? null : mark('custom');
}

/** Variables without those that are secret; every other text is changed as texts are. Visits in the same order each time. */
export function walkVariables(key: string, value: unknown, change: (text: string) => string): unknown {
  const sent = SENT.test(key);
  const visit = (inner: unknown): unknown => {
    if (typeof inner === 'string') return sent && isUnknownSecret(inner) ? mark('custom') : change(inner);
    if (Array.isArray(inner)) return inner.map(visit);
    return isObject(inner) ? visitObject(inner) : inner;
  };
  const visitObject = (inner: JsonObject): JsonObject => {
    // as lists have them: {"name": "TOKEN", "value": "..."}
    const named = typeof inner.name === 'string' && SECRET_NAME.test(inner.name);
    return Object.fromEntries(
      Object.entries(inner).map(([name, part]) => {
        const secret = SECRET_NAME.test(name) || (named && name !== 'name');
        return [name, secret ? emptied(part) : visit(part)];
      }),
    );
  };
  return visit(value);
}

/** Commits look random, too. */
function isUnknownSecret(value: string): boolean {
  return looksRandom(value) && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
