import { Fault } from '../fault.ts';
import { isObject, parseJson } from '../json.ts';
import type { World } from './command.ts';

const TIMEOUT = 10_000;
const MAX_ANSWER = 64 * 1024;

/** Sends OTLP/JSON to a collector: `URL/v1/traces` where the address has no path of its own. Gives what it did not take. */
export async function sendTraces(world: World, endpoint: string, body: string): Promise<string | undefined> {
  const url = parseEndpoint(endpoint);
  const headers = parseHeaders(world.env.OTEL_EXPORTER_OTLP_HEADERS ?? '');
  // what is said names no query and no header: keys are there
  const where = `${url.origin}${url.pathname}`;
  const answer = await post(url, { headers, body, timeout: timeoutOf(world.env.OTEL_EXPORTER_OTLP_TIMEOUT), where });
  const said = await answer.text().then(
    (text) => hide(text.slice(0, MAX_ANSWER), [...headers.values()]),
    () => '',
  );
  if (!answer.ok) {
    const why = said
      .replace(/[^\x20-\x7e]+/g, ' ')
      .slice(0, 200)
      .trim();
    throw new Fault('surroundings', `${where} did not take the spans: ${answer.status} ${why}`.trimEnd());
  }
  return partial(said);
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Fault('usage', '--endpoint needs an address that begins with http:// or https://.');
  if (url.username || url.password)
    throw new Fault('usage', '--endpoint must hold no password: put it into OTEL_EXPORTER_OTLP_HEADERS.');
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

/** `name=value,name=value`, values percent-encoded (OpenTelemetry's exporters read it so). */
function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim().toLowerCase();
    const value = decode(pair.slice(at + 1).trim());
    if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new Fault('usage', 'OTEL_EXPORTER_OTLP_HEADERS is not of the form name=value,name=value.');
    headers.set(name, value);
  }
  return headers;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function timeoutOf(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : TIMEOUT;
}

interface Posting {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly timeout: number;
  readonly where: string;
}

async function post(url: URL, { headers, body, timeout, where }: Posting): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
      body,
      // headers with keys are for this address alone
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
  } catch (cause) {
    const late = cause instanceof Error && cause.name === 'TimeoutError';
    const code = cause instanceof Error && isObject(cause.cause) ? cause.cause.code : undefined;
    const why = late ? `no answer in ${timeout} ms` : typeof code === 'string' ? code : 'the connection failed';
    const next = late
      ? 'OTEL_EXPORTER_OTLP_TIMEOUT sets how long to wait'
      : 'start the collector, or print the spans without --endpoint';
    throw new Fault('surroundings', `${where} cannot be reached: ${why}; ${next}.`);
  }
}

function hide(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((one) => [one, ...one.split(/\s+/)]).filter((one) => one.length > 3);
  return parts.reduce((so, one) => so.replaceAll(one, '***'), text);
}

/** A collector may take some and refuse others, and say so in a good answer. */
function partial(text: string): string | undefined {
  const json = parseJson(text, MAX_ANSWER);
  const told = 'value' in json && isObject(json.value) ? json.value.partialSuccess : undefined;
  if (!isObject(told) || !/^[1-9]\d*$/.test(String(told.rejectedSpans ?? ''))) return undefined;
  const why = typeof told.errorMessage === 'string' ? told.errorMessage.slice(0, 200) : '';
  return `${told.rejectedSpans} spans were not taken${why && `: ${why}`}`;
}
