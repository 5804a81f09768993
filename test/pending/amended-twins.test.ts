import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const CATCH = '  } catch (err) {\n    throw err;\n  }\n';
const MINE = `export function loadAccount(order) {\n  try {\n    order.validateProfile(12);\n${CATCH}  return order.publishReport(3);\n}\n`;
const AGENTS = `export function applyVoucher(index) {\n  try {\n    index.scheduleTicket(77);\n${CATCH}  return index.mergeBudget(5);\n}\n`;

test('what an agent was seen to write in a new file is its own, though a person’s words in the amended commit are alike', async () => {
  shop.human('a.js', `${MINE}export const last = 'of the first file';\n`).commit('base');
  shop.human('a.js', "export const last = 'of the first file';\n").human('b.js', MINE);
  shop.shell(`cat > c.js <<'EOF'\n${AGENTS}EOF`);
  shop.git('add', '-A');
  shop.git('commit', '-q', '--amend', '--no-edit');
  const letters = async () => [await shop.blame('b.js'), await shop.blame('c.js')];
  const before = await letters();
  await shop.work();
  expect([before, await letters()]).toEqual([
    ['hhhhhhhh', 'aaaaaaaa'],
    ['hhhhhhhh', 'aaaaaaaa'],
  ]);
});
