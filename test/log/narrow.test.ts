import { expect, test } from 'vitest';
import { printContribution, printLogLegend } from '../../src/log/text.ts';
import { paintWith } from '../../src/terminal/colour.ts';

const SESSION = 'e3e55f47-1111-4111-8111-111111111111';
const ONE = {
  tool: { name: 'claude-code' },
  models: ['anthropic/claude-sonnet-4-5-20250929'],
  session: SESSION,
  conversation: null,
  lines: 3,
};

test.each([
  [120, `claude-code claude-sonnet-4-5, session ${SESSION}, 3 lines`],
  [80, 'claude-code claude-sonnet-4-5, session e3e55f47, 3 lines'],
  [50, 'claude-code, session e3e55f47, 3 lines'],
  [30, 'session e3e55f47, 3 lines'],
])('%i columns: %s', (width, told) => {
  const screen = { width, paint: paintWith(false), link: (text: string) => text };
  expect(printContribution(ONE, screen)).toBe(told);
  expect(printLogLegend(screen).length).toBeLessThanOrEqual(Math.max(width, 37));
});
