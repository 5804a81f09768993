/** What `init` found and did, as far as it decides what comes next. */
export interface Outcome {
  readonly agents: readonly string[];
  /** The user named the agents, or that there are none. */
  readonly named: boolean;
  readonly changed: boolean;
  readonly dry: boolean;
  /** Commits stand there from before capture began. */
  readonly older: boolean;
}

/** The one line that a newcomer goes on with. */
export function nextStep({ agents, named, changed, dry, older }: Outcome): string {
  if (dry && changed) return 'Next: the same without --dry-run makes these changes.';
  if (agents.length === 0 && !named)
    return 'Next: git agent init --agents NAME, with the agent that you use: until then lines stay unknown.';
  if (!changed) return 'Next: git agent status tells what is recorded, git agent doctor checks every part.';
  const before = older ? 'git agent backfill --dry-run looks for who wrote the commits before. ' : '';
  return `Next: work and commit as always, then git agent-blame FILE. ${before}git agent doctor checks, git agent deinit takes back.`;
}
