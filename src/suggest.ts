/** The word nearest to what was typed, if it is near enough to have been meant. */
export function suggest(typed: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const word of words) {
    const distance = typed.length > 3 && word.startsWith(typed) ? 0 : editDistance(typed.slice(0, 40), word);
    if (distance < least) {
      least = distance;
      best = word;
    }
  }
  return best;
}

/** Letters to insert, delete, replace, or change places with the next one. */
function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const turned = swapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, turned, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
