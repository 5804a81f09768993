import { grouped, howMany } from '../report/figures.ts';
import {
  eventsOf,
  hasOutput,
  hasPrompt,
  hasTime,
  isOverseen,
  oldestDay,
  type Part,
  partOf,
  referredWith,
  sumOf,
  tracedLines,
} from './figures.ts';
import { type Material, SEAL_STATES } from './material.ts';

/** `no data`: there is nothing in scope that could be so or not. */
export type State = 'met' | 'partly' | 'not met' | 'no data';

/** One of the eleven categories of requirements of draft-birkholz-verifiable-agent-conversations, and what this repository has to it. */
export interface Category {
  readonly number: number;
  readonly name: string;
  /** In the draft's words. */
  readonly asks: string;
  readonly state: State;
  readonly part: number | null;
  readonly whole: number | null;
  /** The figure, in words. */
  readonly figure: string;
}

/** All of it is met, none of it is not; what lies between is partly. */
export function stateOf({ part, whole }: Part): State {
  if (whole === 0) return 'no data';
  return part === whole ? 'met' : part === 0 ? 'not met' : 'partly';
}

interface Answer extends Part {
  readonly figure: string;
  /** Where not the part alone decides. */
  readonly state?: State;
}

interface Question {
  readonly name: string;
  readonly asks: string;
  answer(material: Material): Answer;
}

const ofAll = ({ part, whole }: Part, thing: string) => `${grouped(part)} of ${howMany(whole, thing)}`;

const QUESTIONS: readonly Question[] = [
  {
    name: 'automatic recording',
    asks: 'automatic, system-generated logging of events without reliance on manual recording',
    answer({ report: { scope, unrecorded }, capture }) {
      const whole = scope.kind === 'added' ? scope.commits : unrecorded.length;
      const part = { part: whole - unrecorded.length, whole };
      const since = capture
        ? `captured since ${capture.since}: ${capture.agents.join(', ') || 'no agent'}`
        : 'no capture here';
      return { ...part, figure: `${ofAll(part, 'commit')} with a record; ${since}` };
    },
  },
  {
    name: 'timestamps',
    asks: 'precise temporal information for each logged event',
    answer(material) {
      const part = sumOf(partOf(eventsOf(material), hasTime), partOf(material.records, hasTime));
      return { ...part, figure: `${ofAll(part, 'event')} and records with a readable time` };
    },
  },
  {
    name: 'actors',
    asks: 'attribution of actions to identifiable actors (human or system)',
    answer({ report: { counts } }) {
      const part = { part: counts.total - counts.unknown, whole: counts.total };
      const kinds = `ai ${grouped(counts.ai)}, mixed ${grouped(counts.mixed)}, human ${grouped(counts.human)}`;
      return { ...part, figure: `${ofAll(part, 'added line')} with a known author (${kinds})` };
    },
  },
  {
    name: 'actions',
    asks: 'recording of what action or event occurred',
    answer(material) {
      const events = eventsOf(material);
      const part = partOf(events, ({ type }) => type !== 'opaque');
      const kinds = new Set(events.map(({ type }) => type)).size;
      return { ...part, figure: `${ofAll(part, 'event')} of a known type, ${howMany(kinds, 'type')}` };
    },
  },
  {
    name: 'inputs and outputs',
    asks: 'recording of inputs (prompts) and outputs (responses)',
    answer(material) {
      const part = referredWith(material, (document) => hasPrompt(document) && hasOutput(document));
      return { ...part, figure: `${ofAll(part, 'session')} behind the records with prompts and answers` };
    },
  },
  {
    name: 'retention',
    asks: 'minimum retention periods for audit logs',
    answer(material) {
      const { period, isYear } = material.retention;
      const part = referredWith(material, () => true);
      const oldest = oldestDay(material);
      const since = oldest === undefined ? '' : `; the oldest is of ${oldest}`;
      const kept = `agent.retention is ${period}, the draft recommends at least 12 months`;
      const state = isYear ? (part.part < part.whole ? 'partly' : 'met') : 'not met';
      return { ...part, state, figure: `${kept}; ${ofAll(part, 'session')} behind the records kept here${since}` };
    },
  },
  {
    name: 'integrity',
    asks: 'protection against unauthorized modification of logs',
    answer({ seals }) {
      const { sealed, refused, altered, unsealed, gone, elsewhere, overruled } = seals;
      const part = { part: sealed, whole: SEAL_STATES.reduce((sum, state) => sum + seals[state], 0) };
      const lost = `gone ${grouped(gone)}, of another commit ${grouped(elsewhere)}, overruled ${grouped(overruled)}`;
      const others = `unsealed ${grouped(unsealed)}, refused ${grouped(refused)}, altered ${grouped(altered)}, ${lost}`;
      return { ...part, figure: `${ofAll(part, 'record')} sealed by an allowed signer (${others})` };
    },
  },
  {
    name: 'incidents',
    asks: 'logs to support incident investigation and response',
    answer(material) {
      const part = partOf(eventsOf(material), (event) => hasTime(event) && event.id !== '');
      const sessions = howMany(material.documents.length, 'session');
      return {
        ...part,
        figure: `${ofAll(part, 'event')} of ${sessions} can be found by time and id (git agent sessions)`,
      };
    },
  },
  {
    name: 'anomalies',
    asks: 'logs to enable detection of anomalous or risky behavior',
    answer({ edits, divergence }) {
      const part = { part: edits.seen, whole: edits.all };
      const facts = howMany(divergence.length, 'fact');
      const shown = `told by a hook or a snapshot, ${grouped(edits.shown)} of these shown by a snapshot or a commit`;
      return { ...part, figure: `${ofAll(part, 'edit')} ${shown}; ${facts} of divergence` };
    },
  },
  {
    name: 'oversight',
    asks: 'logs to support human review and oversight',
    answer(material) {
      const { documents, approvals } = material;
      const part = partOf(documents, isOverseen);
      const reasoning = partOf(eventsOf(material), ({ type }) => type === 'reasoning').part;
      const decisions = approvals.filter(({ kind, by }) => kind === 'decision' && by === 'user').length;
      const reviews = approvals.filter(({ kind }) => kind === 'trailer').length;
      const alone = documents.filter((document) => hasPrompt(document) && !isOverseen(document)).length;
      const counts = `decisions ${grouped(decisions)}, reasoning ${grouped(reasoning)}, reviews in commits ${grouped(reviews)}`;
      const prompts = alone === 0 ? '' : `; in ${grouped(alone)} a person's prompts alone`;
      return {
        ...part,
        figure: `${ofAll(part, 'session')} with reasoning or a person's decision (${counts})${prompts}`,
      };
    },
  },
  {
    name: 'traceability',
    asks: 'ability to trace system behavior and reconstruct events',
    answer(material) {
      const { all, named, readable } = tracedLines(material);
      const part = { part: readable, whole: all };
      return {
        ...part,
        figure: `${ofAll(part, "agents' line")} lead to a step that is kept here; ${grouped(named)} name one`,
      };
    },
  },
];

/** The table: what the draft asks for, and what is there, by which figure. */
export function categoriesOf(material: Material): Category[] {
  return QUESTIONS.map(({ name, asks, answer }, i) => {
    const { part, whole, figure, state } = answer(material);
    return { number: i + 1, name, asks, state: state ?? stateOf({ part, whole }), part, whole, figure };
  });
}
