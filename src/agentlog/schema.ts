import { isObject } from '../json.ts';
import {
  anObject,
  boolean,
  dateTime,
  type Fields,
  integer,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  type Shape,
  string,
  unread,
} from '../shape.ts';
import type { EventType } from './document.ts';

/** An optional field of one of these values, or null. The TypeScript type is a string: another value can still be read. */
const choice = (...values: readonly string[]): Shape => orNull(oneOf(values, 'value'));
const text = orNull(string);
const count = orNull(integer());
const texts = listOf(string);

/** Begins the names of rules that the JSON Schema has and the text has not. */
export const SCHEMA_RULE = 'agentlog.schema.json';

/** Adds fields that only the JSON Schema knows. The text wins: whoever fills them otherwise breaks no rule of it. */
function withMore(shape: Shape, name: string, more: Readonly<Record<string, Shape>>): Shape {
  const fields = inSchema(name, { optional: more });
  return (value, at) => {
    shape(value, at);
    if (isObject(value)) fields(value, at);
  };
}

function inSchema(name: string, fields: Fields): Shape {
  return object(`${SCHEMA_RULE} ${name}`, fields);
}

const TOKENS: Fields = {
  required: { inputTokens: integer(), outputTokens: integer() },
  optional: { cacheReadTokens: count, cacheWriteTokens: count },
};
const tokenUsage = withMore(object('agentlog 4.1', TOKENS), 'tokenUsage', { reasoningTokens: count });

const BASE: Fields = {
  required: { id: string, timestamp: dateTime },
  optional: { parentId: text, durationMs: count, properties: anObject },
};
const BASE_MORE = {
  tokenUsage: orNull(withMore(inSchema('tokenUsage', TOKENS), 'tokenUsage', { reasoningTokens: count })),
  estimatedCostUsd: orNull(number),
  model: text,
  traceId: text,
  spanId: text,
  groupId: text,
};

type EventFields = Fields & {
  /** In the JSON Schema only. */
  readonly more?: Readonly<Record<string, Shape>>;
};

function event(rule: string, { required, optional, more }: EventFields): Shape {
  const told = object(rule, {
    required: { ...BASE.required, ...required },
    optional: { ...BASE.optional, ...optional },
  });
  const unsaid = Object.entries({ ...BASE_MORE, ...more }).filter(([key]) => !Object.hasOwn(optional ?? {}, key));
  return withMore(told, rule.split(' ').at(-1) ?? rule, Object.fromEntries(unsaid));
}

/** The text names the fields of a step, and sets no values for its status. */
const planStep = withMore(
  object('agentlog 3.11 plan step', {
    required: { id: string, description: string, status: string },
    optional: { dependsOn: texts, confidence: orNull(number) },
  }),
  'planStep',
  { status: choice('pending', 'in_progress', 'completed', 'failed', 'skipped') },
);

const RECOVERIES = ['retry', 'skip', 'abort', 'escalate', 'fixed', 'workaround', 'ignored', 'deferred'];
const CATEGORIES = [
  'runtime',
  'type',
  'syntax',
  'network',
  'permission',
  'timeout',
  'validation',
  'resource',
  'unknown',
];
const REASONINGS = ['planning', 'analysis', 'reflection', 'decision', 'evaluation', 'debugging'];

/** The twelve event types, and what each requires and allows. */
export const EVENTS: Readonly<Record<EventType, Shape>> = {
  message: event('agentlog 3.2 message', {
    required: { role: oneOf(['user', 'assistant', 'system']), content: string },
    optional: { tokenUsage: orNull(tokenUsage) },
  }),
  toolCall: event('agentlog 3.3 toolCall', {
    required: { name: string, input: anObject, status: oneOf(['success', 'error', 'cancelled']) },
    optional: { output: text, summary: text },
  }),
  fileOperation: event('agentlog 3.4 fileOperation', {
    required: { operation: oneOf(['read', 'create', 'edit', 'delete']), path: string },
    optional: { diff: text, beforeHash: text, afterHash: text, linesAdded: count, linesRemoved: count },
    more: { diffFormat: choice('unified', 'json-patch', 'custom'), truncated: orNull(boolean) },
  }),
  terminalCommand: event('agentlog 3.5 terminalCommand', {
    required: { command: string },
    optional: { cwd: text, stdout: text, stderr: text, exitCode: count },
    more: { shell: text, truncated: orNull(boolean) },
  }),
  search: event('agentlog 3.6 search', {
    required: { tool: string, query: string },
    optional: { resultCount: count, topResults: texts },
  }),
  reasoning: event('agentlog 3.7 reasoning', {
    required: { intent: string, rationale: string },
    optional: { alternatives: texts },
    more: {
      reasoningType: choice(...REASONINGS),
      content: text,
      conclusion: text,
      visible: orNull(boolean),
      reasoningTokens: count,
    },
  }),
  error: event('agentlog 3.8 error', {
    required: { message: string, resolved: boolean },
    optional: { code: text, category: choice(...CATEGORIES), recovery: choice(...RECOVERIES) },
  }),
  handoff: event('agentlog 3.9 handoff', {
    required: {
      fromAgent: string,
      toAgent: string,
      status: oneOf(['initiated', 'accepted', 'completed', 'rejected', 'failed']),
    },
    optional: { reason: text, contextTransferred: text, result: text },
  }),
  approval: event('agentlog 3.10 approval', {
    required: {
      action: string,
      approver: oneOf(['user', 'policy', 'system']),
      decision: oneOf(['approved', 'denied', 'modified']),
    },
    optional: { constraints: text, toolName: text },
  }),
  plan: event('agentlog 3.11 plan', {
    required: { title: string, status: oneOf(['draft', 'active', 'completed', 'abandoned']) },
    optional: { steps: listOf(planStep) },
  }),
  checkpoint: event('agentlog 3.12 checkpoint', {
    required: {
      checkpointType: oneOf(['git_commit', 'snapshot', 'memory_flush', 'auto_save', 'custom']),
      restorable: boolean,
    },
    optional: { label: text, reference: text },
  }),
  contextLoad: event('agentlog 3.13 contextLoad', {
    required: { source: oneOf(['file', 'memory', 'rag', 'web', 'database', 'api', 'codebase', 'custom']) },
    optional: { query: text, itemCount: count, tokenCount: count, reason: text },
  }),
};

export function isEventType(type: unknown): type is EventType {
  return typeof type === 'string' && Object.hasOwn(EVENTS, type);
}

const metrics = withMore(
  object('agentlog 4', {
    required: { messageCount: integer(), toolCallCount: integer(), filesTouchedCount: integer() },
    optional: {
      durationMinutes: count,
      tokenUsage: orNull(tokenUsage),
      estimatedCostUsd: orNull(number),
      filesTouched: texts,
      toolsUsed: texts,
      properties: anObject,
    },
  }),
  'metrics',
  { modelsUsed: texts },
);

/** A thing elsewhere: what names it, and texts about it. */
function reference(rule: string, id: Readonly<Record<string, Shape>>, about: readonly string[]): Shape {
  return object(rule, { required: id, optional: Object.fromEntries(about.map((key) => [key, text])) });
}

const review = inSchema('review', {
  optional: {
    pullRequestNumber: count,
    status: choice('approved', 'changes_requested', 'commented', 'dismissed'),
    commentCount: count,
    url: text,
  },
});
const testRun = inSchema('test run', {
  required: { passed: integer(), failed: integer() },
  optional: { framework: text, skipped: count, coverage: orNull(number), durationMs: count, failures: texts },
});
const branch = inSchema('branch', {
  required: { name: string, action: oneOf(['created', 'switched', 'merged', 'deleted', 'rebased']) },
  optional: { baseBranch: text },
});

const relationships = withMore(
  object('agentlog 5', {
    optional: {
      commits: listOf(reference('agentlog 5.1 commit', { sha: string }, ['message', 'repository', 'timestamp'])),
      pullRequests: listOf(
        reference('agentlog 5.2 pull request', { number: integer() }, ['title', 'url', 'repository', 'status']),
      ),
      issues: listOf(reference('agentlog 5.3 issue', { id: string }, ['title', 'url', 'tracker', 'status'])),
      errors: listOf(reference('agentlog 5.4 error', { id: string, source: string }, ['url', 'title'])),
      deployments: listOf(reference('agentlog 5.5 deployment', { id: string }, ['environment', 'url', 'status'])),
      parentSession: text,
      childSessions: texts,
      properties: anObject,
    },
  }),
  'relationships',
  {
    reviews: listOf(unread(review)),
    testRuns: listOf(unread(testRun)),
    branches: listOf(unread(branch)),
    groupId: text,
  },
);

const team = inSchema('team', {
  required: { name: string },
  optional: {
    agents: listOf(
      inSchema('agent', { required: { id: string, name: string }, optional: { role: text, model: text } }),
    ),
    processType: choice('sequential', 'parallel', 'hierarchical', 'graph'),
    properties: anObject,
  },
});
const redaction = inSchema('redaction', {
  required: { category: string, count: integer() },
  optional: { redactedBy: text },
});

/** The optional parts of the envelope that the text has. */
export const TOLD_PARTS: Readonly<Record<string, Shape>> = {
  endTime: orNull(dateTime),
  project: orNull(
    object('agentlog 2.4 project', {
      required: { name: string },
      optional: { repository: text, workingDirectory: text, branch: text, commitSha: text, properties: anObject },
    }),
  ),
  developer: orNull(
    object('agentlog 2.5 developer', { required: { id: string }, optional: { name: text, properties: anObject } }),
  ),
  metrics: orNull(metrics),
  relationships: orNull(relationships),
  properties: anObject,
};

const SCHEMA_PARTS: Readonly<Record<string, Shape>> = {
  team: orNull(unread(team)),
  classification: unread(choice('public', 'internal', 'confidential', 'restricted')),
  redactions: orNull(listOf(redaction)),
  profile: unread(choice('full', 'summary')),
};

/** The parts of the envelope that may be missing: a reader leaves out one that it cannot read. */
export const OPTIONAL_PARTS = { ...TOLD_PARTS, ...SCHEMA_PARTS };

/** An envelope of this shape, with the parts that only the JSON Schema has. */
export function withSchemaParts(shape: Shape): Shape {
  return withMore(shape, 'session', SCHEMA_PARTS);
}

export const agent = object('agentlog 2.3 agent', {
  required: { name: string },
  optional: { version: text, model: text, provider: text, properties: anObject },
});
