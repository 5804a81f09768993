import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Part } from '../tagged.ts';
import type { Step } from '../tale.ts';
import { callOf } from './classic-calls.ts';
import { askedIn, resultsIn, typedIn } from './classic-text.ts';
import { timesOf } from './classic-times.ts';
import { taskFolders } from './locate.ts';
import { modelId } from './model.ts';

/** A task of the editor's extension, or of the first CLI: one folder of files, of which this one has what the model was told and said. */
export function decodeTask(file: TranscriptFile): Captured {
  const skipped: Skipped = {};
  const folder = file.path.replace(/[\\/][^\\/]*$/, '');
  const task = plainId(folder.replace(/^.*[\\/]/, '')) ?? '';
  const value = parseJsonFile(file.text());
  if (!Array.isArray(value)) skip(skipped, 'broken file');
  const messages = listOf(value).map((one) => objectOf(one) ?? {});
  const beside = (name: string) => parseJsonFile(file.read(`${folder}/${name}`) ?? '');
  const metadata = objectOf(beside('task_metadata.json')) ?? {};
  const times = timesOf(messages, { ui: beside('ui_messages.json'), task, modified: file.modified });
  const history = file.read(`${folder.replace(/[\\/]tasks[\\/][^\\/]*$/, '')}/state/taskHistory.json`);
  const cwd = folderIn(messages) ?? taskFolders(history).get(task);
  const about = { task, times, cwd, skipped, model: soleModel(metadata) };
  return assemble(
    defined({
      session: messages.length > 0 ? task : '',
      tool: defined({ name: 'cline', version: versionIn(metadata) }),
      cwd,
      startedAt: times[0],
      tokens: tokensOf(messages),
      steps: messages.flatMap((_, i) => stepsOf(messages, i, about)),
      skipped,
    }),
  );
}

/** Cline tells the model where it is. */
function folderIn(messages: readonly JsonObject[]): string | undefined {
  for (const { role, content } of messages) {
    const texts = role === 'user' ? listOf(content).map((block) => textOf(objectOf(block)?.text) ?? '') : [];
    const found = texts
      .map((text) => /^# Current Work\w* Directory \((.+?)\)(?: Files)?$/m.exec(text)?.[1])
      .find(Boolean);
    if (found) return found;
  }
  return undefined;
}

function versionIn(metadata: JsonObject): string | undefined {
  return textOf(objectOf(listOf(metadata.environment_history).at(-1))?.cline_version);
}

/** The model of a task that had one only, for messages that do not say. */
function soleModel(metadata: JsonObject): string | undefined {
  const used = listOf(metadata.model_usage).map((value) => {
    const usage = objectOf(value);
    return modelId(textOf(usage?.model_provider_id), textOf(usage?.model_id));
  });
  return used.every((model) => model === used[0]) ? used[0] : undefined;
}

/** What was cached is one number for what was written and what was read. */
function tokensOf(messages: readonly JsonObject[]): TokenUsage | undefined {
  const all = messages.map(({ metrics }) => objectOf(objectOf(metrics)?.tokens)).filter((one) => one !== undefined);
  const sum = (key: string) => all.reduce((total, tokens) => total + (countOf(tokens[key]) ?? 0), 0);
  return all.length > 0 ? { inputTokens: sum('prompt'), outputTokens: sum('completion') } : undefined;
}

interface About {
  readonly task: string;
  readonly times: readonly number[];
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly skipped: Skipped;
}

function stepsOf(messages: readonly JsonObject[], i: number, about: About): Step[] {
  const { role, content, modelInfo } = messages[i] ?? {};
  const at = about.times[i] ?? 0;
  const id = (part: number | string) => `${about.task}-${i}-${part}`;
  if (role === 'user') return typedIn(content).map((text, k) => ({ kind: 'prompt', id: id(k), at, text }));
  if (role !== 'assistant') {
    skip(about.skipped, 'message of nobody');
    return [];
  }
  const info = objectOf(modelInfo);
  const model = info ? modelId(textOf(info.providerId), textOf(info.modelId)) : about.model;
  const results = resultsIn(objectOf(messages[i + 1])?.content);
  const answered = about.times[i + 1] ?? at;
  return askedIn(content).map((part, k): Step => {
    if ('text' in part) return defined({ kind: part.kind, id: id(k), at, text: part.text, model });
    const call = defined({ id: part.id ?? id(k), at, name: part.name, input: part.input, cwd: about.cwd, model });
    const text = resultFor(part, results);
    return callOf(call, text === undefined ? undefined : { at: answered, text });
  });
}

type AskedCall = Extract<Part, { name: string }>;

/** By its id where there is one; else the first of its name that is left. */
function resultFor({ id, name }: AskedCall, results: ReturnType<typeof resultsIn>): string | undefined {
  const at = results.findIndex((result) => (result.id === undefined ? result.name === name : result.id === id));
  return at < 0 ? undefined : results.splice(at, 1)[0]?.text;
}
