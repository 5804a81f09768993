import type { LogEntry } from './entry.ts';

export const LOG_SCHEMA = 'git-agent-blame/log@1';

/** One document on one line for each commit, so that the first can be read before the last is known. */
export function printEntryJson({ commit, recorded, counts, sessions }: LogEntry): string {
  const document = {
    schema: LOG_SCHEMA,
    commit: commit.id,
    author: commit.author,
    authorMail: commit.mail,
    authorTime: commit.time,
    subject: commit.subject,
    recorded,
    summary: counts,
    sessions: sessions.map(({ tool, session, models, conversation, lines }) => ({
      tool: { name: tool.name, version: tool.version ?? null },
      session,
      models,
      conversation,
      lines,
    })),
  };
  return `${JSON.stringify(document)}\n`;
}
