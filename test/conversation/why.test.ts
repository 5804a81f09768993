import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printWhy, type WhyLine } from '../../src/conversation/why.ts';
import { adviceFor, evidenceInWords, viaInWords } from '../../src/conversation/words.ts';
import { EVIDENCE } from '../../src/lines/origin.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { widthOf } from '../../src/terminal/width.ts';

const LINE: WhyLine = {
  file: 'a.ts',
  line: 2,
  text: 'let a = 1;',
  commit: 'a'.repeat(40),
  short: 'aaaaaaaa',
  summary: 'add a',
  author: 'Ada',
  authorTime: '2026-01-02T10:11:12Z',
  type: 'ai',
  evidence: 'observed',
  via: 'note',
  model: 'anthropic/m',
  tool: { name: 'claude-code', version: '2' },
  session: 's1',
  conversation: 'agentlog:s1',
  why: null,
  behind: null,
};
const edit = (diff: string) => ({
  type: 'fileOperation' as const,
  id: 'f1',
  timestamp: '2026-01-02T10:00:00Z',
  operation: 'edit' as const,
  path: 'a.ts',
  diff,
});
const print = (told: WhyLine, width = 80) => [...printWhy(told, { width, paint: paintWith(false) })];

describe('why', () => {
  it('fits a screen of 24 lines and its width, whatever is told', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    const lines = fc.array(text, { maxLength: 60 }).map((some) => some.join('\n'));
    fc.assert(
      fc.property(fc.tuple(text, lines, lines, lines, fc.boolean()), ([name, prompt, message, diff, command]) => {
        const behind = { prompt, message, command: command ? message : null, call: null, edits: [edit(diff)] };
        const told = { ...LINE, author: name, summary: name, model: name, session: 's1', text: name, behind };
        const printed = print(told);
        expect(printed.length).toBeLessThanOrEqual(23);
        for (const line of printed) {
          expect(line.indexOf('\n')).toBe(line.length - 1);
          expect(widthOf(line.slice(0, -1))).toBeLessThanOrEqual(80);
          expect(line.slice(0, -1)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [80, 20],
    [60, 16],
    [40, 24],
    [40, 10],
  ])('fits a screen of %i columns and %i rows: who and when stay in sight', (width, rows) => {
    const behind = {
      prompt: 'word '.repeat(90),
      message: 'word '.repeat(90),
      command: null,
      call: null,
      edits: [edit('+x\n'.repeat(40))],
    };
    const told = { ...LINE, session: 'e3e55f47-1111-4111-8111-111111111111', behind };
    const printed = [...printWhy(told, { width, rows, paint: paintWith(true) })];
    const seen = printed.map((line) =>
      Math.max(1, Math.ceil(widthOf(line.trimEnd().replace(/\u001b\[\d*m/g, '')) / width)),
    );
    expect(seen.reduce((a, b) => a + b)).toBeLessThan(rows);
    expect(printed.join('')).toMatch(/who.*an agent[\s\S]*when/);
  });

  it('what to read next stands in one column, beside the id of a session too', () => {
    const behind = { prompt: 'p', message: null, command: null, call: null, edits: [] };
    const printed = print({ ...LINE, session: 'e3e55f47-1111-4111-8111-111111111111', behind });
    const next = printed.filter((line) => /^git /.test(line)).map((line) => line.search(/ {2}(this|the) /));
    expect(next.length).toBeGreaterThan(1);
    expect(new Set(next.map((at) => at + 2)).size).toBe(1);
  });

  it('shows the edit around the line that is asked about', () => {
    const diff = Array.from({ length: 90 }, (_, i) => `+line ${i}`).join('\n');
    const behind = { prompt: 'do it', message: null, command: null, call: null, edits: [edit('+x'), edit(diff)] };
    const printed = print({ ...LINE, text: 'line 50', behind }).join('');
    expect(printed).toContain('prompt\n    do it\nedit a.ts\n    +line 48\n    +line 49\n    +line 50\n');
    expect(printed).toMatch(/… \d+ more lines\n/);
  });

  it('has words for every evidence and every way', () => {
    for (const evidence of EVIDENCE) expect(evidenceInWords('ai', evidence)).toMatch(`${evidence}: `);
    expect(evidenceInWords('human', 'observed')).toContain('between two steps');
    expect([evidenceInWords('ai', null), evidenceInWords('ai', 'toString'), viaInWords('toString')]).toEqual([
      null,
      'toString',
      'toString',
    ]);
  });

  it.each([
    ['unknown', null, ['git agent doctor']],
    ['unknown', 'abc', ['git agent fetch', 'git agent backfill abc', 'git agent declare abc --human', 'git show abc']],
    ['human', 'abc', ['git show abc']],
    ['human', null, []],
  ])('of %s in %s: advises %j', (type, commit, commands) => {
    const advice = adviceFor({ type, place: 'a:1', commit, session: null, recorded: false });
    expect(advice.map(([command]) => command)).toEqual(commands);
  });

  it('quotes what a shell would run', () => {
    const advice = adviceFor({ type: 'ai', place: "a'b:1", commit: null, session: '$(reboot)', recorded: true });
    expect(advice.map(([command]) => command)).toEqual([`git agent show 'a'\\''b:1'`, "git agent show '$(reboot)'"]);
  });
});
