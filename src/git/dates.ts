import { Fault } from '../fault.ts';
import { askGit, type GitPlace } from './run.ts';

/** Refuses dates that git makes nothing of: its readers of dates take those for now, and do not say so. */
export async function refuseOddDates(
  place: GitPlace,
  dates: Iterable<readonly [option: string, text: string]>,
): Promise<void> {
  const asked = [...dates].map(async ([option, text]) => ({ option, text, fine: await isDate(place, text) }));
  const odd = (await Promise.all(asked)).find(({ fine }) => !fine);
  if (!odd) return;
  const like = '2026-01-31, "2026-01-31 14:05", "2 weeks ago", yesterday or midnight';
  throw new Fault('usage', `${odd.option} takes a date, not "${odd.text}": say for example ${like}.`);
}

/** A day that there is, where it is told by numbers; git would count on from one that is none. A year alone would be today's day in it. */
async function isDate(place: GitPlace, text: string): Promise<boolean> {
  if (/^\d{1,4}(-\d*)?$/.test(text)) return false;
  const [, day] = /^(\d{4}-\d{1,2}-\d{1,2})(?!\d)/.exec(text) ?? [];
  if (day !== undefined && !isDay(day)) return false;
  // of all that git offers, only this type of a setting says that it has read no date
  const args = ['-c', `agent.date=${text}`, 'config', '--type=expiry-date', '--get', 'agent.date'];
  return (await askGit(place, args)).code === 0;
}

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
