import type { PullRequestRef, Relationships } from './document.ts';
import { issuesOf } from './issues.ts';
import type { SessionLink } from './link.ts';
import { pullRequestsOf } from './pull-requests.ts';

type Relations = Pick<SessionLink, 'issues' | 'pullRequests' | 'parentSession' | 'childSessions'>;

/** What ties a session to more than its commit: what the session itself tells, and what the commit's message does. */
export function relationsOf(message: string, told: Relationships | null | undefined): Relations {
  const issues = [...issuesOf(message), ...(told?.issues ?? []).map(({ title: _, ...issue }) => issue)];
  const pullRequests = [...pullRequestsOf(message), ...(told?.pullRequests ?? []).map(withoutTitle)];
  const children = told?.childSessions ?? [];
  return {
    ...(issues.length > 0 && { issues }),
    ...(pullRequests.length > 0 && { pullRequests }),
    ...(told?.parentSession && { parentSession: told.parentSession }),
    ...(children.length > 0 && { childSessions: children }),
  };
}

/** Notes are for everybody, and hold no words of a conversation. */
function withoutTitle({ title: _, ...pullRequest }: PullRequestRef): PullRequestRef {
  return pullRequest;
}
