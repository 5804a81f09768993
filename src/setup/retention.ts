/** How long recorded sessions are kept that no note refers to. */
export type Retention = 'never' | { readonly count: number; readonly unit: 'day' | 'week' | 'month' | 'year' };

/** What the draft on verifiable agent conversations recommends. */
export const DEFAULT_RETENTION = '12 months';

/** `12 months`, `90 days`, `1 year`, `never`. Nothing at all is no period: it would remove what happened a moment ago. */
export function parseRetention(text: string): Retention | undefined {
  const said = text.trim().toLowerCase();
  if (said === 'never') return 'never';
  const [, digits, word] = /^([1-9]\d{0,4})[ .]?(day|week|month|year)s?$/.exec(said) ?? [];
  const unit = (['day', 'week', 'month', 'year'] as const).find((one) => one === word);
  return digits && unit ? { count: Number(digits), unit } : undefined;
}

export function printRetention(retention: Retention): string {
  if (retention === 'never') return 'never';
  return `${retention.count} ${retention.unit}${retention.count === 1 ? '' : 's'}`;
}

const DAY = 86_400_000;

/** What happened before this moment is older than the period; undefined: nothing ever is. */
export function cutoffOf(retention: Retention, now: number): number | undefined {
  if (retention === 'never') return undefined;
  const { count, unit } = retention;
  if (unit === 'day' || unit === 'week') return now - count * (unit === 'week' ? 7 : 1) * DAY;
  const months = unit === 'year' ? count * 12 : count;
  const at = new Date(now);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - months);
  // a month before the 31st of March is the last of February, not the 3rd of March
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.getTime();
}

/** Twelve months are 365 days or 366; 52 weeks are less. */
export function isAtLeastAYear(retention: Retention): boolean {
  if (retention === 'never') return true;
  const { count, unit } = retention;
  return count >= { day: 365, week: 53, month: 12, year: 1 }[unit];
}
