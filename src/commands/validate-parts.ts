import { findStop } from '../check/json-stop.ts';
import { parseJson } from '../json.ts';
import { type JsonMember, type JsonNode, locateJson } from '../json-text.ts';
import type { Problem } from '../shape.ts';
import { lineAt, MAX_TEXT, type Part, partsOf } from './import-parts.ts';
import { textOf } from './import-read.ts';
import type { Source } from './import-source.ts';
import { type FileVerdict, isBroken, type PlacedProblem } from './validate-verdict.ts';

export type Judged = Omit<FileVerdict, 'file' | 'format'>;

/** Nobody reads more. */
export const MAX_PROBLEMS = 10_000;

export function verdict(
  rules: string,
  parts: number,
  { problems = [], remarks = [] }: { problems?: readonly PlacedProblem[]; remarks?: readonly string[] },
): Judged {
  return { rules, parts, conforms: parts > 0 && !problems.some(isBroken), problems, remarks };
}

/** Holds each document of a text against the rules of its format. */
export function judgeParts(source: Source, rules: string, validate: (value: unknown) => readonly Problem[]): Judged {
  const text = textOf(source);
  const parts = partsOf(text);
  const problems: PlacedProblem[] = [];
  let conforms = parts.length > 0;
  for (const part of parts) {
    const json = parseJson(part.raw, MAX_TEXT);
    const found = 'value' in json ? validate(json.value) : [];
    conforms &&= 'value' in json && !found.some(isBroken);
    if (problems.length >= MAX_PROBLEMS) continue;
    if ('problem' in json) problems.push(unread(rules, part));
    else problems.push(...placed(text, part, { found, alone: parts.length === 1 }));
  }
  const remarks = problems.length < MAX_PROBLEMS ? [] : ['There may be more: only the first ones were looked for.'];
  return { ...verdict(rules, parts.length, { problems, remarks }), conforms };
}

/** What is no JSON, and where it stops being that. */
export function unread(rules: string, { raw, line, index }: Part): PlacedProblem {
  const at = { rule: `${rules} form`, path: index === undefined ? '' : `/${index}`, kind: 'shape' } as const;
  const json = parseJson(raw, MAX_TEXT);
  // of what is too deep or too long no place is looked for
  const stop = 'problem' in json && json.problem === 'not JSON' ? findStop(raw) : undefined;
  if (!stop) return { ...at, line, message: `must be JSON: ${'problem' in json ? json.problem : 'on one line'}` };
  const column = stop.at - raw.lastIndexOf('\n', stop.at - 1);
  return { ...at, line: line + lineAt(raw, stop.at) - 1, message: `must be JSON: ${stop.message} (column ${column})` };
}

interface FoundIn {
  readonly found: readonly Problem[];
  /** The file is this one document. */
  readonly alone: boolean;
}

/** In a file of one document the line of the value; else that of the document. */
function placed(text: string, { line, index }: Part, { found, alone }: FoundIn): PlacedProblem[] {
  if (found.length === 0) return [];
  const root = alone && index === undefined ? locateJson(text) : undefined;
  const lines = root && linesAt(text, offsetsIn(root, found));
  return found.map((problem, i) => ({
    ...problem,
    path: index === undefined ? problem.path : `/${index}${problem.path}`,
    line: lines?.[i] ?? line,
  }));
}

/** Where their pointers lead, or as near to it as there is something. */
function offsetsIn(root: JsonNode, found: readonly Problem[]): number[] {
  const known = new Map<JsonNode, ReadonlyMap<string, JsonMember>>();
  // of two with one name the last counts, as it does for JSON.parse
  const membersOf = (node: JsonNode & { kind: 'object' }) => {
    const members = known.get(node) ?? new Map(node.members.map((member) => [member.key, member]));
    known.set(node, members);
    return members;
  };
  return found.map(({ path }) => {
    let [node, at] = [root, root.start];
    for (const step of path.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const member = node.kind === 'object' ? membersOf(node).get(name) : undefined;
      const next = member?.value ?? (node.kind === 'array' ? node.items[Number(name)] : undefined);
      if (!next) break;
      [node, at] = [next, member?.start ?? next.start];
    }
    return at;
  });
}

/** The lines that offsets lie on, counted from 1, in one pass over the text. */
function linesAt(text: string, offsets: readonly number[]): number[] {
  const lines: number[] = [];
  let [line, next] = [1, text.indexOf('\n')];
  for (const i of [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))) {
    for (; next >= 0 && next < (offsets[i] ?? 0); next = text.indexOf('\n', next + 1)) line++;
    lines[i] = line;
  }
  return lines;
}
