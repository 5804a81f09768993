import { isObject, type JsonObject, parseJson } from '../json.ts';
import { unknown } from '../lines/origin.ts';
import type { LineRange } from '../lines/range.ts';
import { isLine, ownPart } from '../trace/own.ts';
import { repoPath } from '../trace/path.ts';
import { OWN_KEY, type TraceRecord } from '../trace/record.ts';
import { type Claim, type ImportContext, type Imported, recordsOf } from './claim.ts';
import { modelIdOf, toolNameOf } from './tool-names.ts';

/**
 * A note of agentblame in `refs/notes/agentblame`: one JSON object, version 1 with names_like_this and version 2 with namesLikeThis.
 * Lines that it does not list are not known.
 */
export interface AgentblameNote {
  readonly version: number;
  readonly attributions: readonly AgentblameAttribution[];
  /** Attributions that make no sense: their places in the list. */
  readonly broken: readonly number[];
}

export interface AgentblameAttribution extends LineRange {
  readonly path: string;
  /** `ai_generated` is the one that is met. */
  readonly category: string;
  readonly provider?: string;
  readonly model?: string;
}

export type ParsedAgentblame =
  | { readonly kind: 'note'; readonly note: AgentblameNote }
  | { readonly kind: 'foreign'; readonly problem: string };

const MAX_NOTE = 64 * 1024 * 1024;
const MAX_PARTS = 200_000;

export function parseAgentblameNote(text: string): ParsedAgentblame {
  const json = parseJson(text, MAX_NOTE);
  return 'problem' in json ? { kind: 'foreign', problem: json.problem } : agentblameIn(json.value);
}

export function agentblameIn(value: unknown): ParsedAgentblame {
  const foreign = (problem: string): ParsedAgentblame => ({ kind: 'foreign', problem });
  if (!isObject(value)) return foreign('not an object');
  if (value.version !== 1 && value.version !== 2) return foreign('of a version other than 1 and 2');
  if (!Array.isArray(value.attributions)) return foreign('no attributions');
  const parsed = value.attributions.map((one, i) => (i < MAX_PARTS ? parseAttribution(one) : undefined));
  const attributions = parsed.filter((one) => one !== undefined);
  const broken = parsed.flatMap((one, i) => (one ? [] : [i]));
  return { kind: 'note', note: { version: value.version, attributions, broken } };
}

function parseAttribution(value: unknown): AgentblameAttribution | undefined {
  if (!isObject(value) || typeof value.path !== 'string') return undefined;
  const path = repoPath(value.path, false);
  const start = value.startLine ?? value.start_line;
  const end = value.endLine ?? value.end_line;
  if (path === undefined || !isLine(start) || !isLine(end) || start > end) return undefined;
  const category = typeof value.category === 'string' ? value.category : '';
  return { path, start, end, category, ...textField(value, 'provider'), ...textField(value, 'model') };
}

function textField<K extends string>(value: JsonObject, key: K): { readonly [P in K]?: string } {
  const text = value[key];
  return (typeof text === 'string' && text !== '' ? { [key]: text } : {}) as { readonly [P in K]?: string };
}

/** The note's lines as records of ours: its word, whatever confidence it gives itself. */
export function importAgentblame(note: AgentblameNote, context: ImportContext): Imported {
  const claims = note.attributions.map((one): Claim => {
    const { path, start, end } = one;
    return { path, start, end, origin: originOf(one, context) };
  });
  const { records, skipped } = recordsOf(claims, context, 'agentblame');
  const named = namedIn(note, context);
  return { records: records.map((record) => withModels(record, named)), skipped: skipped + note.broken.length };
}

/** Longer names are no model's; nobody names more in one commit. */
const MAX_MODEL = 250;
const MAX_NAMED = 10_000;

/** By path: attributions to an agent by a name of its model that is no id, such as `Claude Sonnet 4`. */
function namedIn({ attributions }: AgentblameNote, { modelOf }: ImportContext): Named {
  const isName = ({ provider, model, category }: AgentblameAttribution) =>
    model !== undefined && isAgents(category) && modelIdOf(toolNameOf(provider), model, modelOf) !== model;
  const named = new Map<string, AgentblameAttribution[]>();
  for (const one of attributions.filter(isName).slice(0, MAX_NAMED)) {
    const same = named.get(one.path);
    if (same) same.push(one);
    else named.set(one.path, [one]);
  }
  return named;
}

type Named = ReadonlyMap<string, readonly AgentblameAttribution[]>;

/** Agent Trace has no place for a model that models.dev does not have: what the note calls it is kept in our metadata. */
function withModels(record: TraceRecord, named: Named): TraceRecord {
  const models = record.files.flatMap(({ path }) => {
    const mine = named.get(path)?.filter(({ provider }) => toolNameOf(provider) === record.tool?.name) ?? [];
    const told = mine.map(({ start, end, model }) => ({ start, end, model: model?.slice(0, MAX_MODEL) }));
    return told.length > 0 ? [[path, told] as const] : [];
  });
  if (models.length === 0) return record;
  const own = { ...ownPart(record.metadata), agentblame: { models: Object.fromEntries(models) } };
  return { ...record, metadata: { ...record.metadata, [OWN_KEY]: own } };
}

// agentblame 1 and 2 write ai_generated alone; another word may mean anything
function isAgents(category: string): boolean {
  return /^ai[_-]?generated$/i.test(category);
}

function originOf({ category, provider, model }: AgentblameAttribution, context: ImportContext): Claim['origin'] {
  if (!isAgents(category)) return unknown('agentblame gives it a category that is not known');
  const tool = toolNameOf(provider);
  const id = modelIdOf(tool, model, context.modelOf);
  return {
    type: 'ai',
    evidence: 'declared',
    agent: { session: '', event: '', tool: { name: tool }, ...(id ? { model: id } : {}) },
    reason: 'imported from agentblame',
  };
}
