import type { AgentLogDocument, Relationships } from '../agentlog/document.ts';
import { mergeRelationships } from '../agentlog/merge.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { relationsOf } from '../agentlog/relations.ts';
import { readCommits } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';

/**
 * The same sessions with the issues and pull requests that the notes of their commits tie them to: both are one document. Where a note is
 * not written yet, the message of its commit tells what it will say.
 */
export async function withLinks(
  { place }: Repository,
  documents: readonly AgentLogDocument[],
): Promise<AgentLogDocument[]> {
  const ids = [...new Set(documents.flatMap(commitsOf))];
  const { log } = await readNoteRefs(place);
  const [{ notes }, commits] = await Promise.all([readNotes(place, log, ids), readCommits(place, ids)]);
  const told = new Map(ids.map((id) => [id, linksIn(notes.get(id) ?? [])]));
  return documents.map((document) =>
    commitsOf(document)
      .flatMap((id) => {
        const noted = (told.get(id) ?? []).filter((link) => link.id === document.id);
        return [...noted.map(({ relationships }) => relationships), relationsOf(commits.get(id)?.message ?? '', null)];
      })
      .reduce(tied, document),
  );
}

/** A session of somebody else may name anything. */
function commitsOf({ relationships }: AgentLogDocument): string[] {
  return (relationships?.commits ?? []).flatMap(({ sha }) => (isCommitId(sha) ? sha : []));
}

export function isCommitId(sha: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha);
}

function linksIn(lines: readonly string[]): AgentLogDocument[] {
  return lines.flatMap((line) => {
    const parsed = parseDocument(line);
    return parsed.kind === 'document' ? [parsed.document] : [];
  });
}

function tied(document: AgentLogDocument, link: Relationships | null | undefined): AgentLogDocument {
  const { issues = [], pullRequests = [] } = link ?? {};
  const more = { ...(issues.length > 0 && { issues }), ...(pullRequests.length > 0 && { pullRequests }) };
  if (Object.keys(more).length === 0) return document;
  const relationships = mergeRelationships(document.relationships, more);
  return relationships ? { ...document, relationships } : document;
}
