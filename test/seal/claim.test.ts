import { expect, it } from 'vitest';
import { printClaims } from '../../src/seal/claim.ts';

it('trace metadata is shown as what it is, whatever is in it', () => {
  const claims = new Map<unknown, unknown>([
    ['session-id', 's-1'],
    ['\u001b[31m', [1, true, null, 2n ** 60n]],
    [7, new Map([['a', Uint8Array.of(1, 255)]])],
  ]);
  expect(printClaims(claims)).toBe(
    'session-id "s-1", "\\u001b[31m" [1,true,null,"1152921504606846976"], 7 {"a":"01ff"}',
  );
});
