import { afterEach, describe, expect, test } from 'vitest';
import { Pen } from '../../bench/truth/line.ts';
import { shortly } from '../../bench/truth/random.ts';
import { Stage } from '../../bench/truth/stage.ts';
import { type BlameJson, openWorkshop, type Workshop } from '../support/workshop.ts';

interface ReportRun {
  readonly start: number;
  readonly end: number;
  readonly commit: string;
  readonly type: string;
  readonly evidence: string | null;
  readonly via: string | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly event: string | null;
  readonly trace: string | null;
}
type Kinds = Readonly<Record<'total' | 'ai' | 'human' | 'mixed' | 'unknown', number>>;
interface ReportJson {
  readonly counts: Kinds;
  readonly by: Readonly<Record<string, readonly { readonly key: string; readonly counts: Kinds }[]>>;
  readonly files: readonly { readonly path: string; readonly counts: Kinds; readonly runs: readonly ReportRun[] }[];
}

let shop: Workshop;
afterEach(() => shop.remove());

async function json<T>(...args: string[]): Promise<T> {
  const { stdout, stderr } = await shop.agent(...args, '--format', 'json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as T;
}

const said = (one: Omit<ReportRun, 'start' | 'end' | 'commit'>) =>
  [one.type, one.evidence, one.via, one.reason, one.session, one.event, one.trace].join(' ');

/** Every line of a report by an address of its own. */
function linesOf({ files }: ReportJson, address: (path: string, run: ReportRun, line: number) => string) {
  const all = new Map<string, string>();
  for (const { path, runs } of files) {
    for (const run of runs) {
      for (let line = run.start; line <= run.end; line++) {
        expect(all.has(address(path, run, line)), 'counted once').toBe(false);
        all.set(address(path, run, line), said(run));
      }
    }
  }
  return all;
}

type Blamed = BlameJson['lines'][number] & {
  readonly originalFile: string;
  readonly originalLine: number;
  readonly trace: string | null;
};

describe('report, check and blame never disagree on a line', () => {
  test.each([1, 2, 3])('after the walk %i through git', async (seed) => {
    shop = await openWorkshop();
    const stage = new Stage(shop, new Pen(seed % 2 ? 'unique' : 'repeated', seed));
    await shortly(stage);
    if (seed % 3 === 0) await shop.work();
    shop.git('stash', '-q', '-u', '--include-untracked');
    const [added, standing] = [await json<ReportJson>('report'), await json<ReportJson>('report', '--standing')];
    const byOrigin = linesOf(added, (path, run, line) => `${run.commit} ${path} ${line}`);
    const byPlace = linesOf(standing, (path, _, line) => `${path} ${line}`);
    let count = 0;
    for (const file of stage.truth.keys()) {
      for (const line of (await shop.json('HEAD', '--', file)).lines as readonly Blamed[]) {
        const origin = `${line.commit} ${line.originalFile} ${line.originalLine}`;
        expect([file, line.line, byPlace.get(`${file} ${line.line}`)]).toEqual([file, line.line, said(line)]);
        expect([origin, byOrigin.get(origin)]).toEqual([origin, said(line)]);
        count++;
      }
    }
    expect(standing.counts.total).toBe(count);
    for (const report of [added, standing]) addsUp(report);
    shop.human('.agent-policy.json', '{"requireAttribution":"warn"}');
    const checked = await json<{ counts: { lines: Kinds } }>('check', 'HEAD~1..HEAD');
    const reported = await json<ReportJson>('report', 'HEAD~1..HEAD');
    expect(checked.counts.lines).toEqual(reported.counts);
  });
});

/** The sum over files is the sum over authors is the total. */
function addsUp({ counts, by, files }: ReportJson): void {
  const kinds = ['total', 'ai', 'human', 'mixed', 'unknown'] as const;
  const sum = (groups: readonly { readonly counts: Kinds }[]) =>
    Object.fromEntries(kinds.map((kind) => [kind, groups.reduce((all, one) => all + one.counts[kind], 0)]));
  const pick = Object.fromEntries(kinds.map((kind) => [kind, counts[kind]]));
  for (const groups of [...Object.values(by), files]) expect(sum(groups)).toEqual(pick);
  expect(counts.ai + counts.human + counts.mixed + counts.unknown).toBe(counts.total);
}
