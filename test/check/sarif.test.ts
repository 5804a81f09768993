import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/check/rules.ts';
import { printVerdictSarif } from '../../src/check/sarif.ts';
import { judge } from '../../src/check/verdict.ts';
import type { Survey } from '../../src/report/run.ts';
import { byAgent, commit, NO_RECORD, policies, policyOf, run, survey, surveys } from './survey.ts';

const closed = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const text = { type: 'string', minLength: 1 };
const message = closed(['text'], { text, markdown: text });
const bag = { type: 'object' };
const location = closed(['physicalLocation'], {
  physicalLocation: closed(['artifactLocation', 'region'], {
    artifactLocation: closed(['uri'], { uri: { type: 'string', format: 'uri-reference' }, uriBaseId: text }),
    region: closed(['startLine'], {
      startLine: { type: 'integer', minimum: 1 },
      endLine: { type: 'integer', minimum: 1 },
    }),
  }),
});
const level = { enum: ['none', 'note', 'warning', 'error'] };
const result = closed(['ruleId', 'ruleIndex', 'message', 'locations', 'partialFingerprints'], {
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: 0 },
  level,
  message,
  locations: { type: 'array', minItems: 1, maxItems: 1, items: location },
  relatedLocations: { type: 'array', uniqueItems: true, items: location },
  partialFingerprints: { type: 'object', minProperties: 1, additionalProperties: { type: 'string', minLength: 1 } },
  properties: bag,
});
const rule = closed(['id', 'shortDescription', 'fullDescription', 'help'], {
  id: text,
  name: { type: 'string', pattern: '^[A-Z][A-Za-z]+$' },
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: closed(['level'], { level }),
  properties: bag,
});
const notification = closed(['message'], { message, level });

/** The part of the standard's own schema (and of what GitHub asks for) that our documents use; nothing else may be in them. */
const SARIF = closed(['$schema', 'version', 'runs'], {
  $schema: { type: 'string', format: 'uri' },
  version: { const: '2.1.0' },
  runs: {
    type: 'array',
    minItems: 1,
    items: closed(['tool', 'results'], {
      tool: closed(['driver'], {
        driver: closed(['name'], {
          name: text,
          version: text,
          rules: { type: 'array', uniqueItems: true, items: rule },
        }),
      }),
      invocations: {
        type: 'array',
        items: closed(['executionSuccessful'], {
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: { type: 'array', items: notification },
        }),
      },
      results: { type: 'array', items: result },
      properties: bag,
    }),
  },
});

const ajv = new Ajv2020();
addFormats.default(ajv);
const validate = ajv.compile(SARIF);

interface Location {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object };
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly Location[];
  readonly relatedLocations?: readonly Location[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface SarifRun {
  readonly results: readonly Result[];
  readonly invocations: readonly { readonly toolExecutionNotifications: readonly object[] }[];
  readonly properties: { readonly resultsLeftOut: number };
}

function sarifOf(looked: Survey, policy: Parameters<typeof judge>[1], limit?: number): SarifRun {
  const printed = printVerdictSarif(judge(looked, policy), { version: '0.1.0', ...(limit !== undefined && { limit }) });
  const document = JSON.parse(printed);
  validate(document);
  expect(validate.errors).toBeNull();
  return document.runs[0];
}

const where = ({ physicalLocation: { artifactLocation, region } }: Location) => [artifactLocation.uri, region];

describe('SARIF', () => {
  it('keeps to the standard, whatever the verdict; every result names its rule', () => {
    fc.assert(
      fc.property(surveys, policies, (looked, policy) => {
        const { results } = sarifOf(looked, policy);
        for (const { ruleId, ruleIndex } of results) expect(RULES[ruleIndex]?.id).toBe(ruleId);
        const prints = results.map(({ partialFingerprints }) => partialFingerprints['finding/v1']);
        expect(new Set(prints).size).toBe(prints.length);
      }),
    );
  });

  it('points at the lines; a commit as a whole has one result', () => {
    const looked = survey(
      [commit('a1'), commit('b2', { recorded: false })],
      [
        run('a1', 'src/a.ts:3-4', byAgent()),
        run('a1', 'src/a.ts:9-9', byAgent()),
        run('a1', 'src/b.ts:1-1', byAgent()),
        run('b2', 'c.ts:5-6', NO_RECORD),
        run('b2', 'd.ts:1-1', NO_RECORD),
      ],
    );
    const { results } = sarifOf(
      looked,
      policyOf({ requireAttribution: 'warn', allowTools: ['codex'], maxAiShare: 0.1 }),
    );
    expect(results.map(({ ruleId, level: said, locations }) => [ruleId, said, ...locations.map(where)])).toEqual([
      ['maxAiShare', 'error', ['.agent-policy.json', { startLine: 1 }]],
      ['allowTools', 'error', ['src/a.ts', { startLine: 3, endLine: 4 }]],
      ['allowTools', 'error', ['src/b.ts', { startLine: 1, endLine: 1 }]],
      ['requireAttribution', 'warning', ['c.ts', { startLine: 5, endLine: 6 }]],
    ]);
    expect(results[1]?.relatedLocations?.map(where)).toEqual([['src/a.ts', { startLine: 9, endLine: 9 }]]);
    expect(results[3]?.relatedLocations?.map(where)).toEqual([['d.ts', { startLine: 1, endLine: 1 }]]);
    expect(results[3]?.message.text).toMatch(
      /^Commit b2b2b2b2b2: 3 lines, no record\. Next: git agent backfill b2b2b2b2b2, or /,
    );
  });

  it('a finding is known again when its lines have moved', () => {
    const prints = (lines: string) =>
      sarifOf(
        survey([commit('a1')], [run('a1', `a.ts:${lines}`, byAgent())]),
        policyOf({ allowTools: [] }),
      ).results.map(({ partialFingerprints }) => partialFingerprints);
    expect(prints('1-2')).toEqual(prints('51-52'));
  });

  it('writes any path as a URI, and no links, placeholders or mentions', () => {
    const paths = ['a b/ü#?.ts', 'c:d%.ts', '"caf\\351.ts"'];
    const runs = paths.map((path) => ({
      ...run('a1', 'x:1-1', byAgent({ tool: '[x](https://e.test) {0} @ada #1\x1b[2J' })),
      path,
    }));
    const { results } = sarifOf(survey([commit('a1')], runs), policyOf({ allowTools: [] }));
    const uris = results.map(({ locations: [first] }) => first?.physicalLocation.artifactLocation.uri);
    expect(new Set(uris)).toEqual(new Set(['a%20b/%C3%BC%23%3F.ts', 'c%3Ad%25.ts', 'caf%E9.ts']));
    expect(results.map(({ message: said }) => said.text).join('')).not.toMatch(/[[\]{}@#\x1b]/);
  });

  it('says so when there are too many', () => {
    const runs = Array.from({ length: 12 }, (_, i) => run('a1', `f${i}.ts:1-1`, byAgent()));
    const looked = survey([commit('a1')], runs);
    const cut = sarifOf(looked, policyOf({ allowTools: [] }), 10);
    expect(cut.results).toHaveLength(10);
    expect(cut.properties.resultsLeftOut).toBe(2);
    expect(cut.invocations[0]?.toolExecutionNotifications).toHaveLength(1);
    expect(sarifOf(looked, policyOf({ allowTools: [] })).invocations[0]?.toolExecutionNotifications).toEqual([]);
  });
});
