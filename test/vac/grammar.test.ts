import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { decodeCbor, encodeCbor, Tagged, WholeFloat } from '../../src/vac/cbor.ts';
import { grammarOf, problemsOf } from '../../src/vac/cddl/match.ts';
import { parseCddl } from '../../src/vac/cddl/parse.ts';
import { VAC_GRAMMAR } from '../../src/vac/grammar.ts';
import { vacGrammar, validateVac } from '../../src/vac/validate.ts';

const DRAFT = `${process.env.SPECS ?? ''}/verifiable-agent-conversations.txt`;

const bytes = (...values: number[]) => Uint8Array.from(values);
const map = (...pairs: [unknown, unknown][]) => new Map(pairs);

const entry = { type: 'user', content: 'hello' };
const session = { 'session-id': 's', 'agent-meta': { 'model-id': 'm', 'model-provider': 'p' }, entries: [entry] };
const record = { version: '3.0.0-draft', id: 'r', session };
const range = { 'start-line': 1, 'end-line': 2 };
const conversation = { url: 'agentlog:s#e', contributor: { type: 'ai' }, ranges: [range] };
const claims = map([1, 'mailto:ada@example.com'], [2, 's']);
const header = map([15, claims], [1, -8]);
const metadata = {
  'session-id': 's',
  'agent-vendor': 'anthropic',
  'trace-format': 'ietf-vac-v3.0',
  'timestamp-start': '2026-05-01T09:00:00Z',
};
const signed = new Tagged(18, [encodeCbor(header), map([100, metadata]), null, bytes(1)]);
const pattern = (name: string) => {
  const rule = vacGrammar().rules.get(name);
  return rule?.kind === 'literal' ? rule.value : undefined;
};

/** Of every rule something valid, and something that is not, with the place where it is not. */
const CASES: Readonly<Record<string, readonly [valid: unknown, invalid: unknown, path: string]>> = {
  start: [record, [], ''],
  'abstract-timestamp': ['2026-05-01T09:00:00.5+02:00', '2026-13-01T09:00:00Z', ''],
  'session-id': ['x', 1, ''],
  'entry-id': ['', null, ''],
  'date-time-regexp': [pattern('date-time-regexp'), 'x', ''],
  'uri-regexp': [pattern('uri-regexp'), 'x', ''],
  'verifiable-agent-record': [{ ...record, created: 1.5, more: null }, { ...record, version: 3 }, '/version'],
  'session-trace': [{ ...session, format: 'autonomous' }, { ...session, entries: [entry, 5] }, '/entries/1'],
  'agent-meta': [{ 'model-id': '', 'model-provider': '', models: ['a'] }, { 'model-id': '' }, '/model-provider'],
  'recording-agent': [{ name: 'x', other: [] }, { name: 'x', version: 1 }, '/version'],
  environment: [{ 'working-dir': '/', sandboxes: [] }, { 'working-dir': '/', sandboxes: [1] }, '/sandboxes/0'],
  'vcs-context': [{ type: 'git', revision: 'a' }, { type: 'git', branch: null }, '/branch'],
  entry: [{ type: 'system-event', 'event-type': 'x' }, { type: 'robot' }, '/type'],
  'message-entry': [
    { type: 'assistant', children: [entry] },
    { ...entry, children: [{ type: 'x' }] },
    '/children/0/type',
  ],
  'tool-call-entry': [{ type: 'tool-call', name: 'Edit', input: null }, { type: 'tool-call', name: 'Edit' }, '/input'],
  'tool-result-entry': [
    { type: 'tool-result', output: 1 },
    { type: 'tool-result', output: 1, 'is-error': 0 },
    '/is-error',
  ],
  'reasoning-entry': [
    { type: 'reasoning', content: '' },
    { type: 'reasoning', content: '', encrypted: 1 },
    '/encrypted',
  ],
  'event-entry': [
    { type: 'system-event', 'event-type': 'x', data: {} },
    { type: 'system-event', 'event-type': 'x', data: [] },
    '/data',
  ],
  'token-usage': [{ input: 1, cost: 0.5, cost2: 'x' }, { input: 1.5 }, '/input'],
  'file-attribution-record': [{ files: [] }, { files: [], more: 1 }, '/more'],
  file: [{ path: 'a', conversations: [conversation] }, { path: 'a', conversations: {} }, '/conversations'],
  conversation: [conversation, { ...conversation, url: '#a\nb' }, '/url'],
  range: [range, { ...range, 'end-line': -1 }, '/end-line'],
  contributor: [{ type: 'mixed', 'model-id': 'm' }, { type: 'robot' }, '/type'],
  resource: [{ type: 'issue', url: 'https://example.com/1' }, { type: 'issue' }, '/url'],
  'signed-agent-record': [signed, new Tagged(18, [encodeCbor(map()), map(), null, bytes()]), '/0/15'],
  'protected-header': [header, map([1, -8]), '/15'],
  CWT_Claims: [claims, map([1, 'a'], [2, 3]), '/2'],
  'unprotected-header': [map([100, metadata], ['x', 1]), map([true, 1]), '/true'],
  'trace-metadata': [metadata, { ...metadata, extra: 1 }, '/extra'],
  'trace-format-id': ['claude-jsonl', 1, ''],
  COSE_X509: [[bytes(1), bytes(2)], [bytes(1)], ''],
  COSE_CertHash: [[-16, bytes(1)], [-16, bytes(1), bytes(2)], ''],
  label: [394, 1.5, ''],
  'cose-label': ['x', null, ''],
  Protected_Header: [map([1, -7]), map([1.5, -7]), '/1.5'],
};

/** `any`, and what wants itself inside itself without end: see `validateVac`. */
const ALWAYS_VALID = ['cose-value'];
const NEVER_VALID = ['Receipt', 'COSE_Sign1', 'Unprotected_Header'];

describe('the grammar of the draft', () => {
  it('is as it was taken from the text of February 2026', () => {
    const digest = createHash('sha256').update(VAC_GRAMMAR).digest('hex');
    expect(digest).toBe('05e8455a189695b4de32d386094d53fa3060ea950f030ea18a171e80480042ed');
  });

  it.skipIf(!existsSync(DRAFT))('is what the draft has (set SPECS to the folder of its text)', () => {
    const text = readFileSync(DRAFT, 'utf8');
    expect(text.endsWith(VAC_GRAMMAR)).toBe(true);
    expect(VAC_GRAMMAR.startsWith('; =====')).toBe(true);
  });

  it.skipIf(!existsSync(DRAFT))(
    'says the same in the sections and at the end (set SPECS to the folder of its text)',
    () => {
      const sections = readFileSync(DRAFT, 'utf8').slice(0, -VAC_GRAMMAR.length);
      const whole = vacGrammar().rules;
      const fragments = [...sections.matchAll(/^([a-z-]+) = (?:[{#]|message-entry)[^¶]*/gm)];
      expect(fragments.length).toBe(21);
      for (const [fragment, name = ''] of fragments) {
        const others = [...whole.keys()].filter((one) => one !== name).map((one) => `${one} = any\n`);
        expect(parseCddl(fragment + others.join('')).get(name)).toEqual(whole.get(name));
      }
    },
  );

  it('has a case for every rule', () => {
    const tested = [...Object.keys(CASES), ...ALWAYS_VALID, ...NEVER_VALID];
    expect([...vacGrammar().rules.keys()].sort()).toEqual(tested.sort());
  });

  it.each(Object.entries(CASES))('%s: valid and invalid', (rule, [valid, invalid, path]) => {
    expect(validateVac(valid, rule)).toEqual([]);
    const problems = validateVac(invalid, rule);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.rule).toMatch(/^vac /);
  });

  const json = Object.entries(CASES).filter(([, [valid]]) => !/Tagged|Map|Uint8Array/.test(kindsIn(valid)));
  it.each(json)('%s: the same in CBOR', (rule, [valid, invalid, path]) => {
    expect(validateVac(recoded(valid), rule)).toEqual([]);
    expect(validateVac(recoded(invalid), rule).map((problem) => problem.path)).toEqual([path]);
  });

  it.each(NEVER_VALID)('%s: nothing finite is valid', (rule) => {
    const inner = [encodeCbor(map()), map([394, [encodeCbor(new Tagged(18, []))]]), null, bytes(1)];
    const value = { Receipt: new Tagged(18, inner), COSE_Sign1: inner, Unprotected_Header: inner[1] }[rule];
    expect(validateVac(value, rule)).not.toEqual([]);
    expect(validateVac({}, rule)).not.toEqual([]);
  });

  it('takes a real receipt all the same, since every label may have any value', () => {
    const receipt = new Tagged(18, [encodeCbor(map([1, -7])), map([396, map([-1, [bytes(1)]])]), null, bytes(1)]);
    expect(validateVac(map([394, [receipt]]), 'unprotected-header')).toEqual([]);
    expect(validateVac(map([394, 5], [100, 'x']), 'unprotected-header')).toEqual([]);
  });

  it('names the rule, the place and what should be there', () => {
    const wrong = {
      ...record,
      session: { ...session, entries: [entry, { type: 'tool-cal' }], 'session-start': 'noon' },
    };
    expect(validateVac(wrong)).toEqual([
      {
        rule: 'vac entry type',
        path: '/session/entries/1/type',
        message: 'must be "user" or "assistant" or "tool-call" or "tool-result" or "reasoning" or "system-event"',
        kind: 'shape',
      },
      {
        rule: 'vac session-trace session-start',
        path: '/session/session-start',
        message: 'must be text as in date-time-regexp',
        kind: 'shape',
      },
    ]);
  });

  it('tells integers from floats, in CBOR', () => {
    expect(validateVac({ ...range, 'end-line': new WholeFloat(2) }, 'range')).toHaveLength(1);
    expect(validateVac({ ...range, 'end-line': 2n ** 63n }, 'range')).toEqual([]);
    expect(validateVac({ ...range, 'end-line': 2n ** 64n }, 'range')).toHaveLength(1);
    expect(validateVac(new WholeFloat(2), 'abstract-timestamp')).toEqual([]);
  });

  it('is not led astray by the names of prototypes', () => {
    expect(validateVac(JSON.parse('{"__proto__":{"type":"ai"}}'), 'contributor').map(({ path }) => path)).toEqual([
      '/type',
      '/__proto__',
    ]);
    expect(validateVac({ constructor: 1, toString: 2 }, 'token-usage')).toEqual([]);
  });
});

function recoded(value: unknown): unknown {
  const decoded = decodeCbor(encodeCbor(value));
  return 'value' in decoded ? decoded.value : undefined;
}

function kindsIn(value: unknown): string {
  return `${Object.prototype.toString.call(value)} ${Array.isArray(value) ? value.map(kindsIn).join() : ''}`;
}

describe('hostile values', () => {
  it('entries in entries, as deep as may be, take no longer than their size', () => {
    const nested = (depth: number): unknown => {
      let inner: unknown = { type: 'x' };
      for (let i = 0; i < depth; i++) inner = { type: 'tool-call', name: 'a', input: 1, children: [inner] };
      return inner;
    };
    expect(validateVac(nested(60), 'entry').map(({ path }) => path)).toEqual([`${'/children/0'.repeat(60)}/type`]);
    expect(validateVac(nested(5000), 'entry')[0]?.message).toBe('must not be nested deeper than 200');
  });

  it('CBOR in CBOR ends too', () => {
    let inner: unknown = bytes(1);
    for (let i = 0; i < 1000; i++) {
      inner = new Tagged(18, [encodeCbor(map()), map([394, [encodeCbor(inner)]]), null, bytes(1)]);
    }
    expect(validateVac(inner, 'Receipt').length).toBeGreaterThan(0);
  });

  it('a record that is wrong everywhere has no more than a thousand problems', () => {
    const wrong = { ...record, session: { ...session, entries: Array.from({ length: 5000 }, () => ({ type: 'x' })) } };
    expect(validateVac(wrong)).toHaveLength(1000);
  });
});

describe('parseCddl', () => {
  it.each([
    ['a = b', 'there is no rule b'],
    ['a = int a = tstr', 'the rule a is there twice'],
    ['a = tstr .size 4', 'the control .size is not known'],
    ['a = { * tstr => any * int => any }', 'more than one open entry'],
    ['a = { b }', 'has no key'],
    ['a = [ int', 'a type is missing'],
    ['a <b> = int', 'is not understood'],
    ['a = { b: int, b: tstr }', 'the key b is there twice'],
  ])('refuses %s', (text, message) => {
    expect(() => parseCddl(text)).toThrow(Fault);
    expect(() => parseCddl(text)).toThrow(message);
  });

  it('arrays: items in order, none given back', () => {
    const grammar = grammarOf('x', parseCddl('a = [? int, * tstr, bstr]'));
    expect(problemsOf(grammar, 'a', [1, 'a', 'b', bytes(1)])).toEqual([]);
    expect(problemsOf(grammar, 'a', [bytes(1)])).toEqual([]);
    expect(problemsOf(grammar, 'a', ['a', 1])).toHaveLength(1);
    expect(problemsOf(grammar, 'a', [1])).toEqual([
      { rule: 'x a', path: '', message: 'must have 1 more', kind: 'shape' },
    ]);
  });

  it('a choice whose options look alike is tried in order', () => {
    const grammar = grammarOf('x', parseCddl('a = { b: int } / { b: tstr }'));
    expect(problemsOf(grammar, 'a', { b: 'x' })).toEqual([]);
    expect(problemsOf(grammar, 'a', { b: null })).toHaveLength(1);
  });
});
