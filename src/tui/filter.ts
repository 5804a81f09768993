import type { AnnotatedLine } from '../blame/annotate.ts';
import { MARKERS, shortModel, who } from '../blame/text.ts';
import type { ContributorType } from '../lines/origin.ts';

/** Only lines of one kind, one model, one session or one person are shown. */
export interface Filter {
  readonly by: 'kind' | 'model' | 'session' | 'author';
  readonly value: string;
  readonly label: string;
}

/** A line of the chooser; without a filter: all lines. */
export interface Choice {
  readonly filter: Filter | undefined;
  readonly count: number;
}

/** What the lines can be told apart by, the most frequent first. */
export function choicesOf(lines: readonly AnnotatedLine[]): Choice[] {
  const found = new Map<string, { filter: Filter; count: number }>();
  for (const line of lines) {
    for (const filter of filtersOf(line)) {
      const key = `${filter.by} ${filter.value}`;
      const known = found.get(key) ?? { filter, count: 0 };
      known.count++;
      found.set(key, known);
    }
  }
  const some = (by: Filter['by']) =>
    [...found.values()].filter(({ filter }) => filter.by === by).sort((a, b) => b.count - a.count);
  return [
    { filter: undefined, count: lines.length },
    ...(['kind', 'model', 'session', 'author'] as const).flatMap(some),
  ];
}

function filtersOf(line: AnnotatedLine): Filter[] {
  const { origin } = line;
  const { agent } = origin;
  const filters: Filter[] = [
    { by: 'kind', value: origin.type, label: `${MARKERS[origin.type as ContributorType]} ${origin.type}` },
  ];
  if (agent?.model) filters.push({ by: 'model', value: agent.model, label: shortModel(agent.model) });
  if (agent?.session)
    filters.push({ by: 'session', value: agent.session, label: `${agent.session} (${agent.tool.name})` });
  if (origin.type === 'human') filters.push({ by: 'author', value: authorOf(line), label: who(line, false) });
  return filters;
}

function authorOf({ blamed }: AnnotatedLine): string {
  return `${blamed.author} <${blamed.authorMail}>`;
}

export function passes(line: AnnotatedLine, filter: Filter | undefined): boolean {
  if (!filter) return true;
  const { origin } = line;
  switch (filter.by) {
    case 'kind':
      return origin.type === filter.value;
    case 'model':
      return origin.agent?.model === filter.value;
    case 'session':
      return origin.agent?.session === filter.value;
    case 'author':
      return origin.type === 'human' && authorOf(line) === filter.value;
  }
}
