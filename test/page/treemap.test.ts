import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, squarify } from '../../src/page/treemap.ts';

const WHOLE: Box = { x: 0, y: 0, width: 600, height: 400 };
const values = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 })
  .map((list) => list.sort((a, b) => b - a));

const over = (a: Box, b: Box) => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
};

describe('squarify', () => {
  it('lays out the example of the paper', () => {
    // 6 6 4 3 2 2 1 in 6 x 4: two large ones upright at the left, 4 and 3 beside each other, the rest in a corner
    const boxes = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
    const rounded = boxes.map(({ x, y, width, height }) => [x, y, width, height].map((n) => Math.round(n * 100) / 100));
    expect(rounded.slice(0, 4)).toEqual([
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
    ]);
  });

  it('gives each value its share of the area', () => {
    fc.assert(
      fc.property(values, (list) => {
        const sum = list.reduce((a, b) => a + b);
        squarify(list, WHOLE).forEach((box, i) => {
          expect(box.width * box.height).toBeCloseTo(((list[i] ?? 0) / sum) * 240_000, 3);
        });
      }),
    );
  });

  it('stays inside, and no box lies on another', () => {
    fc.assert(
      fc.property(values, (list) => {
        const boxes = squarify(list, WHOLE);
        for (const { x, y, width, height } of boxes) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-6);
          expect(x + width).toBeLessThanOrEqual(600 + 1e-6);
          expect(y + height).toBeLessThanOrEqual(400 + 1e-6);
        }
        boxes.forEach((a, i) => {
          for (const b of boxes.slice(i + 1)) expect(over(a, b)).toBeLessThan(1e-3);
        });
      }),
    );
  });
});
