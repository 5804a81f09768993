import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Origin } from '../../src/lines/origin.ts';
import { printPage } from '../../src/page/page.ts';
import { reportOf } from '../../src/report/report.ts';
import type { ReportedCommit, Run, Survey } from '../../src/report/run.ts';
import { anyText } from './hostile.ts';
import { sample } from './sample.ts';

const { report, facts } = sample();
const page = printPage(report, facts);
const EMPTY: Survey = {
  scope: { kind: 'standing', revision: 'HEAD', files: 0 },
  runs: [],
  commits: new Map(),
  excluded: [],
  skipped: 0,
};

/** Everything between the tags, and the tags without their attributes: what the page is made of. */
const tagsOf = (html: string) => html.replace(/<script>[\s\S]*?<\/script>/, '').match(/<[^>]*>/g) ?? [];

describe('the page', () => {
  it('is the same every time', () => {
    const again = sample();
    expect(printPage(again.report, again.facts)).toBe(page);
  });

  it('tells the figures of the report', () => {
    expect(page).toContain('<title>harbour: who wrote these lines</title>');
    expect(page).toContain(`of ${report.counts.total.toLocaleString('en-US')} lines added were written by AI`);
    for (const { key } of report.by.model.filter((one) => one.counts.ai > 0)) expect(page).toContain(key);
    for (const { reason } of report.reasons) expect(page).toContain(reason);
    for (const { path } of [...report.files, ...report.excluded]) expect(page).toContain(`<bdi>${path}</bdi>`);
    for (const id of report.unrecorded) expect(page).toContain(`<code>${id.slice(0, 8)}</code>`);
  });

  it('lists every run of lines', () => {
    const runs = report.files.flatMap((file) => file.runs);
    const [, listed = ''] = page.split('<h3>Every file</h3>');
    expect(listed.match(/<th scope="row">\d[\d,]*(?:–[\d,]+)?<\/th>/g)).toHaveLength(runs.length);
  });

  it('every element is closed, every id is one of a kind, every way leads somewhere', () => {
    const open: string[] = [];
    const wrong: string[] = [];
    for (const tag of tagsOf(page)) {
      const [, slash, name = '', self] = /^<(\/?)([\w!-]+)[\s\S]*?(\/?)>$/.exec(tag) ?? [];
      if (slash) open.pop() !== name && wrong.push(tag);
      else if (!self && !['!doctype', 'meta', 'input'].includes(name)) open.push(name);
    }
    expect([...open, ...wrong]).toEqual([]);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    const places = new Set(ids);
    expect(places.size).toBe(ids.length);
    const ways = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
    expect(ways.length).toBeGreaterThan(50);
    expect(ways.filter((id) => !places.has(id))).toEqual([]);
  });

  it('runs one script, which its policy names, and loads nothing', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(1);
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).toContain(
      createHash('sha256')
        .update(scripts[0] ?? '')
        .digest('base64'),
    );
    expect(page).not.toMatch(/<(?:link|img|iframe|object|base|form)\b| src=|@import|url\((?!#)| on\w+="/);
  });

  it('of nothing says so', () => {
    const empty = printPage(reportOf(EMPTY), { ...facts, commits: new Map() });
    expect(empty).toContain('of 0 lines standing were written by AI');
    expect(empty).not.toContain('NaN');
    expect(empty).not.toContain('href="#time"');
  });
});

describe('large reports', () => {
  const origin = (i: number): Origin => ({
    type: 'ai',
    evidence: 'observed',
    agent: { session: `s${i}`, event: 'e', tool: { name: 't'.repeat(3000) }, model: 'm'.repeat(3000) },
  });
  const runs = Array.from({ length: 8000 }, (_, i): Run => {
    const conversation = `agentlog:${'"'.repeat(300)}${i}`;
    return {
      commit: `${i}`,
      path: `${'<'.repeat(2000)}${i % 2000}`,
      start: i + 1,
      end: i + 1,
      origin: origin(i),
      conversation,
    };
  });

  it('stay below some megabytes, and say what they leave out', () => {
    const large = printPage(reportOf({ ...EMPTY, runs }), facts);
    expect(large.length).toBeLessThan(5_000_000);
    expect(large).toMatch(/The [\d,]+ files with most lines by agents are listed, [\d,]+ are left out/);
  });
});

describe('hostile names', () => {
  const hostile = fc.oneof(
    anyText,
    fc.constantFrom(
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      'javascript:alert(1)',
      '<!--',
      ']]>',
      '</style><style>*{display:none}',
      '&lt;b&gt;',
      '$&',
      '__proto__',
      '\u202e\u2066evil',
    ),
  );
  const surveyOf = (texts: readonly string[]): Survey => {
    const [path = '', tool = '', model = '', session = '', url = '', author = '', reason = '', id = ''] = texts;
    const commit: ReportedCommit = { id, author, mail: author, time: 1e9, subject: reason, recorded: false };
    const agent = { session, event: session, tool: { name: tool, version: tool }, model };
    const run = { commit: id, path, start: 1, end: 2, conversation: url };
    const runs: Run[] = [
      { ...run, origin: { type: 'ai', evidence: 'observed', agent }, via: 'note' },
      { ...run, origin: { type: 'mixed', evidence: 'matched', agent } },
      { ...run, origin: { type: 'human', evidence: 'absent' } },
      { ...run, origin: { type: 'unknown', reason } },
    ];
    const excluded = [{ path, why: 'policy', lines: 1 }] as const;
    return {
      scope: { kind: 'added', range: reason, commits: 1 },
      runs,
      commits: new Map([[id, commit]]),
      excluded,
      skipped: 0,
    };
  };
  const shape = (texts: readonly string[]) => {
    const survey = surveyOf(texts);
    const [repository = '', version = ''] = texts;
    return printPage(reportOf(survey), { repository, version, made: 1e9, commits: survey.commits });
  };
  const ELEMENTS = new Set(tagsOf(page).map((tag) => /^<\/?([\w!]+)/.exec(tag)?.[1]));
  const ATTRIBUTES = new Set(['xmlns', ...attributesOf(page)]);

  function attributesOf(html: string): string[] {
    return tagsOf(html).flatMap((tag) =>
      [...tag.replace(/="[^"]*"/g, '=').matchAll(/ ([\w-]+)/g)].map(([, name = '']) => name),
    );
  }

  it('make no element, no attribute, no script, no style, no link but to the web', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 8, maxLength: 8 }), (texts) => {
        const printed = shape(texts);
        const strange = tagsOf(printed).filter((tag) => !ELEMENTS.has(/^<\/?([\w!]+)/.exec(tag)?.[1]));
        expect(strange).toEqual([]);
        expect(attributesOf(printed).filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
        expect(printed.match(/<script|<style/g)).toHaveLength(2);
        expect([...printed.matchAll(/ href="(?!#|https?:)/g)]).toEqual([]);
        expect(printed).not.toMatch(/[\u202a-\u202e\u2066-\u2069\x00]/);
      }),
      { numRuns: 60 },
    );
  });

  it('would be noticed', () => {
    expect(ELEMENTS.has('img')).toBe(false);
    expect(ATTRIBUTES.has('onerror')).toBe(false);
    expect(attributesOf('<p onerror="1">')).toEqual(['onerror']);
  });
});
