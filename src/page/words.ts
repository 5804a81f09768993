/** 48,210: the same everywhere, whatever the reader's settings. */
export function figure(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Something is never nothing, and nearly everything is not everything. */
export function percent(fraction: number): string {
  if (fraction > 0 && fraction < 0.01) return '<1%';
  if (fraction < 1 && fraction > 0.99) return '>99%';
  return `${Math.round(fraction * 100)}%`;
}

export function many(count: number, one: string, more = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : more}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** 2 Mar 2026, in UTC. */
export function day(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return 'no date';
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `2026-03-02` and `2026-03` as a person writes them; a year is one already. */
export function calendar(key: string): string {
  const [year = '', month, date] = key.split('-');
  const named = month ? `${MONTHS[Number(month) - 1] ?? month} ${year}` : year;
  return date ? `${Number(date)} ${named}` : named;
}

export function shortId(commit: string): string {
  return commit.slice(0, 8);
}

/** A number for a place on the page: two digits after the point are finer than a screen. */
export function place(value: number): string {
  return String(Math.round(value * 100) / 100);
}
