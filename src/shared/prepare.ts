import type { AgentLogDocument, Redaction } from '../agentlog/document.ts';
import { redactDocument } from '../redact/redact.ts';
import { printShared } from './unite.ts';
import type { Publication } from './write.ts';

/** A session as it would be published, and what was done to it. */
export interface Prepared extends Publication {
  readonly events: number;
  readonly redactions: readonly Redaction[];
  /** How often the home folder was named: it is written as `~`. */
  readonly homes: number;
}

/** What is stored was redacted when it was recorded; the table of secrets may have grown since, so it is done again. */
export async function prepareSession(document: AgentLogDocument, home: string): Promise<Prepared> {
  const { value, homes } = withoutHome(document, home);
  const clean = await redactDocument(value);
  return {
    agent: clean.agent.name,
    id: clean.id,
    bytes: Buffer.from(printShared(clean)),
    events: clean.events.length,
    redactions: clean.redactions ?? [],
    homes,
  };
}

/** Where a person's home is says who they are, and helps nobody who reads. */
function withoutHome(document: AgentLogDocument, home: string): { value: AgentLogDocument; homes: number } {
  const folder = home.replace(/[/\\]+$/, '');
  if (folder.length < 3) return { value: document, homes: 0 };
  const pattern = new RegExp(`${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`, 'g');
  let homes = 0;
  const change = (text: string) =>
    text.replace(pattern, () => {
      homes++;
      return '~';
    });
  const value = JSON.parse(JSON.stringify(document), (key, inner: unknown) =>
    typeof inner === 'string' && key !== 'id' ? change(inner) : inner,
  );
  return { value, homes };
}
