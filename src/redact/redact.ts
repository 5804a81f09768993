import type { AgentLogDocument, Redaction } from '../agentlog/document.ts';
import { isObject } from '../json.ts';
import type { Category } from './rule.ts';
import { mark, replaceKnown } from './secrets.ts';
import { emptied, speaksOfMcp, VARIABLES, walkVariables } from './variables.ts';

/** The scanner has a price per document, so that many small texts are put into one; between them what no secret contains. */
const BATCH = 256 * 1024;
const BETWEEN = '\n\u001e\n';

export async function redactText(text: string): Promise<string> {
  const [redacted] = await redactTexts([text]);
  return redacted ?? '';
}

/** Tells of each of these texts what is left of it. Each is looked at once: a command stands beside every file that it changed. */
export async function redactEach(texts: Iterable<string>): Promise<(text: string) => string> {
  const distinct = [...new Set(texts)];
  const redacted = await redactTexts(distinct);
  const byText = new Map(distinct.map((text, i) => [text, redacted[i] ?? '']));
  return (text) => byText.get(text) ?? '';
}

/** Taking a secret out may bare another that it was joined to, so that changed texts are looked at again; honest ones need two rounds. */
const MAX_ROUNDS = 20;

/** Texts with their secrets replaced by `[REDACTED:category]`. Doing it again changes nothing. */
export async function redactTexts(texts: readonly string[]): Promise<string[]> {
  const out = [...texts];
  let due = out.map((_, i) => i);
  for (let round = 0; due.length > 0 && round < MAX_ROUNDS; round++) {
    const before = due.map((i) => out[i] ?? '');
    const after: string[] = [];
    for (const batch of batches(before.map(replaceKnown))) after.push(...(await scan(batch)));
    due.forEach((i, k) => {
      out[i] = after[k] ?? '';
    });
    due = due.filter((_, k) => after[k] !== before[k]);
  }
  return out;
}

function* batches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length > 0 && length + text.length > BATCH) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length > 0) yield batch;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly category: Category;
}

async function scan(texts: readonly string[]): Promise<readonly string[]> {
  const found = await findSecrets(texts.join(BETWEEN));
  if (found.length === 0) return texts;
  let start = 0;
  return texts.map((text) => {
    const [from, to] = [start, start + text.length];
    start = to + BETWEEN.length;
    return takeOut(
      text,
      found.flatMap((at) =>
        at.start < to && at.end > from ? [{ ...at, start: at.start - from, end: at.end - from }] : [],
      ),
    );
  });
}

/** From the end, so that the places before stay true; of two that overlap the later one is cut short. */
function takeOut(text: string, found: readonly Found[]): string {
  let out = text;
  let limit = text.length;
  for (const { start, end, category } of [...found].sort((a, b) => b.start - a.start || b.end - a.end)) {
    const [from, to] = [Math.max(start, 0), Math.min(end, limit)];
    if (from >= to || out.slice(from, to).includes('[REDACTED:')) continue;
    out = out.slice(0, from) + mark(category) + out.slice(to);
    limit = from;
  }
  return out;
}

const PASSWORDS = /basicauth|connection-string/;

async function findSecrets(content: string): Promise<Found[]> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // it keeps every mark, and for each new one looks through all of them: after some hundred texts that takes longer than the looking
  secretLintProfiler.mark = () => {};
  const { messages } = await lintSource({
    source: { content, filePath: 'session.txt', ext: '.txt', contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: [{ id: creator.meta.id, rule: creator }] } },
  });
  return messages.flatMap(({ type, range: [start, end], ruleId }) =>
    type === 'message' && !/x{12}/.test(content.slice(start, end))
      ? [{ start, end, category: PASSWORDS.test(ruleId) ? ('password' as const) : ('api_key' as const) }]
      : [],
  );
}

/** What the format itself says; a secret cannot stand there, and a change would break it. */
const FIXED = new Set([
  'specVersion',
  'id',
  'type',
  'status',
  'role',
  'timestamp',
  'startTime',
  'endTime',
  'parentId',
  'sha',
  'redactions',
]);
/** Objects whose keys are anybody's. */
const FREE = new Set(['input', 'properties']);

/** The document with its secrets taken out, and `redactions` saying how many there are. */
export async function redactDocument(document: AgentLogDocument): Promise<AgentLogDocument> {
  const texts: string[] = [];
  walk(document, TOP, (text) => {
    texts.push(text);
    return text;
  });
  const redacted = (await redactTexts(texts)).values();
  const clean = walk(document, TOP, (text) => redacted.next().value ?? text) as AgentLogDocument;
  const others = (document.redactions ?? []).filter((redaction) => redaction.redactedBy !== US);
  const redactions = [...others, ...countMarks(clean)];
  return redactions.length > 0 ? { ...clean, redactions } : clean;
}

const US = 'git-agent-blame';

/** Where in a document a value stands. */
interface Spot {
  /** In an object whose keys are anybody's. */
  readonly free: boolean;
  /** In what is said of a server of the Model Context Protocol. */
  readonly mcp: boolean;
}

const TOP: Spot = { free: false, mcp: false };

/** The same tree with every text but the fixed ones changed; visits in the same order each time. */
function walk(value: unknown, { free, mcp }: Spot, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, { free, mcp: mcp || speaksOfMcp('', item) }, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (!free && FIXED.has(key)) return [key, inner];
      if (free && VARIABLES.test(key)) return [key, mcp ? emptied(inner) : walkVariables(key, inner, change)];
      return [key, walk(inner, { free: free || FREE.has(key), mcp: mcp || speaksOfMcp(key, inner) }, change)];
    }),
  );
}

/** Counted in what is stored, so that the number does not depend on how often it was redacted. */
function countMarks(document: AgentLogDocument): Redaction[] {
  const counts = new Map<string, number>();
  walk(document, TOP, (text) => {
    for (const [, category = ''] of text.matchAll(/\[REDACTED:([a-z_]{1,30})\]/g))
      counts.set(category, (counts.get(category) ?? 0) + 1);
    return text;
  });
  return [...counts].sort().map(([category, count]) => ({ category, count, redactedBy: US }));
}
