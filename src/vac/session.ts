import { SPEC_VERSION } from '../agentlog/document.ts';
import { isObject, type JsonObject } from '../json.ts';
import { difference, patched, textOf, without } from './patch.ts';
import {
  AGENTLOG_FIELD,
  type Context,
  dateTimeOf,
  EPOCH,
  timestampOf,
  withoutProvider,
  withProvider,
} from './shared-fields.ts';

/** The draft requires a model and a provider even where nobody knows them. */
const UNKNOWN = 'unknown';

/** The session of an AgentLog document, without its entries; by the same rule as an entry of an event. */
export function sessionOf(document: JsonObject): JsonObject {
  const envelope = without(document, ['events']);
  const session = { ...likelySession(envelope), [AGENTLOG_FIELD]: {} };
  const patch = difference(likelyEnvelope(session), envelope);
  return patch ? { ...session, [AGENTLOG_FIELD]: patch } : session;
}

/** The document of a session, without its events. */
export function envelopeOf(session: JsonObject): JsonObject {
  return patched(likelyEnvelope(session), session[AGENTLOG_FIELD]);
}

/** Ours have the field, if only to say that nothing is to be added. */
export function isOwn(session: JsonObject): boolean {
  return isObject(session[AGENTLOG_FIELD]);
}

export function contextOf(session: JsonObject): Context {
  const provider = textOf(objectIn(session, 'agent-meta')['model-provider']);
  const start = timestampOf(session['session-start']);
  if (isOwn(session)) return { time: start ?? EPOCH, ...(provider && provider !== UNKNOWN && { provider }) };
  const entries = Array.isArray(session.entries) ? session.entries : [];
  const first: unknown = entries.find((entry) => isObject(entry) && timestampOf(entry.timestamp) !== undefined);
  return { time: start ?? timestampOf(isObject(first) ? first.timestamp : undefined) ?? EPOCH };
}

function likelySession(document: JsonObject): JsonObject {
  const [agent, project] = [objectIn(document, 'agent'), objectIn(document, 'project')];
  const [start, end] = [dateTimeOf(document.startTime), dateTimeOf(document.endTime)];
  const workingDir = textOf(project.workingDirectory);
  const vcs = vcsOfProject(project);
  return {
    'session-id': textOf(document.id) ?? '',
    ...(start !== undefined && { 'session-start': start }),
    ...(end !== undefined && { 'session-end': end }),
    'agent-meta': agentMeta(agent, document),
    ...(workingDir !== undefined && { environment: { 'working-dir': workingDir, ...(vcs && { vcs }) } }),
  };
}

function agentMeta(agent: JsonObject, document: JsonObject): JsonObject {
  const model = textOf(agent.model);
  const provider = textOf(agent.provider) || model?.match(/^([^/]+)\//)?.[1];
  const [name, version] = [textOf(agent.name), textOf(agent.version)];
  const used = objectIn(document, 'metrics').modelsUsed;
  const models = Array.isArray(used) ? used.filter((one) => typeof one === 'string') : [];
  return {
    'model-id': model === undefined ? UNKNOWN : withoutProvider(model, provider),
    'model-provider': provider ?? UNKNOWN,
    ...(models.length > 0 && { models: models.map((one) => withoutProvider(one, provider)) }),
    ...(name !== undefined && { 'cli-name': name }),
    ...(version !== undefined && { 'cli-version': version }),
  };
}

/** What the project says of its repository; undefined where that is nothing. */
export function vcsOfProject(project: JsonObject): JsonObject | undefined {
  const fields = { revision: project.commitSha, branch: project.branch, repository: project.repository };
  const told = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  return told.length > 0 ? { type: 'git', ...Object.fromEntries(told) } : undefined;
}

function likelyEnvelope(session: JsonObject): JsonObject {
  const meta = objectIn(session, 'agent-meta');
  const { time, provider } = contextOf(session);
  const model = textOf(meta['model-id']);
  const end = timestampOf(session['session-end']);
  const project = projectOf(objectIn(session, 'environment'));
  return {
    specVersion: SPEC_VERSION,
    id: textOf(session['session-id']) ?? '',
    startTime: time,
    ...(end !== undefined && { endTime: end }),
    status: 'completed',
    agent: {
      name: textOf(meta['cli-name']) ?? UNKNOWN,
      ...textAs('version', meta['cli-version']),
      ...(model !== undefined && model !== UNKNOWN && { model: withProvider(model, provider) }),
      ...textAs('provider', meta['model-provider']),
    },
    ...(project && { project }),
  };
}

function projectOf(environment: JsonObject): JsonObject | undefined {
  const workingDirectory = textOf(environment['working-dir']);
  if (workingDirectory === undefined) return undefined;
  const vcs = objectIn(environment, 'vcs');
  return {
    name: workingDirectory.split(/[\\/]/).findLast((part) => part !== '') ?? UNKNOWN,
    ...textAs('repository', vcs.repository),
    workingDirectory,
    ...textAs('branch', vcs.branch),
    ...textAs('commitSha', vcs.revision),
  };
}

function textAs(key: string, value: unknown): JsonObject {
  return typeof value === 'string' && value !== UNKNOWN ? { [key]: value } : {};
}

export function objectIn(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isObject(inner) ? inner : {};
}
