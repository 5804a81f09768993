import { isObject } from '../json.ts';

export interface Limits {
  /** Characters of one string. */
  readonly string: number;
  /** Items of one list. */
  readonly items: number;
  /** Characters of all strings together. */
  readonly total: number;
}

/** The same value, cut where it is too long to be told: what is cut off is counted. Shapes stay as they are. */
export function capped(value: unknown, limits: Limits): unknown {
  let left = limits.total;
  const cut = (text: string) => {
    const most = Math.min(limits.string, Math.max(0, left));
    left -= Math.min(text.length, most);
    return text.length <= most ? text : `${wellFormed(text.slice(0, most))}… (${text.length - most} more characters)`;
  };
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return cut(one);
    if (Array.isArray(one)) return one.slice(0, limits.items).map(walk);
    if (!isObject(one)) return one;
    const entries = Object.entries(one).slice(0, limits.items);
    return Object.fromEntries(entries.map(([key, inside]) => [key, walk(inside)]));
  };
  return walk(value);
}

/** Without half a character at its end. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
