import { Fault } from '../fault.ts';
import { arrange, flattened, isTooDeep, type KeyOrder } from '../json.ts';
import type { AgentLogDocument, AgentLogEvent } from './document.ts';
import { validateDocument } from './validate.ts';

const TOKENS: KeyOrder = {
  keys: ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'],
};
const EVENT: KeyOrder = {
  keys: [
    ...['type', 'id', 'timestamp', 'parentId', 'durationMs', 'model'],
    ...['role', 'content', 'name', 'input', 'output', 'operation', 'path', 'command', 'cwd', 'tool', 'query', 'intent'],
    ...['status', 'summary', 'diff', 'diffFormat', 'beforeHash', 'afterHash', 'linesAdded', 'linesRemoved'],
    ...['stdout', 'stderr', 'exitCode', 'shell', 'truncated', 'rationale', 'message', 'code', 'resolved'],
    ...['tokenUsage', 'estimatedCostUsd', 'traceId', 'spanId', 'groupId'],
  ],
  inside: { tokenUsage: TOKENS },
};
const REFERENCE: KeyOrder = {
  keys: ['sha', 'number', 'id', 'source', 'message', 'title', 'url', 'tracker', 'repository', 'timestamp', 'status'],
};
const DOCUMENT: KeyOrder = {
  keys: [
    ...['specVersion', 'id', 'startTime', 'endTime', 'status', 'agent', 'project', 'developer', 'team', 'events'],
    ...['metrics', 'relationships', 'classification', 'redactions', 'profile', 'properties'],
  ],
  inside: {
    agent: { keys: ['name', 'version', 'model', 'provider', 'properties'] },
    project: { keys: ['name', 'repository', 'workingDirectory', 'branch', 'commitSha', 'properties'] },
    developer: { keys: ['id', 'name', 'properties'] },
    events: EVENT,
    metrics: {
      keys: ['messageCount', 'toolCallCount', 'filesTouchedCount', 'durationMinutes', 'tokenUsage'],
      inside: { tokenUsage: TOKENS },
    },
    relationships: {
      keys: [
        ...['commits', 'pullRequests', 'issues', 'errors', 'deployments', 'reviews', 'testRuns', 'branches'],
        ...['parentSession', 'childSessions', 'groupId', 'properties'],
      ],
      inside: { commits: REFERENCE, pullRequests: REFERENCE, issues: REFERENCE },
    },
  },
};

/** The document as one line. The envelope is one that 0.2.0 allows; an event of a stranger may hold what it does not, and stays as it came. */
export function printDocument(document: AgentLogDocument): string {
  const understood = document.events.filter((event) => event.type !== 'opaque');
  const problem = validateDocument({ ...document, events: understood }).find(
    ({ kind, path }) => kind === 'shape' || (kind === 'value' && !path.startsWith('/events/')),
  );
  if (problem) {
    throw new Fault('bug', `an AgentLog document breaks ${problem.rule} at ${problem.path}: ${problem.message}`, {
      problem,
    });
  }
  const value = arrange({ ...document, events: document.events.map(unwrap) }, DOCUMENT);
  const text = JSON.stringify(value);
  return isTooDeep(text) ? JSON.stringify(flattened(value, MOST)) : text;
}

/** A session that nobody could read again would be lost; other formats put some more around it. */
const MOST = 150;

function unwrap(event: AgentLogEvent): unknown {
  return event.type === 'opaque' ? event.raw : event;
}
