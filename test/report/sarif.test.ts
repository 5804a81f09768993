import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath } from '../../src/git/paths.ts';
import { unknown } from '../../src/lines/origin.ts';
import { type Report, reportOf } from '../../src/report/report.ts';
import { type ReportSarifOptions, reportSarif } from '../../src/report/sarif.ts';
import { AI, anyReport, HUMAN, hostile, MIXED, run, small, survey } from './surveys.ts';

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [{ physicalLocation: { artifactLocation: { uri: string }; region: object } }];
  readonly properties: { readonly lines: number; readonly [key: string]: unknown };
}

const printed = (report: Report, over: Partial<ReportSarifOptions> = {}) =>
  [...reportSarif(report, { version: '0.1.0', ...over })].join('');
const logOf = (report: Report, over: Partial<ReportSarifOptions> = {}) => JSON.parse(printed(report, over));
const resultsOf = (report: Report, over: Partial<ReportSarifOptions> = {}): Result[] =>
  logOf(report, over).runs[0].results;
const uriOf = (result: Result | undefined) => result?.locations[0].physicalLocation.artifactLocation.uri;

const fields = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  additionalProperties: false,
});
const list = (items: object, minItems = 0) => ({ type: 'array', items, minItems });
const text = { type: 'string', minLength: 1 };
const message = fields({ text });
const level = { enum: ['none', 'note', 'warning', 'error'] };
// relative, so that a viewer finds it in its own checkout: no scheme, no leading slash, nothing that is not a URI's
const uri = { type: 'string', pattern: '^(?!/)(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$' };
const bag = { type: 'object' };

/** Of SARIF 2.1.0 (sections 3.13 to 3.50) and of what GitHub asks for: what our logs have. */
const SARIF = fields({
  $schema: text,
  version: { const: '2.1.0' },
  runs: list(
    fields({
      tool: fields({
        driver: fields({
          name: text,
          version: text,
          rules: list(
            fields({
              id: { type: 'string', pattern: '^[a-z-]+$' },
              name: { type: 'string', pattern: '^[A-Za-z]+$' },
              shortDescription: message,
              fullDescription: message,
              help: fields({ text, markdown: text }),
              defaultConfiguration: fields({ level }),
              properties: bag,
            }),
            3,
          ),
        }),
      }),
      invocations: list(
        fields({
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: list(fields({ level, message })),
        }),
        1,
      ),
      properties: bag,
      results: list(
        fields({
          ruleId: text,
          ruleIndex: { type: 'integer', minimum: 0, maximum: 2 },
          level,
          message,
          locations: list(
            fields({
              physicalLocation: fields({
                artifactLocation: fields({ uri, uriBaseId: text }),
                region: fields({
                  startLine: { type: 'integer', minimum: 1 },
                  endLine: { type: 'integer', minimum: 1 },
                }),
              }),
            }),
            1,
          ),
          properties: bag,
        }),
      ),
    }),
    1,
  ),
});
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(SARIF);

describe('a report as SARIF', () => {
  it('is valid, and has the figures', () => {
    const log = logOf(small());
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    expect(log.runs[0].properties).toEqual({
      schema: 'git-agent-blame/report@1',
      scope: { kind: 'added', range: 'main..HEAD', commits: 2 },
      counts: { total: 1234, ai: 1000, mixed: 40, human: 190, unknown: 4 },
      shares: { ai: 1000 / 1234, mixed: 40 / 1234, human: 190 / 1234, unknown: 4 / 1234 },
      ...{ unrecorded: 1, excluded: 2, skipped: 1, unread: [], resultsLeftOut: 0 },
    });
  });

  it('has one result for each run that is not a person’s, largest first', () => {
    expect(resultsOf(small()).map(({ ruleId, level, message }) => [ruleId, level, message.text])).toEqual([
      [
        'ai-lines',
        'note',
        '1,000 lines by claude-code 2.1.197, model anthropic/claude-opus-4-5-20251101, session s1 (observed, commit 1111111111).',
      ],
      ['mixed-lines', 'note', '40 lines by a person and codex, model not known (replayed, commit 1111111111).'],
      ['unknown-lines', 'warning', '4 lines of unknown origin: no record (commit 2222222222).'],
    ]);
    const [first] = resultsOf(small());
    expect(first?.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'src/a.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 1, endLine: 1000 },
    });
    expect(first?.properties).toMatchObject({ lines: 1000, commit: '1'.repeat(40), session: 's1', trace: 't1' });
  });

  it('encodes every byte of a path that is not plain', () => {
    const paths = [
      'a b#c?d%',
      'c:d.ts',
      'é/山',
      decodePath(Buffer.of(0x61, 0xff, 0x62)),
      decodePath(Buffer.from('"q"')),
    ];
    const report = reportOf(survey(paths.map((path, i) => run(path, [1, 9 - i]))));
    expect(resultsOf(report).map(uriOf)).toEqual([
      'a%20b%23c%3Fd%25',
      'c%3Ad.ts',
      '%C3%A9/%E5%B1%B1',
      'a%FFb',
      '%22q%22',
    ]);
  });

  it('keeps what a viewer would act on out of messages, and exact in properties', () => {
    const [first] = resultsOf(hostile());
    expect(first?.message.text).toBe(
      '2 lines by _ x _ _y_ ___ _ a b _ c /close, model __bold__ _it_ ~~no~~ _0_ _x_ _lt; _, ' +
        'session _ada _123 _4 _a__https://example.com_ __b__c_ (observed, commit 1111111111).',
    );
    expect(first?.properties.session).toBe('@ada #123 !4 [a](https://example.com) ![b](c)');
  });

  it('is capped, and says so where SARIF has its place for it', () => {
    const runs = Array.from({ length: 5002 }, (_, i) => run('a', [i * 9 + 1, i * 9 + (i === 5001 ? 2 : 1)]));
    const log = logOf(reportOf(survey(runs)));
    expect(log.runs[0].results).toHaveLength(5000);
    expect(log.runs[0].results[0].locations[0].physicalLocation.region.startLine).toBe(5001 * 9 + 1);
    expect(log.runs[0].invocations[0].toolExecutionNotifications).toEqual([
      { level: 'warning', message: { text: 'Only the 5,000 largest of 5,002 results are here.' } },
    ]);
    expect(log.runs[0].properties.resultsLeftOut).toBe(2);
    expect(logOf(small()).runs[0].invocations[0].toolExecutionNotifications).toEqual([]);
  });

  it('has nothing to say of people', () => {
    expect(resultsOf(reportOf(survey([run('a', [1, 9], { origin: HUMAN })])))).toEqual([]);
  });

  it('names what is not known as such', () => {
    const bare = { type: 'ai', agent: { ...(MIXED.agent ?? AI.agent), tool: { name: '' } } } as typeof AI;
    const runs = [
      run('a', [1, 2], { origin: bare, commit: '0'.repeat(40) }),
      run('a', [3, 3], { origin: unknown('') }),
    ];
    expect(resultsOf(reportOf(survey(runs))).map(({ message }) => message.text)).toEqual([
      '2 lines by an agent, model not known (no evidence, not committed).',
      '1 line of unknown origin: no reason given (commit 1111111111).',
    ]);
  });

  it('whatever the report: valid, every rule is known, the lines of the results are those of the report', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        fc.pre(report.files.every(({ path }) => path !== '' && !path.startsWith('/')));
        const log = logOf(report);
        expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
        const { rules } = log.runs[0].tool.driver;
        const lines = { 'ai-lines': 0, 'mixed-lines': 0, 'unknown-lines': 0 };
        for (const result of log.runs[0].results) {
          expect(rules[result.ruleIndex].id).toBe(result.ruleId);
          expect(result.message.text).not.toMatch(/[@#[\]{}<>`\x00-\x1f]/);
          lines[result.ruleId as keyof typeof lines] += result.properties.lines;
        }
        const { ai, mixed, unknown } = report.counts;
        expect(lines).toEqual({ 'ai-lines': ai, 'mixed-lines': mixed, 'unknown-lines': unknown });
      }),
      { numRuns: 50 },
    );
  });
});
