import { DAYS, MONTHS, two, type WallClock } from './moment.ts';

const DAY = 86_400;

/** Day of the year from 0. */
function dayOfYear(at: WallClock): number {
  return Math.round((Date.UTC(at.year, at.month, at.day) - Date.UTC(at.year, 0, 1)) / (DAY * 1000));
}

/** The C locale's strftime, for `--date=format:...`; what it does not know it prints as it stands, as C libraries do. */
const FIELDS: Readonly<Record<string, (at: WallClock) => string>> = {
  Y: (at) => String(at.year),
  C: (at) => two(Math.floor(at.year / 100)),
  y: (at) => two(at.year % 100),
  m: (at) => two(at.month + 1),
  d: (at) => two(at.day),
  e: (at) => String(at.day).padStart(2, ' '),
  H: (at) => two(at.hour),
  I: (at) => two(at.hour % 12 || 12),
  M: (at) => two(at.minute),
  S: (at) => two(at.second),
  p: (at) => (at.hour < 12 ? 'AM' : 'PM'),
  a: (at) => (DAYS[at.weekday] ?? '').slice(0, 3),
  A: (at) => DAYS[at.weekday] ?? '',
  b: (at) => (MONTHS[at.month] ?? '').slice(0, 3),
  h: (at) => (MONTHS[at.month] ?? '').slice(0, 3),
  B: (at) => MONTHS[at.month] ?? '',
  j: (at) => String(dayOfYear(at) + 1).padStart(3, '0'),
  u: (at) => String(at.weekday || 7),
  w: (at) => String(at.weekday),
  U: (at) => two(Math.floor((dayOfYear(at) + 7 - at.weekday) / 7)),
  W: (at) => two(Math.floor((dayOfYear(at) + 7 - ((at.weekday + 6) % 7)) / 7)),
  F: (at) => strftime('%Y-%m-%d', at),
  T: (at) => strftime('%H:%M:%S', at),
  R: (at) => strftime('%H:%M', at),
  D: (at) => strftime('%m/%d/%y', at),
  x: (at) => strftime('%m/%d/%y', at),
  X: (at) => strftime('%H:%M:%S', at),
  r: (at) => strftime('%I:%M:%S %p', at),
  c: (at) => strftime('%a %b %e %H:%M:%S %Y', at),
  s: (at) => String(at.seconds),
  z: (at) => at.zone,
  // git knows the name of no zone but the reader's own, and prints none
  Z: () => '',
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

export function strftime(pattern: string, at: WallClock): string {
  return pattern.replace(/%([A-Za-z%])/g, (whole, letter: string) =>
    Object.hasOwn(FIELDS, letter) ? (FIELDS[letter]?.(at) ?? whole) : whole,
  );
}
