import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printAzureOutputs, printAzureSummary, printOutputs } from '../../src/forge/index.ts';

/** How the runner reads the file: name<<FENCE, lines, FENCE. */
function read(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split('\n');
  while (lines.length > 1) {
    const [name = '', fence = ''] = (lines.shift() ?? '').split('<<');
    const end = lines.indexOf(fence);
    values[name] = lines
      .splice(0, end + 1)
      .slice(0, end)
      .join('\n');
  }
  return values;
}

describe('outputs', () => {
  it('come back as they were, whatever is in them', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('END_0', 'a\nEND_0\nEND_1\n', 'x<<END_0'));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(read(printOutputs({ share: a, report: b }))).toEqual({ share: a, report: b });
      }),
    );
  });

  it('for Azure are lines that cannot say more than one thing', () => {
    expect(printAzureOutputs({ share: '40%\n##vso[x]' })).toBe(
      '##vso[task.setvariable variable=share;isOutput=true]40%AZP25%0A##vso[x]\n',
    );
    expect(printAzureSummary('/tmp/a\nb.md')).toBe('##vso[task.uploadsummary]/tmp/a%0Ab.md\n');
  });

  it('have plain names', () => expect(() => printOutputs({ 'a<<b': '' })).toThrow(/cannot be the name/));
});
