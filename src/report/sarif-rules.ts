export type RuleId = 'ai-lines' | 'mixed-lines' | 'unknown-lines';

interface Rule {
  readonly id: RuleId;
  readonly name: string;
  readonly short: string;
  readonly full: string;
  readonly help: string;
  readonly level: 'note' | 'warning';
}

const SHOW = 'The command `git agent show FILE:LINE` prints the conversation behind a line.';

const TEXTS: readonly Rule[] = [
  {
    id: 'ai-lines',
    name: 'AiLines',
    short: 'Lines written by an agent',
    full: 'An agent wrote these lines. The message names the tool, the model and the session, and how it is known.',
    help: `An agent wrote these lines: that is a fact to know in a review, not a fault. ${SHOW}`,
    level: 'note',
  },
  {
    id: 'mixed-lines',
    name: 'MixedLines',
    short: 'Lines written by an agent and a person',
    full: 'An agent wrote these lines and a person changed them, or the other way round.',
    help: `An agent and a person wrote these lines together: that is a fact to know in a review, not a fault. ${SHOW}`,
    level: 'note',
  },
  {
    id: 'unknown-lines',
    name: 'UnknownLines',
    short: 'Lines of unknown origin',
    full: 'No record says who wrote these lines, or what is recorded does not prove it. The message says why.',
    help:
      'Nobody knows who wrote these lines. Whoever made the commit can send its records with `git agent push`, make them from ' +
      'conversations that are still on their machine with `git agent backfill`, or state who wrote the lines with `git agent declare`.',
    level: 'warning',
  },
];

/** As SARIF's `reportingDescriptor`. */
export const RULES = TEXTS.map(({ id, name, short, full, help, level }) => ({
  id,
  name,
  shortDescription: { text: short },
  fullDescription: { text: full },
  help: { text: help.replaceAll('`', ''), markdown: help },
  defaultConfiguration: { level },
  properties: { tags: ['attribution'] },
}));
