import type { Origin } from '../lines/origin.ts';
import { isInformative, type Lines } from '../lines/text.ts';

interface Place {
  readonly lines: Lines;
  readonly origins: readonly Origin[];
  readonly at: number;
}

/**
 * Lines whose place is lost: deleted and perhaps restored later (undo, stash), or written by an edit that could not be placed. They are
 * recognised by content: a run needs one informative line, and its weak neighbours ride along.
 */
export class Pool {
  readonly #places = new Map<string, Place[]>();

  get empty(): boolean {
    return this.#places.size === 0;
  }

  add(lines: Lines, origins: readonly Origin[]): void {
    lines.forEach((line, at) => {
      if (!isInformative(line)) return;
      const places = this.#places.get(line);
      if (places) places.push({ lines, origins, at });
      else this.#places.set(line, [{ lines, origins, at }]);
    });
  }

  /** For the wanted lines of a text, the origins that the pool knows, as `matched`. */
  find(text: Lines, wanted: ReadonlySet<number>): Map<number, Origin> {
    const found = new Map<number, Origin>();
    for (const index of wanted) {
      const place = found.has(index) ? undefined : this.#findPlace(text[index] ?? '');
      if (!place) continue;
      const take = (offset: number): boolean => {
        const [i, at] = [index + offset, place.at + offset];
        const origin = place.origins[at];
        if (!wanted.has(i) || found.has(i) || !origin || place.lines[at] !== text[i]) return false;
        found.set(i, origin.evidence ? { ...origin, evidence: 'matched' } : origin);
        return true;
      };
      take(0);
      for (let offset = 1; take(offset); offset++);
      for (let offset = -1; take(offset); offset--);
    }
    return found;
  }

  /** The latest place of a line; none when people and agents both wrote this line: then its content proves nothing. */
  #findPlace(line: string): Place | undefined {
    const places = this.#places.get(line);
    const last = places?.at(-1);
    if (!places || !last) return undefined;
    const type = last.origins[last.at]?.type;
    return places.every((place) => place.origins[place.at]?.type === type) ? last : undefined;
  }
}
