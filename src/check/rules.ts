/** What a rule asks for, in words for a person and for a machine's list of rules. */
export interface Rule {
  readonly id: string;
  /** Heads its findings. */
  readonly title: string;
  readonly help: string;
  /** What to do about them. */
  readonly next: readonly NextStep[];
}

export interface NextStep {
  /** Undefined where no command does it. */
  readonly command?: string;
  readonly does: string;
}

const BACKFILL: NextStep = {
  command: 'git agent backfill COMMIT',
  does: "looks for the session in the agents' own transcripts on this machine",
};
const JOIN: NextStep = { command: 'git agent join COMMIT', does: 'joins the recorded sessions to the commit again' };
const DECLARE_HUMAN: NextStep = { command: 'git agent declare COMMIT --human', does: 'if a person wrote it' };
const DECLARE_AGENT: NextStep = {
  command: 'git agent declare COMMIT --tool NAME --model ID',
  does: 'if an agent wrote it and its session is gone',
};
const FETCH: NextStep = { command: 'git agent fetch', does: 'if somebody else has the records' };

/** In the order in which findings are shown, what may be the cause of others first. Those of the policy are called as their key in it. */
export const RULES = [
  {
    id: 'unreadableNotes',
    title: 'Some notes could not be read',
    help: 'Notes that are too large, damaged or not here could not be looked at.',
    next: [
      { command: 'git agent doctor', does: 'says what is wrong with them' },
      { command: 'git agent fetch', does: 'fetches those of a remote' },
    ],
  },
  {
    id: 'takenNotes',
    title: 'Notes would be lost',
    help: 'Notes are only ever added to: a push must not delete or set back a ref of notes.',
    next: [{ command: 'git agent push', does: 'unites your notes with those that are there' }],
  },
  {
    id: 'requireAttribution',
    title: 'No record says who wrote the lines of this commit',
    help: 'Every commit that adds lines needs a record that says who wrote them.',
    next: [BACKFILL, DECLARE_HUMAN, DECLARE_AGENT, FETCH],
  },
  {
    id: 'maxUnknownShare',
    title: 'Too many added lines are unknown',
    help: 'The share of added lines of which nobody knows who wrote them is limited.',
    next: [JOIN, BACKFILL, DECLARE_HUMAN],
  },
  {
    id: 'maxAiShare',
    title: 'Agents wrote too many of the added lines',
    help: 'The share of agents in the added lines whose author is known is limited.',
    next: [{ does: 'put fewer of them into one push, or ask for an exception' }],
  },
  {
    id: 'allowTools',
    title: 'An agent wrote lines that the policy does not allow',
    help: 'Only the agents in allowTools may write.',
    next: [{ does: 'write the lines anew, or have the agent added to allowTools' }],
  },
  {
    id: 'allowModels',
    title: 'A model wrote lines that the policy does not allow',
    help: 'Only the models in allowModels may write; a model that is not known is allowed by * alone.',
    next: [
      { does: 'write the lines anew, or have the model added to allowModels' },
      { command: 'git agent backfill COMMIT', does: 'if the model is not known: a transcript may name it' },
    ],
  },
  {
    id: 'requireConversation',
    title: 'Lines of agents name no conversation',
    help: 'Lines written by agents have to name the conversation they come from.',
    next: [JOIN, BACKFILL],
  },
  {
    id: 'requireSeal',
    title: 'A record has no valid seal',
    help: 'Every record needs a seal by a key that is trusted here.',
    next: [
      { command: 'git agent seal COMMIT', does: 'seals the records with your signing key' },
      { command: 'git agent verify COMMIT', does: 'says what is wrong with a seal' },
    ],
  },
  {
    id: 'unreadableCommits',
    title: 'Some commits could not be looked into',
    help: 'Commits whose contents are not here cannot be judged.',
    next: [{ command: 'git fetch --refetch --no-filter', does: 'fetches what a partial clone lacks' }],
  },
  {
    id: 'brokenPolicy',
    title: 'The policy cannot be read',
    help: 'Nothing passes until .agent-policy.json is mended.',
    next: [{ command: 'git agent check --schema', does: 'prints what a policy may say' }],
  },
] as const satisfies readonly Rule[];

export type RuleId = (typeof RULES)[number]['id'];

export function ruleOf(id: RuleId): Rule {
  const [first] = RULES;
  return RULES.find((rule) => rule.id === id) ?? first;
}

const BY_RECORDS: ReadonlySet<RuleId> = new Set([
  'requireAttribution',
  'maxUnknownShare',
  'requireConversation',
  'requireSeal',
]);

/** What a person does about it makes records or seals, which others have to get. */
export function asksForRecords(id: RuleId): boolean {
  return BY_RECORDS.has(id);
}

export function rankOf(id: RuleId): number {
  return RULES.findIndex((rule) => rule.id === id);
}
