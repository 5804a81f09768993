/** A moment as git keeps it: seconds since 1970, and the writer's zone as `+0100`. */
export interface Moment {
  readonly seconds: number;
  readonly zone: string;
}

/** What dates depend on besides the moment. */
export interface Clock {
  /** Seconds since 1970. */
  readonly now: number;
  /** The reader's own zone at a moment, as `+0100`. */
  zoneAt(seconds: number): string;
}

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The fields of a moment as the clock on the wall of its zone shows them. */
export interface WallClock extends Moment {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function wallClock({ seconds, zone }: Moment): WallClock {
  const date = new Date((seconds + zoneMinutes(zone) * 60) * 1000);
  return {
    seconds,
    zone,
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

export function zoneMinutes(zone: string): number {
  const value = Math.abs(Number(zone)) || 0;
  return (zone.startsWith('-') ? -1 : 1) * (Math.floor(value / 100) * 60 + (value % 100));
}

/** Minutes east of Greenwich as git writes them: 90 -> +0130. */
export function printZone(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

export function two(value: number): string {
  return String(value).padStart(2, '0');
}
