import { describe, expect, it } from 'vitest';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import { searchConversations } from '../../src/conversation/search.ts';

const said = (id: string, content: string, role: 'user' | 'assistant' = 'user'): AgentLogEvent => ({
  type: 'message',
  id,
  timestamp: `2026-03-0${id.length}T10:00:00Z`,
  role,
  content,
});

function talk(id: string, events: readonly AgentLogEvent[]): AgentLogDocument {
  return {
    specVersion: '0.2.0',
    id,
    startTime: '2026-03-02T10:00:00Z',
    status: 'active',
    agent: { name: 'codex' },
    events,
  };
}

const DOCUMENTS = [
  talk('s1', [said('a', 'Add a Retry to the upload'), said('bb', 'The retry waits longer each time', 'assistant')]),
  talk('s2', [
    { type: 'terminalCommand', id: 'ccc', timestamp: '2026-03-03T10:00:00Z', command: 'npm test -- retry' },
    { type: 'error', id: 'd', timestamp: '2026-03-03T10:00:00Z', message: 'retry', resolved: true },
  ]),
];
const found = (words: string, most = 10) => searchConversations(DOCUMENTS, { words, most });
const ids = (words: string) => found(words).hits.map(({ event }) => event);

describe('searching conversations', () => {
  it('finds prompts, messages and commands, latest first', () => {
    expect(found('retry').hits.map(({ kind, session }) => [kind, session])).toEqual([
      ['command', 's2'],
      ['message', 's1'],
      ['prompt', 's1'],
    ]);
    expect(found('retry', 1)).toMatchObject({ total: 3, hits: [{ event: 'ccc' }] });
  });

  it.each([
    ['RETRY upload', ['a']],
    ['upload  retry\n', ['a']],
    ['upload longer', []],
    ['.*', []],
    ['', []],
    ['   ', []],
  ])('%j finds %j', (words, expected) => expect(ids(words)).toEqual(expected));

  it('shows the words around the first one found', () => {
    const long = talk('s', [said('a', `${'before '.repeat(50)}needle\n\n${'after '.repeat(200)}`)]);
    const [hit] = searchConversations([long], { words: 'needle', most: 1 }).hits;
    expect(hit?.excerpt).toMatch(/^….*before needle after .*…$/);
    expect(hit?.excerpt.length).toBeLessThan(410);
  });
});
