import { EVIDENCE } from '../lines/origin.ts';
import { DIMENSIONS } from './report.ts';
import { KINDS, VIAS } from './tally.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Exactly these fields, each of them. */
function record(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  const required = Object.keys(properties);
  return { type: 'object', ...(description ? { description } : {}), properties, required, additionalProperties: false };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const string: Schema = { type: 'string' };
const stringOrNull: Schema = { type: ['string', 'null'] };
const orNull = (values: readonly string[]): Schema => ({ enum: [...values, null] });
const count: Schema = { type: 'integer', minimum: 0 };
const number: Schema = { type: 'integer', minimum: 1 };
const fraction: Schema = { type: 'number', minimum: 0, maximum: 1 };
// SHA-1 or SHA-256
const commit: Schema = { type: 'string', pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' };
const evidence: Schema = { ...orNull(EVIDENCE), description: 'How it is known; null where it is not.' };
const via: Schema = { ...orNull(VIAS), description: 'How the record was found; null where there is none.' };

const ofKinds = (schema: Schema) => Object.fromEntries(KINDS.map((kind) => [kind, schema]));
const FIGURES = { counts: ref('counts'), shares: ref('shares') };

const DEFINITIONS = {
  counts: record({ total: count, ...ofKinds(count) }, 'Lines of each kind; the kinds add up to the total.'),
  shares: record(ofKinds(fraction), 'The counts as fractions of the total; of no lines all are 0.'),
  groups: listOf(record({ key: string, ...FIGURES }, 'Lines that have the key in common. Each line is in one group.')),
  added: record(
    { kind: { const: 'added' }, range: string, commits: count },
    'Lines that the commits of a range added, numbered as in the file that the commit left.',
  ),
  standing: record(
    { kind: { const: 'standing' }, revision: string, files: count },
    'Lines that stand at a revision, numbered as in the file there.',
  ),
  tool: record({ name: string, version: stringOrNull }),
  run: record(
    {
      start: number,
      end: number,
      commit: { anyOf: [commit, { type: 'null' }], description: 'Null for lines that are not committed.' },
      type: { enum: [...KINDS] },
      evidence,
      via,
      reason: { ...stringOrNull, description: 'Why it is unknown.' },
      model: { ...stringOrNull, description: 'provider/model, as models.dev names it; null where it is not known.' },
      tool: { anyOf: [ref('tool'), { type: 'null' }] },
      session: stringOrNull,
      event: stringOrNull,
      conversation: stringOrNull,
      trace: { ...stringOrNull, description: 'Id of the record.' },
    },
    'Lines, first and last included, that one commit added by one hand.',
  ),
  file: record({ path: string, ...FIGURES, runs: listOf(ref('run')) }),
  excluded: record({ path: string, why: { enum: ['generated', 'lock file', 'binary', 'policy'] }, lines: count }),
};

/** JSON Schema of what `git agent report --format json` prints. */
export const REPORT_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'git-agent-blame/report@1',
  description: 'Who wrote the lines of a range of commits, or those that stand at a revision.',
  ...record({
    schema: { const: 'git-agent-blame/report@1' },
    scope: { oneOf: [ref('added'), ref('standing')] },
    ...FIGURES,
    evidence: listOf(record({ evidence, lines: count, share: fraction })),
    via: listOf(record({ via, lines: count, share: fraction })),
    reasons: { ...listOf(record({ reason: string, lines: count })), description: 'Why lines are unknown, most first.' },
    by: record(Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, ref('groups')]))),
    files: listOf(ref('file')),
    unrecorded: { ...listOf(commit), description: 'Commits that no record speaks of.' },
    excluded: { ...listOf(ref('excluded')), description: 'Files that are not counted.' },
    skipped: { ...count, description: 'Notes and commits that could not be read: too large, damaged or not here.' },
    unread: { ...listOf(string), description: 'Refs of notes that cannot be read, or not all of them.' },
  }),
  $defs: DEFINITIONS,
};
