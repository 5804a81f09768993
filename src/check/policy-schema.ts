import { MAX_PATTERN } from '../report/glob.ts';
import { LEVELS } from './field.ts';

const DATE = '^\\d{4}-(0[1-9]|1[012])-(0[1-9]|[12]\\d|3[01])';
const TIME = '[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

const level = (description: string) => ({ enum: [...LEVELS], default: 'off', description });
const share = (description: string) => ({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  default: null,
  description,
});
const patterns = (description: string) => ({
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', minLength: 1, maxLength: MAX_PATTERN },
  description,
});

/**
 * What editors check `.agent-policy.json` with. It cannot see keys that are there twice, errors inside patterns and days that a month
 * does not have: the parser does.
 */
export const POLICY_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://git-agent-blame.dev/schema/policy-1.json',
  title: 'Policy of git-agent-blame: .agent-policy.json',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    requireAttribution: level('Every commit that adds lines has a record that says who wrote them.'),
    requireConversation: level('Lines written by agents name the conversation they come from.'),
    requireSeal: level('Every record has a valid seal.'),
    maxAiShare: share(
      'Most that agents may have written of the lines whose author is known: 0.5 is half. Blocks if set.',
    ),
    maxUnknownShare: share('Most of the added lines that may be unknown: 0.2 is a fifth. Blocks if set.'),
    allowTools: patterns('Agents that may write, by name; * stands for anything. Blocks if set.'),
    allowModels: patterns('Models that may write, as provider/model; * stands for anything. Blocks if set.'),
    exclude: patterns('Files that are not counted: *.md, dist/**, {a,b}/[!c]*.ts.'),
    since: {
      type: ['string', 'null'],
      pattern: `${DATE}(${TIME})?$`,
      default: null,
      description: "Commits whose author's date is before are not judged: 2026-01-31, in UTC.",
    },
    exemptAuthors: patterns(
      'Authors whose commits are not judged: an address, or Name <address>; * stands for anything.',
    ),
  },
} as const;
