import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDocument } from '../../src/agentlog/print.ts';
import { importAgentblame, parseAgentblameNote } from '../../src/foreign/agentblame.ts';
import { type GitAiNote, parseGitAiNote } from '../../src/foreign/git-ai.ts';
import { importGitAi, sessionsOfGitAi } from '../../src/foreign/import-git-ai.ts';
import { contentHash } from '../../src/lines/hash.ts';
import { rangesOf } from '../../src/lines/range.ts';
import { splitString } from '../../src/lines/text.ts';
import { attributionsOf } from '../../src/trace/attribution.ts';
import { isJoined, ownPart } from '../../src/trace/own.ts';
import { parseRecord } from '../../src/trace/parse.ts';
import { printRecord } from '../../src/trace/print.ts';
import type { TraceRecord } from '../../src/trace/record.ts';
import { CASES } from '../support/cases.ts';
import { agentblameNotes, COMMIT, context, gitAiNote, TEXT } from './notes.ts';

function gitAi(text: string): GitAiNote {
  const parsed = parseGitAiNote(text);
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed.note;
}

function agentblame(value: unknown) {
  const parsed = parseAgentblameNote(JSON.stringify(value));
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed.note;
}

/** Through print and parse, as a note would carry them. */
function said(records: readonly TraceRecord[]) {
  const read = records.map((record) => parseRecord(printRecord(record)));
  return read
    .flatMap((one) => (one.kind === 'record' ? attributionsOf(one.record) : []))
    .map(({ path, start, end, origin }) => ({ at: `${path}:${start}-${end}`, ...origin }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

const reason = 'imported from git-ai 1.0.23';

describe('git-ai notes', () => {
  const files = { 'src/a.ts': {}, 'my file.ts': {} };

  it('become records of ours, as that tool’s word', () => {
    const { records, skipped } = importGitAi(gitAi(gitAiNote), context(files));
    const ai = (tool: string, session: string) => ({
      type: 'ai',
      evidence: 'declared',
      reason,
      agent: { session, event: '', tool: { name: tool } },
    });
    expect(said(records)).toEqual([
      { at: 'my file.ts:1-1', ...ai('cursor', 'conv-2') },
      { at: 'my file.ts:2-2', ...ai('unknown', '') },
      { at: 'src/a.ts:1-3', ...ai('claude-code', 'conv-1') },
      { at: 'src/a.ts:5-5', ...ai('claude-code', 'conv-1') },
      { at: 'src/a.ts:6-6', type: 'human', evidence: 'declared', reason },
      { at: 'src/a.ts:8-9', ...ai('cursor', 'conv-2') },
    ]);
    expect(skipped).toBe(0);
    expect(records.map((record) => record.tool?.name).sort()).toEqual([
      'claude-code',
      'cursor',
      'git-agent-blame',
      'unknown',
    ]);
  });

  it('carry hashes of their lines, so that they are found again', () => {
    const { records } = importGitAi(gitAi(gitAiNote), context(files));
    const claude = records.find((record) => record.tool?.name === 'claude-code');
    expect(claude?.files[0]?.conversations[0]?.ranges[0]?.content_hash).toBe(
      contentHash(splitString(TEXT).slice(0, 3)),
    );
    expect(attributionsOf(claude as TraceRecord)[0]?.lineHashes).toHaveLength(3 * 8);
  });

  it('are no join of ours: joining the commit again leaves them alone', () => {
    const { records } = importGitAi(gitAi(gitAiNote), context(files));
    expect(records.map((record) => ownPart(record.metadata)?.declared)).toEqual(
      records.map(({ timestamp }) => ({ by: 'git-ai 1.0.23', committed: Date.parse(timestamp) })),
    );
    expect(records.some((record) => isJoined(record, COMMIT))).toBe(false);
  });

  it('hold no address and no word of a conversation', () => {
    const { records } = importGitAi(gitAi(gitAiNote), context(files));
    expect(records.map(printRecord).join('')).not.toMatch(/example\.com|add it/);
  });

  it('name a model only where its id is known for certain', () => {
    const modelOf = (tool: string, model: string) => (tool === 'claude-code' ? `anthropic/${model}` : undefined);
    const { records } = importGitAi(gitAi(gitAiNote), context(files, { modelOf }));
    const models = said(records).map((one) => one.agent?.model);
    expect(models).toEqual([
      undefined,
      undefined,
      'anthropic/claude-opus-4-5-20251101',
      'anthropic/claude-opus-4-5-20251101',
      undefined,
      undefined,
    ]);
  });

  it('keep the name of a model that has no id, in our metadata and in the session', () => {
    const { records } = importGitAi(gitAi(gitAiNote), context(files));
    const cursor = records.find((record) => record.tool?.name === 'cursor');
    expect(ownPart(cursor?.metadata)?.git_ai).toMatchObject({ models: { 'conv-2': 'claude-4.5-opus-high-thinking' } });
    expect(printRecord(cursor as TraceRecord)).not.toContain('model_id');
    const models = sessionsOfGitAi(gitAi(gitAiNote), context(files)).map(({ agent }) => agent.model);
    expect(models).toEqual(['claude-4.5-opus-high-thinking', 'claude-opus-4-5-20251101']);
  });

  it('speak only of lines that the commit adds, and of files that it has', () => {
    const { records, skipped } = importGitAi(
      gitAi(gitAiNote),
      context({ 'src/a.ts': { added: [{ start: 2, end: 4 }] } }),
    );
    expect(said(records).map((one) => one.at)).toEqual(['src/a.ts:2-3']);
    expect(skipped).toBe(5);
  });

  it('name persons in our metadata, and what else is told of a session in its properties', () => {
    const more = gitAiNote.replace('"human_author"', '"custom_attributes": {"team":"t"}, "human_author"');
    const { records } = importGitAi(gitAi(more), context(files));
    expect(records[0]?.metadata).toMatchObject({
      'dev.git-agent-blame': { git_ai: { humans: { h_0123456789abcd: 'Ada' } } },
    });
    expect(sessionsOfGitAi(gitAi(more), context(files)).find(({ id }) => id === 'conv-1')?.properties).toEqual({
      'git-ai:custom_attributes': { team: 't' },
      'git-ai:human_author': 'Ada',
    });
    expect(JSON.stringify(records)).not.toContain('ada@example.com');
  });

  it('whose key is nobody’s by its form say nothing of who it was', () => {
    const note = gitAi(gitAiNote.replace('abc1234 2', 'someone 2'));
    expect(said(importGitAi(note, context(files)).records)).toContainEqual({
      at: 'my file.ts:2-2',
      type: 'unknown',
      reason: 'imported from git-ai 1.0.23, which does not say who it was',
    });
  });

  it('that contradict themselves leave the line unknown', () => {
    const note = gitAi(gitAiNote.replace('h_0123456789abcd 6', 'h_0123456789abcd 3,6'));
    expect(said(importGitAi(note, context(files)).records)).toContainEqual({
      at: 'src/a.ts:3-3',
      type: 'unknown',
      reason: 'the imported note names two writers',
    });
  });

  it('are read past what makes no sense, which is counted', () => {
    const odd = gitAiNote.replace(
      '---\n',
      '  nonsense\n/absolute\n  d9978a8723e02b52 1\nb\n  x 0\n  x 5-1\n  x 1,,2\n   y 3\n---\n',
    );
    const note = gitAi(odd);
    // below a path that is none, lines belong to nobody
    expect(note.files.map((file) => file.path)).toEqual(['src/a.ts', 'my file.ts', 'b']);
    expect(note.files[2]?.entries).toEqual([{ key: 'y', ranges: [{ start: 3, end: 3 }] }]);
    const first = gitAiNote.split('---\n')[0]?.split('\n').length ?? 0;
    expect(note.broken).toEqual([0, 1, 2, 4, 5, 6].map((line) => first + line));
  });

  it.each([
    ['no line --- between lines and metadata', 'a.ts\n  x 1\n'],
    ['its metadata is not JSON', 'a.ts\n---\n{'],
    ['its metadata is not an object', '---\n[]'],
    ['its metadata names no schema authorship/...', '---\n{"schema_version":"x"}'],
  ])('are refused: %s', (problem, text) => {
    expect(parseGitAiNote(text)).toEqual({ kind: 'foreign', problem });
  });

  it('give their sessions, tied to the commit, with what was said', () => {
    const sessions = sessionsOfGitAi(gitAi(gitAiNote), context(files));
    expect(sessions.map((one) => [one.id, one.agent.name, one.events.length])).toEqual([
      ['conv-2', 'cursor', 3],
      ['conv-1', 'claude-code', 0],
    ]);
    expect(sessions[0]).toMatchObject({
      startTime: '2025-12-05T01:22:13.211Z',
      relationships: { commits: [{ sha: context({}).commit }] },
      events: [
        { type: 'message', role: 'user', content: 'add it' },
        { type: 'message', role: 'assistant' },
        { type: 'toolCall', name: 'edit', input: { path: 'a' } },
      ],
    });
    for (const one of sessions) expect(printDocument(one)).not.toContain('example.com');
  });

  it('do not make us work for ever', () => {
    const line = `  x ${Array.from({ length: 20_000 }, () => '1-9999999999').join(',')}\n`;
    const start = performance.now();
    const note = gitAi(`a\n${line.repeat(3)}---\n{"schema_version":"authorship/3.0.0"}`);
    const lines = splitString('x\n'.repeat(5000));
    importGitAi(note, context({ a: { lines } }));
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('law: what a note says of lines is what the records say', () => {
    const keys = ['s_1::t_1', 's_2::t_9', 'h_1', '0123456789abcdef'];
    const owners = fc.array(fc.option(fc.constantFrom(...keys)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(owners, fc.constantFrom('a.ts', 'b c.ts', '__proto__', 'é'), (lines, path) => {
        const entries = keys.flatMap((key) => {
          const mine = lines.flatMap((owner, i) => (owner === key ? [i + 1] : []));
          const spec = rangesOf(mine).map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
          return mine.length > 0 ? [`  ${key} ${spec.join(',')}`] : [];
        });
        const quoted = path.includes(' ') ? `"${path}"` : path;
        const sessions = {
          s_1: { agent_id: { tool: 'claude', id: 'one' } },
          s_2: { agent_id: { tool: 'codex', id: 'two' } },
        };
        const text = [quoted, ...entries, '---', JSON.stringify({ schema_version: 'authorship/3.0.0', sessions })].join(
          '\n',
        );
        const { records, skipped } = importGitAi(gitAi(text), context({ [path]: {} }));
        expect(skipped).toBe(0);
        const got = new Map(
          said(records).flatMap((one) => {
            const [, start, end] = /:(\d+)-(\d+)$/.exec(one.at) ?? [];
            const count = Number(end) - Number(start) + 1;
            return Array.from(
              { length: count },
              (_, i) => [Number(start) + i, one.type === 'human' ? 'human' : one.agent?.tool.name] as const,
            );
          }),
        );
        const names: Record<string, string> = {
          's_1::t_1': 'claude-code',
          's_2::t_9': 'codex',
          h_1: 'human',
          '0123456789abcdef': 'unknown',
        };
        expect(lines.map((_, i) => got.get(i + 1))).toEqual(lines.map((owner) => (owner ? names[owner] : undefined)));
      }),
    );
  });
});

describe('agentblame notes', () => {
  const files = { 'src/a.ts': {} };

  it.each([1, 2] as const)('of version %i become records of ours', (version) => {
    const { records } = importAgentblame(agentblame(agentblameNotes[version]), context(files));
    expect(said(records)[0]).toEqual({
      at: 'src/a.ts:2-3',
      type: 'ai',
      evidence: 'declared',
      reason: 'imported from agentblame',
      agent: {
        session: '',
        event: '',
        tool: { name: 'claude-code' },
        // "claude" is no model
        ...(version === 2 ? { model: 'anthropic/claude-opus-4-5' } : {}),
      },
    });
  });

  it('keep the name of a model that has no id, in our metadata, with the lines it is said of', () => {
    const named = (startLine: number, model: string, provider: string) => ({
      ...{ path: 'src/a.ts', startLine, endLine: startLine, category: 'ai_generated', provider, model },
    });
    const attributions = [
      named(1, 'Claude Sonnet 4', 'claudeCode'),
      named(2, 'anthropic/claude-opus-4-5', 'claudeCode'),
      named(3, 'x'.repeat(300), 'cursor'),
      { ...named(4, 'GPT 5', 'cursor'), category: 'guessed' },
    ];
    const { records } = importAgentblame(agentblame({ version: 2, attributions }), context(files));
    const kept = records.map((record) => [record.tool?.name, ownPart(record.metadata)?.agentblame]);
    const models = (line: number, model: string) => ({
      models: { 'src/a.ts': [{ start: line, end: line, model }] },
    });
    expect(kept).toEqual([
      ['claude-code', models(1, 'Claude Sonnet 4')],
      ['cursor', models(3, 'x'.repeat(250))],
      ['git-agent-blame', undefined],
    ]);
    expect(said(records).map(({ agent }) => agent?.model)).toEqual([
      undefined,
      'anthropic/claude-opus-4-5',
      undefined,
      undefined,
    ]);
  });

  it('leave unknown what they do not call ai_generated, and count what makes no sense', () => {
    const { records, skipped } = importAgentblame(agentblame(agentblameNotes[2]), context(files));
    expect(said(records).slice(1)).toMatchObject([{ at: 'src/a.ts:5-5', type: 'unknown' }]);
    expect(skipped).toBe(3);
  });

  it.each([
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['of a version other than 1 and 2', '{"version":3,"attributions":[]}'],
    ['no attributions', '{"version":1}'],
  ])('are refused: %s', (problem, text) => {
    expect(parseAgentblameNote(text)).toEqual({ kind: 'foreign', problem });
  });
});

describe('bent notes', () => {
  const texts = [gitAiNote, JSON.stringify(agentblameNotes[1]), JSON.stringify(agentblameNotes[2])];

  it('never break the reader, and whatever is read can be written', () => {
    const cases = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat({ max: 30 }), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(cases, ([text, at, length, put]) => {
        const from = at % text.length;
        const bent = text.slice(0, from) + put + text.slice(from + length);
        const [one, two] = [parseGitAiNote(bent), parseAgentblameNote(bent)];
        const where = context({ 'src/a.ts': {}, 'my file.ts': {} });
        if (one.kind === 'note') {
          importGitAi(one.note, where).records.map(printRecord);
          sessionsOfGitAi(one.note, where).map(printDocument);
        }
        if (two.kind === 'note') importAgentblame(two.note, where).records.map(printRecord);
      }),
      { numRuns: CASES },
    );
  });
});
