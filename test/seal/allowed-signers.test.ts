import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllowedSigners, parseTime } from '../../src/seal/allowed-signers.ts';
import { printKey } from '../../src/seal/keys.ts';
import { matchesList } from '../../src/seal/pattern.ts';
import { CASES } from '../support/cases.ts';
import { newPair } from './ada.ts';

const KEY = printKey(newPair('ssh-ed25519').key);
const RSA = `ssh-rsa ${Buffer.from('\0\0\0\x07ssh-rsa\0\0\0\x03\x01\0\x01', 'latin1').toString('base64')}`;

describe('allowed signers', () => {
  it('reads lines of every form', () => {
    const { signers, problems } = parseAllowedSigners(
      [
        '# people',
        '',
        `ada@example.com ${KEY} a comment`,
        `"ada@example.com,*@example.org"\tNameSpaces="git,agent-blame",VALID-AFTER="20260101Z",valid-before="20270101Z"   ${KEY}\r`,
        `* cert-authority ${KEY}`,
        `  bob ${RSA}`,
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    expect(signers).toMatchObject([
      { line: 3, principals: 'ada@example.com', type: 'ssh-ed25519', authority: false },
      {
        line: 4,
        principals: 'ada@example.com,*@example.org',
        namespaces: 'git,agent-blame',
        validAfter: Date.UTC(2026, 0, 1),
        validBefore: Date.UTC(2027, 0, 1),
      },
      { line: 5, authority: true },
      { line: 6, type: 'ssh-rsa' },
    ]);
    expect(signers.map(({ key }) => key !== undefined)).toEqual([true, true, true, false]);
  });

  it.each([
    [`ada`, 'there is no key in it'],
    [`ada namespaces=git ${KEY}`, 'the options are not understood at "namespaces=git"'],
    [`ada namespaces ${KEY}`, 'the option namespaces has no value in quotation marks'],
    [`ada namespaces="git ${KEY}`, 'a quotation mark is not closed'],
    [`ada namespaces="a",namespaces="b" ${KEY}`, 'the option namespaces is there twice'],
    [`ada cert-authority="x" ${KEY}`, 'the option cert-authority takes no value'],
    [`ada no-touch-required ${KEY}`, 'the option "no-touch-required" is not known'],
    [`ada valid-before="20260231" ${KEY}`, 'the time of valid-before is not understood'],
    [`ada valid-after="tomorrow" ${KEY}`, 'the time of valid-after is not understood'],
    [`ada valid-after="20260102",valid-before="20260101" ${KEY}`, 'the key ends before it begins to be valid'],
    [`ada ssh-ed25519 AAAA`, 'the options are not understood at "ssh-ed25519"'],
    [`ada ${'x'.repeat(70_000)}`, 'the line is too long'],
  ])('a line that is not understood allows nobody: %.60s', (line, message) => {
    // a strange option is never read as a line without it
    expect(parseAllowedSigners(`${line}\nbob ${KEY}`)).toMatchObject({
      signers: [{ line: 2, principals: 'bob' }],
      problems: [{ line: 1, message }],
    });
  });

  it.each([
    ['20260301Z', Date.UTC(2026, 2, 1)],
    ['202603011530Z', Date.UTC(2026, 2, 1, 15, 30)],
    ['20260301153059Z', Date.UTC(2026, 2, 1, 15, 30, 59)],
    ['20240229', new Date(2024, 1, 29).getTime()],
    ['20230229', undefined],
    ['20261301', undefined],
    ['2026030125Z', undefined],
    ['202603012460Z', undefined],
    ['', undefined],
  ])('time %s', (text, wanted) => expect(parseTime(text)).toBe(wanted));

  it('takes any text without a crash', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...' "=,\\a-\n', KEY) }), (text) => {
        parseAllowedSigners(text);
      }),
    );
  });
});

describe('patterns', () => {
  it.each([
    ['ada@example.com', 'ada@example.com', true],
    ['ada@example.com', '*', true],
    ['ada@example.com', '*@example.???', true],
    ['ada@example.com', 'a*a@*.com', true],
    ['ada@example.com', 'Ada@example.com', false],
    ['ada@example.com', 'ada@example.co', false],
    ['ada@example.com', 'bob,ada@*', true],
    ['ada@example.com', '*,!ada@*', false],
    ['ada@example.com', '!bob', false],
    ['', '*', true],
    ['', '?', false],
    ['a.c', 'a?c', true],
    ['abc', 'a.c', false],
  ])('%s and %s: %s', (text, list, wanted) => expect(matchesList(text, list)).toBe(wanted));

  it('are what the same regular expression would match', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 6 });
    fc.assert(
      fc.property(letters, pattern, (text, glob) => {
        const same = new RegExp(`^${glob.replaceAll('?', '.').replaceAll('*', '.*')}$`);
        return matchesList(text, glob) === same.test(text);
      }),
      { numRuns: CASES },
    );
  });

  it('end soon, however they are made', () => {
    const before = performance.now();
    expect(matchesList('a'.repeat(1000), `${'*a'.repeat(500)}b`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
