import { type Finding, nextSteps } from './finding.ts';
import type { Verdict } from './verdict.ts';

export const CHECK_SCHEMA = 'git-agent-blame/check@1';

/** One document on one line. Names and paths are as they are: whoever shows them takes care. */
export function printVerdictJson({
  scope,
  blocked,
  findings,
  counts,
  exempt,
  excluded,
  skipped,
  unread,
  lacking,
}: Verdict): string {
  const document = {
    schema: CHECK_SCHEMA,
    scope,
    blocked,
    counts: {
      commits: counts.commits,
      unattributedCommits: counts.unattributed,
      lines: counts.lines,
      findings: { block: counts.block, warn: counts.warn },
    },
    findings: findings.map(findingJson),
    exempt,
    excluded,
    skippedNotes: skipped,
    unreadNotes: unread,
    missingCommits: lacking,
  };
  return `${JSON.stringify(document)}\n`;
}

function findingJson(finding: Finding) {
  const { rule, level, message, commit, subject, places } = finding;
  return {
    rule,
    level,
    message,
    commit: commit ?? null,
    subject: subject ?? null,
    places: places.map(({ commit, path, ranges }) => ({ commit, path, lines: ranges })),
    next: nextSteps([finding]).map(({ command, does }) => ({ command: command ?? null, does })),
  };
}
