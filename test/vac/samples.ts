import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import type { JsonObject } from '../../src/json.ts';
import { parseRecord } from '../../src/trace/parse.ts';
import type { TraceRecord } from '../../src/trace/record.ts';
import { parseVac } from '../../src/vac/parse.ts';
import { sessionFrom, type VacSession } from '../../src/vac/to-agentlog.ts';

export function documentOf(text: string): AgentLogDocument {
  const parsed = parseDocument(text);
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed.document;
}

export function tracesOf(lines: readonly string[]): TraceRecord[] {
  return lines.map(parseRecord).flatMap((one) => (one.kind === 'record' ? [one.record] : []));
}

export function recordIn(input: string | Uint8Array): JsonObject {
  const parsed = parseVac(input);
  if (parsed.kind !== 'record') throw new Error(`a ${parsed.kind} one`);
  return parsed.record;
}

export function read(input: string | Uint8Array): VacSession {
  const session = sessionFrom(recordIn(input));
  if ('problem' in session) throw new Error(session.problem);
  return session;
}

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

export const allEvents = documentOf(fixture('agentlog/all-events.agentlog.json'));
export const ownTraces = tracesOf(fixture('traces/own.jsonl').trimEnd().split('\n'));
export const oddTraces = tracesOf(fixture('traces/odd.jsonl').trimEnd().split('\n'));

const json = fc.jsonValue({ maxDepth: 1 });
const word = fc.constantFrom('', 'a', 'Edit', 'anthropic/claude-opus-4-5', 'a\nb', '__proto__', 'é', 'unknown');
const time = fc.constantFrom('2026-05-01T09:00:00Z', '2026-05-01t09:00:00.5z', '2026-05-01T09:00:00+02:00', 'noon', '');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const count = fc.oneof(fc.nat(), fc.constantFrom(-1, 1.5, null));

const shared = {
  id: word,
  timestamp: time,
  parentId: maybe(fc.option(word)),
  model: maybe(fc.option(word)),
  durationMs: maybe(count),
  tokenUsage: maybe(
    fc.record({ inputTokens: count, outputTokens: count, cacheReadTokens: count, x: json }, { requiredKeys: [] }),
  ),
  estimatedCostUsd: maybe(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))),
  properties: maybe(fc.dictionary(word, json)),
  vendor: maybe(json),
};

const own: Readonly<Record<string, Record<string, fc.Arbitrary<unknown>>>> = {
  message: { role: fc.constantFrom('user', 'assistant', 'system', 'robot'), content: fc.oneof(word, json) },
  toolCall: {
    name: word,
    input: fc.dictionary(word, json),
    output: maybe(fc.option(word)),
    status: fc.constantFrom('success', 'error', 'cancelled', 'odd'),
  },
  fileOperation: {
    operation: fc.constantFrom('read', 'edit'),
    path: word,
    diff: maybe(fc.option(word)),
    linesAdded: maybe(count),
  },
  terminalCommand: {
    command: word,
    cwd: maybe(word),
    stdout: maybe(word),
    exitCode: maybe(fc.option(fc.integer())),
    truncated: maybe(fc.boolean()),
  },
  search: { tool: word, query: word, resultCount: maybe(count), topResults: maybe(fc.array(word)) },
  reasoning: { intent: word, rationale: word, content: maybe(fc.option(word)), alternatives: maybe(fc.array(word)) },
  error: { message: word, resolved: fc.boolean(), code: maybe(word) },
  handoff: { fromAgent: word, toAgent: word, status: fc.constantFrom('accepted', 'odd') },
  checkpoint: {
    checkpointType: fc.constantFrom('custom', 'snapshot'),
    restorable: fc.boolean(),
    label: maybe(fc.option(word)),
  },
  telepathy: { strength: json },
};

const events = fc.oneof(
  ...Object.entries(own).map(([type, fields]) => fc.record({ type: fc.constant(type), ...shared, ...fields })),
  fc.dictionary(word, json),
);

/** Documents as they are read from files, conformant or not. */
export const documents: fc.Arbitrary<AgentLogDocument> = fc
  .record({
    specVersion: maybe(fc.constantFrom('0.2.0', '0.3.0')),
    id: fc.constantFrom('s1', 'a b#c'),
    startTime: maybe(time),
    endTime: maybe(fc.option(time)),
    status: fc.constantFrom('active', 'completed', 'timeout'),
    agent: fc.record(
      {
        name: word,
        version: fc.option(word),
        model: fc.option(word),
        provider: fc.constantFrom(null, 'anthropic', '', 'unknown'),
        x: json,
      },
      { requiredKeys: ['name'] },
    ),
    project: maybe(
      fc.record(
        { name: word, workingDirectory: fc.option(word), branch: word, commitSha: word, repository: word },
        { requiredKeys: ['name'] },
      ),
    ),
    metrics: maybe(
      fc.record({
        messageCount: fc.nat(),
        toolCallCount: fc.nat(),
        filesTouchedCount: fc.nat(),
        modelsUsed: fc.array(word),
      }),
    ),
    properties: maybe(fc.dictionary(word, json)),
    more: maybe(json),
    events: fc.array(events, { maxLength: 6 }),
  })
  .map((value) => documentOf(JSON.stringify(value)));

const contributor = fc.oneof(
  fc.constantFrom('ai', 'robot', 7),
  fc.record(
    { type: fc.constantFrom('ai', 'human', 'mixed', 'unknown'), model_id: word, x: json },
    { requiredKeys: ['type'] },
  ),
);
const range = fc.record(
  {
    start_line: fc.integer({ min: 1, max: 9 }),
    end_line: fc.integer({ min: 9, max: 20 }),
    contributor,
    content_hash: fc.constantFrom('murmur3:9f2e8a1b', 'sha256:00ff', 'sha-256:00', 'abc', ':x', 'unknown:1', 'a:b:c\n'),
    x: json,
  },
  { requiredKeys: ['start_line', 'end_line'] },
);
const conversation = fc.record(
  {
    url: fc.oneof(word, fc.constant('agentlog:s1#e')),
    contributor,
    ranges: fc.array(range, { maxLength: 3 }),
    related: fc.oneof(json, fc.array(fc.record({ type: word, url: word }))),
  },
  { requiredKeys: ['ranges'] },
);
const traced = fc.record(
  {
    version: fc.constantFrom('0.1.0', '1.0'),
    id: fc.uuid(),
    timestamp: time,
    vcs: fc.record({ type: fc.constantFrom('git', 'jj'), revision: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)) }),
    tool: fc.record({ name: word, version: word }, { requiredKeys: [] }),
    files: fc.array(
      fc.record({
        path: fc.constantFrom('a.ts', '__proto__', 'é'),
        conversations: fc.array(conversation, { maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
    metadata: fc.dictionary(word, json),
  },
  { requiredKeys: ['version', 'id', 'timestamp', 'files'] },
);

export const traces: fc.Arbitrary<TraceRecord[]> = fc
  .array(traced, { maxLength: 3 })
  .map((values) => tracesOf(values.map((value) => JSON.stringify(value))));
