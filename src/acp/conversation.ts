import { listOf, objectOf, plainId, textOf } from '../capture/fields.ts';
import type { JsonObject } from '../json.ts';
import type { ToolInfo } from '../lines/origin.ts';
import { type AcpCall, newsOf, withUpdate } from './call.ts';
import { toolOf } from './identity.ts';
import type { Message, Side } from './message.ts';

/** What a message comes to, for somebody who writes it down. */
export type Heard =
  | { readonly what: 'prompt'; readonly session: string; readonly at: number; readonly text: string }
  | {
      readonly what: 'said';
      readonly session: string;
      readonly at: number;
      readonly text: string;
      readonly thought: boolean;
    }
  /** The agent waits for an answer: what stands on disk now is not of this call. */
  | { readonly what: 'asks'; readonly session: string; readonly at: number; readonly call?: AcpCall }
  /** A call is about to edit these files, or to run a command. */
  | {
      readonly what: 'begins';
      readonly session: string;
      readonly at: number;
      readonly call: AcpCall;
      readonly paths: readonly string[];
      readonly runs: boolean;
    }
  | {
      readonly what: 'wrote';
      readonly session: string;
      readonly at: number;
      readonly path: string;
      readonly text: string;
    }
  | {
      readonly what: 'call';
      readonly session: string;
      readonly at: number;
      readonly call: AcpCall;
      readonly outcome: Outcome;
    }
  | { readonly what: 'turn'; readonly session: string; readonly at: number }
  | { readonly what: 'log'; readonly at: number; readonly fields: JsonObject };

export type Outcome = 'done' | 'failed' | 'refused';

interface Session {
  readonly cwd: string;
  /** History is being replayed: it was recorded when it happened. */
  loading: boolean;
  /** It was loaded: what comes in finished from here on is history too. */
  loaded: boolean;
  readonly calls: Map<string, AcpCall>;
  readonly ended: Set<string>;
  words: { text: string; thought: boolean; at: number } | undefined;
}

/** So many calls of a session are remembered: what is older has ended. */
const MAX_CALLS = 5000;
/** Of a longer speech the rest is not kept in mind. */
const MAX_WORDS = 16 << 20;

/** Listens to both sides of a connection, and makes sense of it. Whatever it does not understand it leaves alone. */
export class Conversation {
  readonly #argv: readonly string[];
  readonly #requests = new Map<string, { method: string; params: JsonObject }>();
  readonly #sessions = new Map<string, Session>();
  #version = 1;
  /** The client wants to hear what goes on inside. */
  logging = false;
  tool: ToolInfo;

  constructor(argv: readonly string[]) {
    this.#argv = argv;
    this.tool = toolOf({}, argv);
  }

  cwdOf(session: string): string | undefined {
    return this.#sessions.get(session)?.cwd;
  }

  hear(side: Side, message: Message, at: number): Heard[] {
    switch (message.kind) {
      case 'request':
        this.#requests.set(`${side} ${message.id}`, message);
        return this.#asked(message, at);
      case 'notification':
        return side === 'agent' ? this.#told(message.method, message.params, at) : [];
      case 'result':
      case 'error': {
        const key = `${side === 'agent' ? 'client' : 'agent'} ${message.id}`;
        const request = this.#requests.get(key);
        this.#requests.delete(key);
        return request ? this.#answered(request, message, at) : [];
      }
      default:
        return message satisfies never;
    }
  }

  #asked({ method, params }: { method: string; params: JsonObject }, at: number): Heard[] {
    const session = plainId(params.sessionId) ?? '';
    switch (method) {
      case 'initialize':
        this.logging = objectOf(objectOf(params.clientCapabilities)?.logging) !== undefined;
        return [];
      case 'session/load':
      case 'session/resume':
        this.#open(session, params, method === 'session/load');
        return [];
      case 'session/prompt':
        return [...this.#flush(session), { what: 'prompt', session, at, text: textsOf(params.prompt) }];
      case 'session/request_permission': {
        const call = this.#update(session, objectOf(params.toolCall), at);
        return [{ what: 'asks', session, at, ...(call && { call }) }];
      }
      default:
        return [];
    }
  }

  #answered(request: { method: string; params: JsonObject }, message: Message, at: number): Heard[] {
    const result = message.kind === 'result' ? (objectOf(message.result) ?? {}) : undefined;
    const session = plainId(request.params.sessionId) ?? '';
    switch (request.method) {
      case 'initialize':
        if (typeof result?.protocolVersion === 'number') this.#version = result.protocolVersion;
        this.tool = toolOf(infoOf(objectOf(result?.agentInfo) ?? objectOf(result?.info)), this.#argv);
        return [];
      case 'session/new':
        if (result) this.#open(plainId(result.sessionId) ?? '', request.params, false);
        return [];
      case 'session/load': {
        const loaded = this.#sessions.get(session);
        if (loaded) loaded.loading = false;
        return [];
      }
      case 'session/prompt':
        // in version 2 the answer only says that the prompt was taken
        return this.#version >= 2 && result ? [] : [...this.#flush(session), { what: 'turn', session, at }];
      case 'fs/write_text_file': {
        const [path, text] = [textOf(request.params.path), textOf(request.params.content)];
        return result && path !== undefined && text !== undefined ? [{ what: 'wrote', session, at, path, text }] : [];
      }
      case 'session/request_permission':
        return this.#decided(session, request.params, result, at);
      default:
        return [];
    }
  }

  #decided(session: string, params: JsonObject, result: JsonObject | undefined, at: number): Heard[] {
    const outcome = objectOf(result?.outcome);
    const chosen = listOf(params.options)
      .map(objectOf)
      .find((option) => option?.optionId === outcome?.optionId);
    const refused = outcome?.outcome !== 'selected' || /^reject/.test(textOf(chosen?.kind) ?? '');
    const id = plainId(objectOf(params.toolCall)?.toolCallId);
    if (refused) return id === undefined ? [] : this.#end(session, id, 'refused', at);
    const calls = this.#sessions.get(session)?.calls;
    const call = calls?.get(id ?? '');
    if (!call || !calls) return [];
    const allowed = { ...call, allowed: at };
    calls.set(call.id, allowed);
    return beginning(session, allowed, { at });
  }

  #told(method: string, params: JsonObject, at: number): Heard[] {
    if (method === 'log') return [{ what: 'log', at, fields: params }];
    const session = plainId(params.sessionId) ?? '';
    const open = this.#sessions.get(session);
    const update = objectOf(params.update);
    if (method !== 'session/update' || !open || !update || open.loading) return [];
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
      case 'agent_message':
      case 'agent_thought':
        return this.#speak(session, update, at);
      case 'tool_call':
      case 'tool_call_update':
      case 'tool_call_content_chunk':
        return [...this.#flush(session), ...this.#worked(session, update, at)];
      case 'state_update':
        return update.state === 'idle' ? [...this.#flush(session), { what: 'turn', session, at }] : [];
      default:
        return [];
    }
  }

  #worked(session: string, update: JsonObject, at: number): Heard[] {
    const open = this.#sessions.get(session);
    const had = open?.calls.get(plainId(update.toolCallId) ?? '');
    const call = this.#update(session, update, at);
    if (!call) return [];
    if (call.status === 'completed') return this.#end(session, call.id, 'done', at);
    if (call.status === 'failed') return this.#end(session, call.id, 'failed', at);
    return open?.ended.has(call.id) ? [] : beginning(session, call, { had, at });
  }

  #update(session: string, update: JsonObject | undefined, at: number): AcpCall | undefined {
    const open = this.#sessions.get(session);
    const id = plainId(update?.toolCallId);
    if (!open || !update || id === undefined) return undefined;
    const call = withUpdate(open.calls.get(id), update, at);
    if (call) open.calls.set(id, call);
    if (open.calls.size > MAX_CALLS) open.calls.delete(open.calls.keys().next().value ?? '');
    return call;
  }

  /** A call ends once. In a session that was loaded, one that was never seen at work ended long ago. */
  #end(session: string, id: string, outcome: Outcome, at: number): Heard[] {
    const open = this.#sessions.get(session);
    const call = open?.calls.get(id);
    if (!open || !call || open.ended.has(id)) return [];
    open.ended.add(id);
    return open.loaded && call.born ? [] : [{ what: 'call', session, at, call, outcome }];
  }

  #open(session: string, params: JsonObject, loading: boolean): void {
    const cwd = textOf(params.cwd);
    if (session === '' || cwd === undefined) return;
    const had = this.#sessions.get(session);
    const [calls, ended] = [had?.calls ?? new Map<string, AcpCall>(), had?.ended ?? new Set<string>()];
    this.#sessions.set(session, { cwd, loading, loaded: loading, calls, ended, words: undefined });
  }

  /** Words come in pieces: they are one as long as nothing else comes between. */
  #speak(session: string, update: JsonObject, at: number): Heard[] {
    const open = this.#sessions.get(session);
    const text = textsOf(Array.isArray(update.content) ? update.content : [update.content]);
    const thought = String(update.sessionUpdate).startsWith('agent_thought');
    if (!open || text === '') return [];
    const heard = open.words && open.words.thought !== thought ? this.#flush(session) : [];
    if (!open.words) open.words = { text, thought, at };
    else if (open.words.text.length < MAX_WORDS) open.words.text += text;
    return heard;
  }

  #flush(session: string): Heard[] {
    const open = this.#sessions.get(session);
    const words = open?.words;
    if (!open || !words) return [];
    open.words = undefined;
    return [{ what: 'said', session, ...words }];
  }
}

function beginning(session: string, call: AcpCall, { had, at }: { had?: AcpCall | undefined; at: number }): Heard[] {
  const news = newsOf(had, call);
  return news.runs || news.paths.length > 0 ? [{ what: 'begins', session, at, call, ...news }] : [];
}

/** The texts of content blocks; pictures and whole files are left out. */
function textsOf(blocks: unknown): string {
  return listOf(blocks)
    .flatMap((block) => textOf(objectOf(block)?.text) ?? [])
    .join('\n');
}

function infoOf(info: JsonObject | undefined): { name?: string; version?: string } {
  const [name, version] = [textOf(info?.name), textOf(info?.version)];
  return { ...(name !== undefined && { name }), ...(version !== undefined && { version }) };
}
