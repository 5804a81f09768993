import { describe, expect, test } from 'vitest';
import { makeUp, rightHands, type Setting, tell } from './made-up.ts';

/** More of them, and others, on demand: `MADE_UP=100000 MADE_UP_FROM=7`. */
const COUNT = Number(process.env.MADE_UP ?? 500);
const FROM = Number(process.env.MADE_UP_FROM ?? 1);

const SETTINGS: Readonly<Record<string, Setting & { readonly lost: number }>> = {
  'some lines are everybody’s': { common: ['}', '', 'return null;', 'break;'], own: 0.4, steps: 5, lost: 0.015 },
  'most are': { common: ['}', '', 'return null;'], own: 0.25, steps: 6, lost: 0.02 },
};

describe('made-up histories of repeated lines: nobody is named who cannot have written it', () => {
  test.each(Object.entries(SETTINGS))('%s', (_, setting) => {
    const wrong: string[] = [];
    let [lines, lost] = [0, 0];
    for (let seed = FROM; seed < FROM + COUNT; seed++) {
      const history = makeUp(seed, setting);
      const hands = rightHands(history);
      tell(history).forEach((told, i) => {
        lines++;
        if (hands[i]?.has(told)) return;
        if (told === 'unknown' || told === 'mixed') lost++;
        else wrong.push(`seed ${seed}, line ${i + 1} is by ${[...(hands[i] ?? [])].join(' or ')}, told: ${told}`);
      });
    }
    if (process.env.MADE_UP) console.log(`${lines} lines, ${wrong.length} wrong, ${lost} lost`);
    expect(wrong).toEqual([]);
    expect(lost / lines).toBeLessThan(setting.lost);
  });
});
