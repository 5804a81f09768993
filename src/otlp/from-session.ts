import { calledToolOf, callNameOf } from '../agentlog/call-name.ts';
import type { AgentLogDocument, KnownEvent } from '../agentlog/document.ts';
import { laterBy, nanoOf, spanIdOf, traceIdOf } from './ids.ts';
import { errorOf, modelOf, providerOf, usageOf } from './names.ts';
import { attributesOf, type KeyValue, type Span, type SpanEvent, type TracesData, wellFormed } from './span.ts';

const US = 'git-agent-blame';

export interface OtlpOptions {
  /** Of our own program. */
  readonly version: string;
  /** Also what tools were given and gave back. The conventions want it asked for, and so do we. */
  readonly content?: boolean;
}

/**
 * A session as spans of OpenTelemetry's conventions for generative AI (status: development): one `invoke_agent`, and below it one
 * `execute_tool` for each tool call. Each session is a trace; the session that started it is a link, whose trace may be elsewhere.
 */
export function tracesOf(documents: readonly AgentLogDocument[], options: OtlpOptions): TracesData {
  return {
    resourceSpans: documents.map((document) => ({
      resource: { attributes: resourceOf(document) },
      scopeSpans: [{ scope: { name: US, version: options.version }, spans: spansOf(document, options) }],
    })),
  };
}

function resourceOf({ agent, project }: AgentLogDocument): KeyValue[] {
  return attributesOf({
    'service.name': agent.name,
    'service.version': agent.version,
    'vcs.repository.name': project?.repository,
    'vcs.ref.head.name': project?.branch,
    'vcs.ref.head.revision': project?.commitSha,
  });
}

function spansOf(document: AgentLogDocument, options: OtlpOptions): Span[] {
  const known = document.events.filter((event) => event.type !== 'opaque');
  const start = nanoOf(document.startTime) ?? firstOf(known) ?? 0n;
  const tools = new Map<string, ToolSpan>();
  for (const event of known) {
    const owner = ownerOf(event, tools);
    // a file that a call changed is told by the call
    if (owner && event.type === 'fileOperation')
      owner.events.push(...fileEvent(event, BigInt(owner.startTimeUnixNano)));
    else if (!tools.has(event.id)) {
      const span = toolSpan(event, { document, start, options });
      if (span) tools.set(event.id, { ...span, ...(owner ? { parentSpanId: owner.spanId } : {}) });
    }
  }
  const spans = [...tools.values()].map(({ events, ...span }) => (events.length > 0 ? { ...span, events } : span));
  return [rootSpan(document, start, spans), ...spans];
}

/** The call that an event is part of: its parent, or, for the second file of a call, the id before the number. It came before. */
function ownerOf({ id, parentId }: KnownEvent, before: ReadonlyMap<string, ToolSpan>): ToolSpan | undefined {
  const stem = /.\/\d+$/.test(id) ? id.slice(0, id.lastIndexOf('/')) : undefined;
  const owner = [parentId, stem].find((one) => one != null && one !== id && before.has(one));
  return owner == null ? undefined : before.get(owner);
}

function firstOf(events: readonly KnownEvent[]): bigint | undefined {
  return events.map((event) => nanoOf(event.timestamp)).find((time) => time !== undefined);
}

function rootSpan(document: AgentLogDocument, start: bigint, tools: readonly Span[]): Span {
  const { id, agent, status, metrics, relationships } = document;
  const last = tools.reduce((end, span) => max(end, BigInt(span.endTimeUnixNano)), start);
  const failed = status === 'failed' || status === 'timeout' || status === 'cancelled' || status === 'interrupted';
  const parent = relationships?.parentSession;
  return {
    traceId: traceIdOf(id),
    spanId: spanIdOf(id),
    name: wellFormed(`invoke_agent ${agent.name}`),
    kind: 1,
    startTimeUnixNano: `${start}`,
    endTimeUnixNano: `${max(nanoOf(document.endTime ?? '') ?? last, last)}`,
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(agent),
      'gen_ai.agent.name': agent.name,
      'gen_ai.agent.version': agent.version,
      'gen_ai.conversation.id': id,
      'gen_ai.request.model': modelOf(agent.model),
      ...usageOf(metrics?.tokenUsage),
      'error.type': failed ? status : undefined,
    }),
    ...(parent ? { links: [{ traceId: traceIdOf(parent), spanId: spanIdOf(parent), attributes: [] }] } : {}),
    ...(failed ? { status: { code: 2 as const } } : {}),
  };
}

type ToolSpan = Span & { readonly events: SpanEvent[] };

interface Setting {
  readonly document: AgentLogDocument;
  readonly start: bigint;
  readonly options: OtlpOptions;
}

function toolSpan(event: KnownEvent, { document, start, options }: Setting): ToolSpan | undefined {
  const tool = calledToolOf(event) ?? callNameOf(event);
  if (tool === undefined) return undefined;
  // a call before its session began would be no part of it
  const from = max(nanoOf(event.timestamp) ?? start, start);
  const error = errorOf(event);
  return {
    traceId: traceIdOf(document.id),
    spanId: spanIdOf(document.id, event.id),
    parentSpanId: spanIdOf(document.id),
    name: wellFormed(`execute_tool ${tool}`),
    kind: 1,
    startTimeUnixNano: `${from}`,
    endTimeUnixNano: `${laterBy(from, event.durationMs)}`,
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': event.id,
      'gen_ai.tool.type': 'function',
      'gen_ai.conversation.id': document.id,
      'gen_ai.agent.name': document.agent.name,
      ...(options.content ? contentOf(event) : {}),
      'process.exit.code': event.type === 'terminalCommand' ? event.exitCode : undefined,
      'error.type': error,
    }),
    events: fileEvent(event, from),
    ...(error && error !== 'cancelled' ? { status: { code: 2 as const } } : {}),
  };
}

/** What was done to a file, as an event of the span that did it. */
function fileEvent(event: KnownEvent, start: bigint): SpanEvent[] {
  if (event.type !== 'fileOperation') return [];
  const attributes = attributesOf({
    'file.path': event.path,
    'dev.git-agent-blame.lines_added': event.linesAdded,
    'dev.git-agent-blame.lines_removed': event.linesRemoved,
  });
  const at = max(laterBy(nanoOf(event.timestamp) ?? start, event.durationMs), start);
  return [{ timeUnixNano: `${at}`, name: `file.${event.operation}`, attributes }];
}

function contentOf(event: KnownEvent): Readonly<Record<string, string | null | undefined>> {
  const [given, gave] = exchanged(event);
  return {
    'gen_ai.tool.call.arguments': given === undefined ? undefined : JSON.stringify(given),
    'gen_ai.tool.call.result': gave,
  };
}

function exchanged(event: KnownEvent): readonly [unknown, string | null | undefined] {
  switch (event.type) {
    case 'toolCall':
      return [event.input, event.output];
    case 'terminalCommand':
      return [{ command: event.command }, event.stdout ?? event.stderr];
    case 'fileOperation':
      return [{ path: event.path }, event.diff];
    case 'search':
      return [{ query: event.query }, event.topResults?.join('\n')];
    default:
      return [undefined, undefined];
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** One line: a file of several sessions is JSON Lines, as collectors' file exporters write it. */
export function printTraces(traces: TracesData): string {
  return JSON.stringify(traces);
}
