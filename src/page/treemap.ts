export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Boxes that fill `whole` in proportion to `values`, as nearly square as rows allow (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).
 * Values are above nothing and fall; boxes come in their order.
 */
export function squarify(values: readonly number[], whole: Box): Box[] {
  const sum = values.reduce((all, value) => all + value, 0);
  const scale = (whole.width * whole.height) / sum;
  const areas = values.map((value) => value * scale);
  const boxes: Box[] = [];
  let rest = whole;
  let from = 0;
  while (from < areas.length) {
    const to = rowEnd(areas, from, Math.min(rest.width, rest.height));
    const row = layRow(areas.slice(from, to), rest);
    boxes.push(...row.boxes);
    rest = row.rest;
    from = to;
  }
  return boxes;
}

/** A row takes boxes along the short side as long as the worst of them becomes no worse. */
function rowEnd(areas: readonly number[], from: number, side: number): number {
  const largest = areas[from] ?? 0;
  let [sum, worst, to] = [0, Number.POSITIVE_INFINITY, from];
  for (; to < areas.length; to++) {
    const area = areas[to] ?? 0;
    const wider = sum + area;
    const next = Math.max((side ** 2 * largest) / wider ** 2, wider ** 2 / (side ** 2 * area));
    if (next > worst) break;
    [sum, worst] = [wider, next];
  }
  // numbers too far apart to compare: one box at least, so that it ends
  return Math.max(to, from + 1);
}

function layRow(areas: readonly number[], rest: Box): { readonly boxes: Box[]; readonly rest: Box } {
  const sum = areas.reduce((all, area) => all + area, 0);
  const { x, y, width, height } = rest;
  const upright = width >= height;
  const depth = upright ? sum / height : sum / width;
  let along = 0;
  const boxes = areas.map((area) => {
    const length = area / depth;
    const box = upright
      ? { x, y: y + along, width: depth, height: length }
      : { x: x + along, y, width: length, height: depth };
    along += length;
    return box;
  });
  const left = upright
    ? { x: x + depth, y, width: Math.max(0, width - depth), height }
    : { x, y: y + depth, width, height: Math.max(0, height - depth) };
  return { boxes, rest: left };
}
