import { Fault } from '../fault.ts';
import { type Clock, DAYS, MONTHS, type Moment, two, type WallClock, wallClock, zoneMinutes } from './moment.ts';
import { strftime } from './strftime.ts';

export type PrintDate = (moment: Moment) => string;

const ALIASES = new Map([
  ['iso8601', 'iso'],
  ['iso8601-strict', 'iso-strict'],
  ['rfc2822', 'rfc'],
]);

/** Git's own date formats by their names in `--date` and `blame.date`; `looked` says whether a person looks, for `auto:`. */
export function parseDateFormat(asked: string, clock: Clock, looked: boolean): PrintDate {
  const { name, local, pattern } = readName(asked, looked);
  const print = pattern === undefined ? printerOf(name, clock, local) : (at: WallClock) => strftime(pattern, at);
  return ({ seconds, zone }) => print(wallClock({ seconds, zone: local ? clock.zoneAt(seconds) : zone }));
}

function readName(asked: string, looked: boolean): { name: string; local: boolean; pattern?: string } {
  const auto = asked.startsWith('auto:');
  const full = auto ? (looked ? asked.slice('auto:'.length) : 'default') : asked;
  const format = /^format(-local)?:(.*)$/s.exec(full);
  if (format) return { name: 'format', local: format[1] !== undefined, pattern: format[2] ?? '' };
  if (full === 'local') return { name: 'default', local: true };
  const local = full.endsWith('-local');
  const base = local ? full.slice(0, -'-local'.length) : full;
  return { name: ALIASES.get(base) ?? base, local };
}

function printerOf(name: string, clock: Clock, local: boolean): (at: WallClock) => string {
  switch (name) {
    case 'iso':
      return (at) => `${day(at)} ${time(at)} ${at.zone}`;
    case 'iso-strict':
      return rfc3339;
    case 'rfc':
      return (at) => `${weekday(at)}, ${at.day} ${monthName(at)} ${at.year} ${time(at)} ${at.zone}`;
    case 'short':
      return day;
    case 'default':
      return (at) => `${weekday(at)} ${monthName(at)} ${at.day} ${time(at)} ${at.year}${local ? '' : ` ${at.zone}`}`;
    case 'raw':
      return (at) => `${at.seconds} ${at.zone}`;
    case 'unix':
      return (at) => String(at.seconds);
    case 'relative':
      return (at) => relative(at.seconds, clock.now);
    case 'human':
      return (at) => human(at, clock, local);
    default:
      throw new Fault(
        'usage',
        `There is no date format ${name}: use iso, short, relative, human, rfc, raw, unix, default or format:PATTERN.`,
      );
  }
}

function day(at: WallClock): string {
  return `${String(at.year).padStart(4, '0')}-${two(at.month + 1)}-${two(at.day)}`;
}

function time(at: WallClock): string {
  return `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`;
}

function weekday(at: WallClock): string {
  return DAYS[at.weekday]?.slice(0, 3) ?? '';
}

function monthName(at: WallClock): string {
  return MONTHS[at.month]?.slice(0, 3) ?? '';
}

/** Also git's iso-strict; Z for Greenwich as git prints it since 2.45. */
export function rfc3339(at: WallClock): string {
  const zone = zoneMinutes(at.zone) === 0 ? 'Z' : `${at.zone.slice(0, 3)}:${at.zone.slice(3)}`;
  return `${day(at)}T${time(at)}${zone}`;
}

/** Git's steps, rounding included (date.c, show_date_relative). */
export function relative(seconds: number, now: number): string {
  if (now < seconds) return 'in the future';
  let ago = now - seconds;
  if (ago < 90) return `${plural(ago, 'second')} ago`;
  ago = Math.floor((ago + 30) / 60);
  if (ago < 90) return `${plural(ago, 'minute')} ago`;
  ago = Math.floor((ago + 30) / 60);
  if (ago < 36) return `${plural(ago, 'hour')} ago`;
  ago = Math.floor((ago + 12) / 24);
  if (ago < 14) return `${plural(ago, 'day')} ago`;
  if (ago < 70) return `${plural(Math.floor((ago + 3) / 7), 'week')} ago`;
  if (ago < 365) return `${plural(Math.floor((ago + 15) / 30), 'month')} ago`;
  if (ago >= 1825) return `${plural(Math.floor((ago + 183) / 365), 'year')} ago`;
  const months = Math.floor((ago * 24 + 365) / 730);
  const rest = months % 12 === 0 ? '' : `, ${plural(months % 12, 'month')}`;
  return `${plural(Math.floor(months / 12), 'year')}${rest} ago`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Git's `human`: leaves out what the reader knows (date.c, show_date_normal). */
function human(at: WallClock, clock: Clock, local: boolean): string {
  const here = wallClock({ seconds: clock.now, zone: clock.zoneAt(clock.now) });
  const sameYear = at.year === here.year;
  const sameMonth = sameYear && at.month === here.month;
  if (sameMonth && at.day === here.day) return relative(at.seconds, clock.now);
  if (!sameYear) return `${monthName(at)} ${at.day} ${at.year}`;
  // a few days ago: the weekday says enough
  const near = sameMonth && at.day < here.day && at.day + 5 > here.day;
  const clockTime = `${two(at.hour)}:${two(at.minute)}`;
  if (!near) return `${weekday(at)} ${monthName(at)} ${at.day} ${clockTime}`;
  return `${weekday(at)} ${clockTime}${local || at.zone === here.zone ? '' : ` ${at.zone}`}`;
}
