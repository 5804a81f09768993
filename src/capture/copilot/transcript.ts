import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { defined, plainId } from '../fields.ts';
import type { Captured } from '../session.ts';
import type { Said, Step, Tale } from '../tale.ts';
import { callOf } from './calls.ts';
import { decodeChat } from './chat.ts';
import { type Draft, readEvents, type Stream, sumOf, type Words } from './events.ts';
import { certainModel, type Providers, soleName } from './model.ts';
import { workspaceOf } from './workspace.ts';

/** What a file of the CLI or of VS Code tells. */
export function decodeTranscript(file: TranscriptFile): Captured[] {
  const workspace = workspaceOf(file);
  if (/[\\/](?:chatSessions|emptyWindowChatSessions)[\\/]/.test(file.path)) return decodeChat(file, workspace);
  return decodeEvents(file.lines(), defined({ cwd: workspace?.folder, session: sessionIn(file.path) }));
}

/** `session-state/ID/events.jsonl`, `session-state/ID.jsonl`, `transcripts/ID.jsonl` */
function sessionIn(path: string): string | undefined {
  return plainId(/([^\\/]+?)(?:[\\/]events)?\.jsonl$/.exec(path)?.[1]);
}

/** What the file's place tells. */
interface Place {
  readonly cwd?: string;
  readonly session?: string;
}

/** The session, and each of its sub-agents. */
export function decodeEvents(lines: Iterable<string>, { cwd, session }: Place = {}): Captured[] {
  const stream = readEvents(lines, cwd);
  if (stream.startedAt !== undefined) stream.session ??= session;
  const agents = [...stream.agents.values()].filter(({ calls, words }) => calls.size > 0 || words.length > 0);
  return [mainTale(stream, agents), ...agents.map((agent) => agentTale(stream, agent))].map(assemble);
}

function mainTale(stream: Stream, agents: readonly Draft[]): Tale {
  const { root, session, startedAt, endedAt, ended } = stream;
  const children = agents.flatMap((agent) => agent.session ?? []);
  // the program's own total has those of its sub-agents in it
  const tokens = root.usage.size > 0 ? sumOf([...root.usage.values()]) : stream.total;
  return defined({
    ...placeOf(stream),
    session: session ?? '',
    startedAt,
    endedAt,
    ended: ended || undefined,
    childSessions: children.length > 0 ? children : undefined,
    tokens,
    modelName: nameIn(root),
    steps: stepsOf(root, stream.providers),
    skipped: stream.skipped,
  });
}

function agentTale(stream: Stream, agent: Draft): Tale {
  return defined({
    ...placeOf(stream),
    session: agent.session ?? '',
    parentSession: stream.session,
    tokens: sumOf([...agent.usage.values()]),
    modelName: nameIn(agent),
    steps: stepsOf(agent, stream.providers),
    skipped: {},
  });
}

function placeOf({ version, firstCwd: cwd, branch }: Stream): Pick<Tale, 'tool' | 'cwd' | 'branch'> {
  return defined({ tool: defined({ name: 'copilot', version }), cwd, branch });
}

function stepsOf({ words, calls }: Draft, providers: Providers): Step[] {
  return [
    ...words.map((said) => saidOf(said, providers)),
    ...[...calls.values()].map((call) => callOf(call, certainModel(providers, call.model))),
  ];
}

function nameIn({ words, calls }: Draft): string | undefined {
  return soleName([...words, ...calls.values()].flatMap(({ model }) => model ?? []));
}

function saidOf({ model, ...said }: Words, providers: Providers): Said {
  return defined({ ...said, model: certainModel(providers, model) });
}
