import type { AgentLogDocument, AgentLogEvent } from '../agentlog/document.ts';

/** What can be found: what was asked, what was answered, and what was run. */
export type HitKind = 'prompt' | 'message' | 'command';

/** One step of a conversation that has all the words. */
export interface Hit {
  readonly session: string;
  readonly agent: string;
  readonly model: string | null;
  readonly event: string;
  readonly time: string;
  readonly kind: HitKind;
  readonly excerpt: string;
  /** Of a session that somebody has shared. */
  readonly shared?: true;
}

export interface SearchQuestion {
  /** As typed: words with blanks between them; all of them have to be there. */
  readonly words: string;
  /** At most so many. */
  readonly most: number;
  /** Ids of sessions that are only shared. */
  readonly shared?: ReadonlySet<string>;
}

export interface Found {
  /** Latest first. */
  readonly hits: readonly Hit[];
  /** All there are. */
  readonly total: number;
}

/** More words than this nobody types; longer texts are searched at their beginning only. */
const MOST_WORDS = 16;
const MOST_CHARACTERS = 200_000;

/** Capitals do not count. No words find nothing. */
export function searchConversations(
  documents: readonly AgentLogDocument[],
  { words, most, shared }: SearchQuestion,
): Found {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  if (wanted.length === 0) return { hits: [], total: 0 };
  const hits = documents.flatMap((document) =>
    document.events.flatMap((event) => {
      const hit = hitIn(document, event, wanted);
      return hit ? [shared?.has(hit.session) ? { ...hit, shared: true as const } : hit] : [];
    }),
  );
  const latest = (a: Hit, b: Hit) =>
    (Date.parse(b.time) || 0) - (Date.parse(a.time) || 0) || (a.event < b.event ? -1 : 1);
  return { hits: hits.sort(latest).slice(0, most), total: hits.length };
}

function hitIn(document: AgentLogDocument, event: AgentLogEvent, wanted: readonly string[]): Hit | undefined {
  const said = saidIn(event);
  if (!said) return undefined;
  const text = said.text.slice(0, MOST_CHARACTERS);
  const low = text.toLowerCase();
  const places = wanted.map((word) => low.indexOf(word));
  if (places.includes(-1)) return undefined;
  const { id, agent } = document;
  return {
    session: id,
    agent: agent.name,
    model: agent.model ?? null,
    event: event.id,
    time: event.timestamp,
    kind: said.kind,
    excerpt: excerptOf(text, Math.min(...places)),
  };
}

function saidIn(event: AgentLogEvent): { readonly kind: HitKind; readonly text: string } | undefined {
  if (event.type === 'message') return { kind: event.role === 'user' ? 'prompt' : 'message', text: event.content };
  if (event.type === 'terminalCommand') return { kind: 'command', text: event.command };
  return undefined;
}

const BEFORE = 80;
const AFTER = 320;

/** The words around the first that was found, in one line. */
function excerptOf(text: string, at: number): string {
  const [start, end] = [Math.max(0, at - BEFORE), at + AFTER];
  const piece = text
    .slice(start, end)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\p{Surrogate}/gu, '');
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`;
}
