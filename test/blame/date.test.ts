import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDateFormat } from '../../src/blame/date.ts';
import { type Clock, printZone } from '../../src/blame/moment.ts';
import { Fault } from '../../src/fault.ts';
import { removeFolder } from '../support/remove.ts';

const NOW = 1_767_355_200; // 2026-01-02 12:00:00 UTC, a Friday
const clock: Clock = { now: NOW, zoneAt: () => '+0200' };
const DAY = 86_400;

const MOMENTS = [
  0,
  45,
  3599,
  5400,
  7200,
  1.4 * DAY,
  3 * DAY,
  13.4 * DAY,
  40 * DAY,
  80 * DAY,
  300 * DAY,
  400 * DAY,
  365 * DAY,
  1700 * DAY,
  4000 * DAY,
]
  .map((ago) => NOW - Math.round(ago))
  .concat(NOW + 100, 1_000_000_000, 86_399);
const ZONES = ['+0000', '-0730', '+0545', '+1400', '+0200'];
const FORMATS = [
  ...[
    'iso',
    'iso8601',
    'iso-strict',
    'rfc',
    'rfc2822',
    'short',
    'default',
    'raw',
    'unix',
    'relative',
    'human',
    'local',
    'auto:iso',
  ],
  ...[
    'iso-local',
    'rfc-local',
    'default-local',
    'raw-local',
    'short-local',
    'human-local',
    'unix-local',
    'iso8601-strict-local',
  ],
  'format:%Y/%m/%d %H.%M.%S %z %s %a %A %b %B %e %j %I %p %y %C %u %w %U %W %F %T %R %D %% %c %x %X %r %h',
  'format-local:%c',
];

let dir: string;
const git = (args: string[], env: Record<string, string> = {}) =>
  execFileSync('git', args, { cwd: dir, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', ...env } }).trimEnd();

beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'date-'));
  git(['init', '-q']);
});
afterAll(() => removeFolder(dir));

describe("dates are git's own", () => {
  it.each(FORMATS)('%s', (format) => {
    const cases = MOMENTS.flatMap((seconds) => ZONES.map((zone) => ({ seconds, zone })));
    // fast-import makes all commits in one process; git log prints them newest first
    const stream = cases.map(
      ({ seconds, zone }, i) =>
        `commit refs/heads/${i}\nauthor A <a> ${seconds} ${zone}\ncommitter A <a> 1 +0000\ndata 0\n\n`,
    );
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: dir, input: stream.join('') });
    const args = ['for-each-ref', '--sort=refname', `--format=%(refname:lstrip=2) %(authordate:${format})`];
    // POSIX writes zones the other way round: UTC-2 is two hours east
    const printed = git(args, { TZ: 'UTC-2', GIT_TEST_DATE_NOW: String(NOW) }).split('\n');
    const print = parseDateFormat(format, clock, false);
    const strictZero = (text: string) => text.replace(/\+00:00$/, 'Z'); // git before 2.45
    expect(printed).toHaveLength(cases.length);
    for (const line of printed) {
      const [index = '', ...rest] = line.split(' ');
      const moment = cases[Number(index)];
      if (!moment) throw new Error(`no case ${index}`);
      expect(`${JSON.stringify(moment)} ${print(moment)}`).toBe(
        `${JSON.stringify(moment)} ${strictZero(rest.join(' '))}`,
      );
    }
  });

  it('refuses what git does not know', () => {
    for (const name of ['bogus', '', 'isolocal', '__proto__', 'constructor']) {
      expect(() => parseDateFormat(name, clock, true)).toThrow(Fault);
    }
  });

  it('auto: gives its format to a person and the default to a pipe', () => {
    const moment = { seconds: NOW, zone: '+0000' };
    expect(parseDateFormat('auto:short', clock, true)(moment)).toBe('2026-01-02');
    expect(parseDateFormat('auto:short', clock, false)(moment)).toBe('Fri Jan 2 12:00:00 2026 +0000');
  });

  it('a strict date is the moment itself', () => {
    const print = parseDateFormat('iso-strict', clock, false);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), fc.integer({ min: -840, max: 840 }), (seconds, minutes) => {
        expect(Date.parse(print({ seconds, zone: printZone(minutes) }))).toBe(seconds * 1000);
      }),
    );
  });
});
