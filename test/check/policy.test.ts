import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findStop } from '../../src/check/json-stop.ts';
import { NO_POLICY, POLICY_KEYS, parsePolicy } from '../../src/check/policy.ts';
import { POLICY_SCHEMA } from '../../src/check/policy-schema.ts';
import { printProblem } from '../../src/check/problem.ts';

/** The problems as they are printed, without the file's name. */
function problemsOf(text: string): string[] {
  const parsed = parsePolicy(text);
  return 'problems' in parsed ? parsed.problems.map((problem) => printProblem('', problem).slice(1)) : [];
}

const EXAMPLE = `{"$schema":"...","requireAttribution":"block","requireConversation":"off","requireSeal":"warn","maxAiShare":null,"maxUnknownShare":0.2,
 "allowTools":["*"],"allowModels":["anthropic/*","openai/*"],"exclude":["**/*.lock","dist/**"],"since":"2026-01-01","exemptAuthors":["*[bot]@*"]}`;

describe('a policy', () => {
  it('is read as the contract writes it', () => {
    const parsed = parsePolicy(EXAMPLE);
    expect(parsed).toMatchObject({
      policy: {
        requireAttribution: 'block',
        requireConversation: 'off',
        requireSeal: 'warn',
        maxAiShare: null,
        maxUnknownShare: 0.2,
        since: Date.UTC(2026, 0, 1) / 1000,
        allowModels: [{ pattern: 'anthropic/*' }, { pattern: 'openai/*' }],
        exclude: [{ pattern: '**/*.lock' }, { pattern: 'dist/**' }],
      },
    });
    expect('policy' in parsed && parsed.policy).not.toHaveProperty('$schema');
  });

  it('asks for nothing when it says nothing', () => {
    expect(parsePolicy('{}')).toEqual({ policy: NO_POLICY });
    expect(parsePolicy('\uFEFF {} \n')).toEqual({ policy: NO_POLICY });
  });

  it.each([
    ['2026-02-28', Date.UTC(2026, 1, 28)],
    ['2026-01-31T12:00:00+02:00', Date.UTC(2026, 0, 31, 10)],
  ])('takes the date %s', (since, time) => {
    expect(parsePolicy(JSON.stringify({ since }))).toMatchObject({ policy: { since: time / 1000 } });
  });

  it('tells everything that is wrong at once, in order', () => {
    const text = `{
  "requireAttributon": "block",
  "requireSeal": "blok",
  "requireConversation": true,
  "maxAiShare": 20, "maxUnknownShare": "0.2",
  "since": "2026-02-30",
  "exclude": ["ok", "src/[ab", 7],
  "allowTools": "*",
  "__proto__": {},
  "requireSeal": "warn"
}`;
    expect(problemsOf(text)).toEqual([
      '2:3: there is no "requireAttributon" in a policy: did you mean requireAttribution?',
      '3:18: must be "off", "warn" or "block": did you mean "block"?',
      '4:26: must be "off", "warn" or "block"',
      '5:17: must be from 0 to 1: did you mean 0.2?',
      '5:40: must be a number from 0 to 1, or null',
      '6:12: must be a date as 2026-01-31, a time as 2026-01-31T12:00:00Z, or null',
      '7:26: the [ is never closed',
      '7:32: must be a string',
      '8:17: must be a list of strings',
      '9:3: there is no "__proto__" in a policy',
      '10:3: "requireSeal" is there twice',
    ]);
  });

  it.each([
    ['', '1:1: not JSON: the file ends too early: the file is empty'],
    ['{', '1:2: not JSON: the file ends too early: a name in double quotes is missing here'],
    ['{\n  "since": null,\n}', '2:16: not JSON: a comma before } is not allowed'],
    ['{\n  "since": nul\n}', '2:12: not JSON: a value is missing here'],
    ['{\n  "a" "b"\n}', '2:7: not JSON: a colon is missing here'],
    ['{"a": 1 "b": 2}', '1:9: not JSON: a comma or } is missing here'],
    ['{\r\n// no\r\n}', '2:1: not JSON: JSON has no comments'],
    ["{'a': 1}", '1:2: not JSON: strings have double quotes in JSON'],
    ['{"a": "b\n}', '1:7: not JSON: the string does not end on its line'],
    ['{"a": "\\x"}', '1:8: not JSON: there is no such escape'],
    ['{"a": "\t"}', '1:8: not JSON: a control character has to be escaped'],
    ['{"é": "', '1:7: not JSON: the string never ends'],
    ['{} {}', '1:4: not JSON: something follows after the end'],
    ['{"a": 01}', '1:8: not JSON: a comma or } is missing here'],
    ['[]', '1:1: a policy is an object: { ... }'],
    ['null', '1:1: a policy is an object: { ... }'],
    ['['.repeat(300), '1:1: the file is nested deeper than 200'],
    [`{"a":"${'x'.repeat(300_000)}"}`, '1:1: the file is longer than 262144 characters'],
  ])('%# names the place where it is not JSON', (text, message) => expect(problemsOf(text)).toEqual([message]));

  it('points into a pattern, or at it where escapes move its characters', () => {
    expect(problemsOf('{"exclude": ["\\u0061["]}')).toEqual(['1:14: the [ is never closed']);
    expect(problemsOf('{"exclude": ["😀["]}')).toEqual(['1:16: the [ is never closed']);
  });

  it('prints no escapes, and not everything that a hostile file has', () => {
    const keys = Array.from({ length: 500 }, (_, i) => `"\\u001b[31m${i}${'x'.repeat(99)}": 1`);
    const problems = problemsOf(`{${keys.join(',')}}`);
    expect(problems).toHaveLength(100);
    expect(problems.join('')).not.toMatch(/\x1b/);
    expect(Math.max(...problems.map(({ length }) => length))).toBeLessThan(160);
    expect(problemsOf(`{"exclude": [${'"a",'.repeat(1000)}"a"]}`)).toEqual([
      '1:13: must not have more than 1000 patterns',
    ]);
  });

  it('stops being JSON exactly where JSON.parse says no', () => {
    const near = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '0', '\\', ' ', ':', '-', '.', 'e'),
      )
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + (at % 2));
      });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findStop(text) === undefined).toBe(isJson);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the schema of a policy', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(POLICY_SCHEMA);

  it('has the keys of the parser', () => {
    expect(Object.keys(POLICY_SCHEMA.properties)).toEqual(POLICY_KEYS);
    expect(POLICY_SCHEMA.$id).toBe('https://git-agent-blame.dev/schema/policy-1.json');
  });

  it.each<[value: unknown, good: boolean]>([
    [JSON.parse(EXAMPLE), true],
    [{}, true],
    [[], false],
    [null, false],
    [{ $schema: 'https://git-agent-blame.dev/schema/policy-1.json' }, true],
    [{ $schema: 1 }, false],
    [{ requireattribution: 'off' }, false],
    [{ requireAttribution: 'warn' }, true],
    [{ requireAttribution: 'Warn' }, false],
    [{ requireSeal: null }, false],
    [{ requireConversation: false }, false],
    [{ maxAiShare: 0 }, true],
    [{ maxAiShare: 1 }, true],
    [{ maxAiShare: 1.01 }, false],
    [{ maxAiShare: -0.1 }, false],
    [{ maxUnknownShare: null }, true],
    [{ maxUnknownShare: '0.1' }, false],
    [{ allowTools: [] }, true],
    [{ allowTools: ['*', 'claude-code'] }, true],
    [{ allowTools: null }, false],
    [{ allowModels: [''] }, false],
    [{ allowModels: ['[a'] }, true],
    [{ allowModels: [1] }, false],
    [{ exclude: ['a/**', '{a,b}'] }, true],
    [{ exclude: 'a' }, false],
    [{ exclude: ['x'.repeat(500)] }, true],
    [{ exclude: ['x'.repeat(501)] }, false],
    [{ since: null }, true],
    [{ since: '2026-01-01' }, true],
    [{ since: '2026-01-01T00:00:00Z' }, true],
    [{ since: '2026-01-01T00:00:00.5+01:00' }, true],
    [{ since: '2026-01-01T00:00:00' }, false],
    [{ since: '2026-13-01' }, false],
    [{ since: '2026-1-1' }, false],
    [{ since: 'yesterday' }, false],
    [{ since: 2026 }, false],
    [{ exemptAuthors: ['*[bot]@*'] }, true],
    [{ exemptAuthors: {} }, false],
  ])('agrees with the parser on %j', (value, good) => {
    expect(validate(value)).toBe(good);
    expect('policy' in parsePolicy(JSON.stringify(value))).toBe(good);
  });
});
