import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTool } from '../../src/agentlog/call-name.ts';
import { printCanonical } from '../../src/vac/as-json.ts';
import { vacOf } from '../../src/vac/from-agentlog.ts';
import { encodeVacCbor, printVacJson } from '../../src/vac/print.ts';
import { validateVac } from '../../src/vac/validate.ts';
import { allEvents, documentOf, documents, oddTraces, ownTraces, read, recordIn, traces } from './samples.ts';

const wellFormed = (value: unknown) => !/\\ud[89a-f]/i.test(JSON.stringify(value));

describe('vacOf', () => {
  const record = vacOf({ document: allEvents, records: ownTraces, created: '2026-05-01T10:00:00Z', version: '0.1.0' });

  it('tells a session in the words of the draft', () => {
    expect(validateVac(record)).toEqual([]);
    expect(record).toMatchObject({
      version: '3.0.0-draft',
      created: '2026-05-01T10:00:00Z',
      'recording-agent': { name: 'git-agent-blame', version: '0.1.0' },
      session: {
        'session-id': allEvents.id,
        'session-start': '2026-05-01T09:00:00Z',
        'session-end': '2026-05-01T09:12:00Z',
        'agent-meta': {
          'model-id': 'claude-opus-4-5-20251101',
          'model-provider': 'anthropic',
          'cli-name': 'claude-code',
          'cli-version': '2.1.197',
        },
        environment: {
          'working-dir': '/work/demo',
          vcs: { type: 'git', branch: 'main', revision: '1111111', repository: 'acme/demo' },
        },
      },
    });
  });

  it('has an entry for every event', () => {
    const { entries } = record.session;
    expect(entries.map(({ type }) => type)).toEqual([
      ...['user', 'system-event', 'system-event', 'reasoning', 'tool-call', 'system-event', 'tool-call', 'tool-call'],
      ...['tool-call', 'system-event', 'system-event', 'system-event', 'system-event', 'system-event'],
    ]);
    expect(entries[0]).toEqual({ type: 'user', id: 'e01', timestamp: '2026-05-01T09:00:00Z', content: 'add a parser' });
    expect(entries[8]).toEqual({
      type: 'tool-call',
      id: 'e09',
      'call-id': 'e09',
      timestamp: '2026-05-01T09:01:00Z',
      name: 'terminal',
      input: { command: 'npm test', cwd: '/work/demo' },
      children: [
        {
          type: 'tool-result',
          'call-id': 'e09',
          output: { stdout: 'ok', exitCode: 0 },
          status: 'success',
          'is-error': false,
        },
      ],
      agentlog: { type: 'terminalCommand' },
    });
    expect(entries[6]).toMatchObject({ 'token-usage': { input: 10, output: 5, cached: 3 } });
  });

  it('calls a tool what its agent calls it, and the event comes back as it was', () => {
    const at = (id: string) => ({ id, timestamp: '2026-05-01T09:00:00Z' });
    const events = [
      withTool({ ...at('w'), type: 'fileOperation', operation: 'create', path: 'a.ts' }, 'Write'),
      withTool({ ...at('b'), type: 'terminalCommand', command: 'npm test', exitCode: 0 }, 'Bash'),
      { ...at('g'), type: 'search', tool: 'Grep', query: 'x' },
      { ...at('e'), type: 'fileOperation', operation: 'edit', path: 'a.ts' },
    ] as const;
    const document = { ...allEvents, events };
    const told = vacOf({ document });
    expect(told.session.entries.map((entry) => (entry as { name?: string }).name)).toEqual([
      ...['Write', 'Bash', 'Grep', 'edit'],
    ]);
    expect(validateVac(told)).toEqual([]);
    expect(read(printVacJson(told)).document).toEqual(document);
  });

  it('attributes lines, with hashes that name their algorithm', () => {
    const [file] = record['file-attribution']?.files ?? [];
    const range = file?.conversations[0]?.ranges[0];
    expect(range).toMatchObject({ 'start-line': expect.any(Number), 'content-hash-alg': 'murmur3' });
    expect(range?.['content-hash']).toMatch(/^[0-9a-f]{8}$/);
  });

  it('names a revision only where there is one', () => {
    const [one] = ownTraces;
    if (!one) throw new Error('no trace');
    const at = (revision: string) => {
      const { metadata: _, ...bare } = one;
      return { ...bare, vcs: { type: 'git' as const, revision } };
    };
    const vcsOf = (...revisions: string[]) => vacOf({ document: allEvents, records: revisions.map(at) }).vcs;
    expect(vcsOf('aaaa', 'aaaa')).toEqual({ type: 'git', branch: 'main', repository: 'acme/demo', revision: 'aaaa' });
    expect(vcsOf('aaaa', 'bbbb')).toEqual({ type: 'git', branch: 'main', repository: 'acme/demo' });
    expect(vcsOf()?.revision).toBe('1111111');
  });

  it('has an id that follows from the content', () => {
    expect(vacOf({ document: allEvents, records: ownTraces }).id).toBe(record.id);
    expect(vacOf({ document: allEvents }).id).not.toBe(record.id);
  });

  it.each([
    ['JSON', printVacJson],
    ['CBOR', encodeVacCbor],
  ])('is read again from %s, exactly', (_, print) => {
    const all = [...ownTraces, ...oddTraces];
    const { document, records, skipped } = read(print(vacOf({ document: allEvents, records: all })));
    expect(document).toEqual(allEvents);
    expect(records).toEqual(all);
    expect(skipped).toBe(0);
  });

  it('law: every document and its traces come back from JSON as they were, and the record keeps the rules', () => {
    fc.assert(
      fc.property(documents, traces, (document, records) => {
        const session = read(printVacJson(vacOf({ document, records })));
        expect(session).toEqual({ document, records, skipped: 0 });
      }),
      { numRuns: 150 },
    );
  });

  it('law: and from CBOR', () => {
    fc.assert(
      fc.property(documents, traces, (document, records) => {
        fc.pre(wellFormed([document, records]));
        const record = vacOf({ document, records });
        const bytes = encodeVacCbor(record);
        expect(read(bytes)).toEqual({ document, records, skipped: 0 });
        expect(printCanonical(recordIn(bytes))).toBe(printVacJson(record));
      }),
      { numRuns: 60 },
    );
  });
});

const peers = process.env.PEER_SAMPLES ?? '';

describe.skipIf(!existsSync(`${peers}/agentlog-example-minimal-session.json`))(
  'published examples of AgentLog (set PEER_SAMPLES to their folder)',
  () => {
    it.each(['minimal', 'debugging', 'multi-agent'])('%s', (name) => {
      const document = documentOf(readFileSync(`${peers}/agentlog-example-${name}-session.json`, 'utf8'));
      expect(read(printVacJson(vacOf({ document }))).document).toEqual(document);
    });
  },
);
