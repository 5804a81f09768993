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
} from '../shape.ts';
import type { EventType } from './document.ts';

/** An optional field of one of these values, or null. The TypeScript type is a string: another value can still be read. */
const choice = (...values: readonly string[]): Shape => orNull(oneOf(values, 'value'));
const text = orNull(string);
const count = orNull(integer());
const texts = listOf(string);

export const tokenUsage = object('agentlog 4.1', {
  required: { inputTokens: integer(), outputTokens: integer() },
  optional: { cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
});

const BASE: Fields = {
  required: { id: string, timestamp: dateTime },
  optional: {
    parentId: text,
    durationMs: count,
    tokenUsage: orNull(tokenUsage),
    estimatedCostUsd: orNull(number),
    model: text,
    traceId: text,
    spanId: text,
    groupId: text,
    properties: anObject,
  },
};

function event(rule: string, own: Fields): Shape {
  return object(rule, {
    required: { ...BASE.required, ...own.required },
    optional: { ...BASE.optional, ...own.optional },
  });
}

const planStep = object('agentlog 3.11 plan step', {
  required: {
    id: string,
    description: string,
    status: oneOf(['pending', 'in_progress', 'completed', 'failed', 'skipped']),
  },
  optional: { dependsOn: texts, confidence: orNull(number) },
});

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
  }),
  toolCall: event('agentlog 3.3 toolCall', {
    required: { name: string, input: anObject, status: oneOf(['success', 'error', 'cancelled']) },
    optional: { output: text, summary: text },
  }),
  fileOperation: event('agentlog 3.4 fileOperation', {
    required: { operation: oneOf(['read', 'create', 'edit', 'delete']), path: string },
    optional: {
      diff: text,
      diffFormat: choice('unified', 'json-patch', 'custom'),
      beforeHash: text,
      afterHash: text,
      linesAdded: count,
      linesRemoved: count,
      truncated: orNull(boolean),
    },
  }),
  terminalCommand: event('agentlog 3.5 terminalCommand', {
    required: { command: string },
    optional: { cwd: text, stdout: text, stderr: text, exitCode: count, shell: text, truncated: orNull(boolean) },
  }),
  search: event('agentlog 3.6 search', {
    required: { tool: string, query: string },
    optional: { resultCount: count, topResults: texts },
  }),
  reasoning: event('agentlog 3.7 reasoning', {
    required: { intent: string, rationale: string },
    optional: {
      reasoningType: choice(...REASONINGS),
      content: text,
      alternatives: texts,
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

const metrics = object('agentlog 4', {
  required: { messageCount: integer(), toolCallCount: integer(), filesTouchedCount: integer() },
  optional: {
    durationMinutes: count,
    tokenUsage: orNull(tokenUsage),
    estimatedCostUsd: orNull(number),
    filesTouched: texts,
    toolsUsed: texts,
    modelsUsed: texts,
    properties: anObject,
  },
});

const commit = object('agentlog 5.1 commit', {
  required: { sha: string },
  optional: { message: text, repository: text, timestamp: text },
});
const pullRequest = object('agentlog 5.2 pull request', {
  required: { number: integer() },
  optional: { title: text, url: text, repository: text, status: text },
});
const issue = object('agentlog 5.3 issue', {
  required: { id: string },
  optional: { title: text, url: text, tracker: text, status: text },
});

const relationships = object('agentlog 5', {
  optional: {
    commits: listOf(commit),
    pullRequests: listOf(pullRequest),
    issues: listOf(issue),
    errors: listOf(object('agentlog 5.4 error', { required: { id: string, source: string } })),
    deployments: listOf(object('agentlog 5.5 deployment', { required: { id: string } })),
    reviews: listOf(anObject),
    testRuns: listOf(anObject),
    branches: listOf(anObject),
    parentSession: text,
    childSessions: texts,
    groupId: text,
    properties: anObject,
  },
});

/** The parts of the envelope that may be missing: a reader leaves out one that it cannot read. */
export const OPTIONAL_PARTS: Readonly<Record<string, Shape>> = {
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
  team: orNull(anObject),
  metrics: orNull(metrics),
  relationships: orNull(relationships),
  classification: choice('public', 'internal', 'confidential', 'restricted'),
  redactions: orNull(listOf(object('agentlog redactions', { required: { category: string, count: integer() } }))),
  profile: choice('full', 'summary'),
  properties: anObject,
};

export const agent = object('agentlog 2.3 agent', {
  required: { name: string },
  optional: { version: text, model: text, provider: text, properties: anObject },
});
