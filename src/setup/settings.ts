import { Fault } from '../fault.ts';
import { readKeys } from '../git/config.ts';
import type { GitPlace } from '../git/run.ts';
import { suggest } from '../suggest.ts';
import { DEFAULT_RETENTION, parseRetention } from './retention.ts';

/** One setting in git's configuration, section `agent`. */
export interface SettingRow {
  readonly name: string;
  readonly kind: 'yes or no' | 'a number' | 'an address with {session}' | 'a period' | 'asked, always or never';
  readonly default: string;
  readonly meaning: string;
}

export const SETTINGS = [
  row('shellSeconds', 'a number', '10', 'a shell command that ran longer only owns the files that it names'),
  row('transcripts', 'yes or no', 'true', "read the agents' own transcripts on this machine"),
  row('push', 'yes or no', 'true', 'git push takes the notes along'),
  row(
    'conversationUrl',
    'an address with {session}',
    '',
    'address of a conversation, made of {session} and {event}; empty: agentlog:SESSION#EVENT; notes that are written keep theirs',
  ),
  row(
    'retention',
    'a period',
    DEFAULT_RETENTION,
    'how long sessions are kept that no note refers to, such as 90 days, 1 year or never; git agent gc removes older ones',
  ),
  row(
    'share',
    'asked, always or never',
    'asked',
    'which conversations a push of notes publishes: those that git agent share was asked for, always all that notes refer to, or never any',
  ),
] as const satisfies readonly SettingRow[];

/** The settings as the program uses them. */
export interface Settings {
  readonly shellSeconds: number;
  readonly transcripts: boolean;
  readonly conversationUrl: string;
  /** Names of git's filters that change files when they are staged. */
  readonly filters: readonly string[];
}

function row(name: string, kind: SettingRow['kind'], value: string, meaning: string): SettingRow {
  return { name: `agent.${name}`, kind, default: value, meaning };
}

export async function readSettings(place: GitPlace): Promise<Settings> {
  return parseSettings(await readKeys(place, '^(agent\\.|filter\\..*\\.(clean|process)$)'));
}

/** A value that makes no sense counts as not said: a setting must not stop a hook or a blame. */
export function parseSettings(values: ReadonlyMap<string, readonly string[]>): Settings {
  const said = (name: string): string => {
    const found = findSetting(name);
    const value = values.get(`agent.${name.toLowerCase()}`)?.at(-1);
    return value !== undefined && isValid(found, value) ? value : found.default;
  };
  return {
    shellSeconds: Number(said('shellSeconds')),
    transcripts: isYes(said('transcripts')),
    conversationUrl: said('conversationUrl'),
    filters: filtersIn(values),
  };
}

/** What Git LFS stores in place of a file is known by its looks (`join/pointer.ts`), and nearly everybody has that one configured. */
function filtersIn(values: ReadonlyMap<string, readonly string[]>): string[] {
  const named = [...values].map(
    ([key, said]) => said.at(-1) !== '' && /^filter\.(.*)\.(?:clean|process)$/.exec(key)?.[1],
  );
  return [...new Set(named)].filter((name) => typeof name === 'string' && name !== 'lfs') as string[];
}

/** With or without `agent.`; git does not tell upper from lower case here. */
export function findSetting(name: string): SettingRow {
  const wanted = name.replace(/^agent\./i, '').toLowerCase();
  const found = SETTINGS.find((setting) => setting.name.toLowerCase() === `agent.${wanted}`);
  if (found) return found;
  const names = SETTINGS.map((setting) => setting.name);
  const near = suggest(`agent.${wanted}`, names);
  const hint = near ? `did you mean ${near}?` : `there are: ${names.join(', ')}.`;
  throw new Fault('usage', `There is no setting ${name}: ${hint}`);
}

export function isValid({ kind }: SettingRow, value: string): boolean {
  switch (kind) {
    case 'yes or no':
      return /^(true|false|yes|no|on|off|0|1|)$/i.test(value);
    case 'a number':
      return /^\d{1,9}$/.test(value);
    case 'an address with {session}':
      return value === '' || /^[a-z][a-z0-9+.-]*:[^\s\0]*\{session\}[^\s\0]*$/i.test(value);
    case 'a period':
      return parseRetention(value) !== undefined;
    case 'asked, always or never':
      return /^(asked|always|never)$/.test(value);
  }
}

/** What can be said, where that is a list; of a period, examples. */
export function valuesOf({ kind }: SettingRow): readonly string[] {
  switch (kind) {
    case 'yes or no':
      return ['true', 'false'];
    case 'asked, always or never':
      return ['asked', 'always', 'never'];
    case 'a period':
      return ['90.days', '12.months', 'never'];
    case 'a number':
    case 'an address with {session}':
      return [];
  }
}

function isYes(value: string): boolean {
  return /^(true|yes|on|1)$/i.test(value);
}
