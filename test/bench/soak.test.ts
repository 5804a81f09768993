import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';

const SOAK = path.join(import.meta.dirname, '..', '..', 'bench', 'soak');
const { judgeGrowth, slopeOf } = await import(path.join(SOAK, 'growth.mjs'));
const { judgeMarks } = await import(path.join(SOAK, 'table.mjs'));
const { startWatch, verbOf } = await import(path.join(SOAK, 'watch.mjs'));
const { lookAtStore } = await import(path.join(SOAK, 'store.mjs'));

const RULE = { of: (mark: Mark) => mark.y, along: (mark: Mark) => mark.x, per: 10, slack: 5 };
interface Mark {
  readonly x: number;
  readonly y: number | undefined;
}
const marks = (...ys: (number | undefined)[]) => ys.map((y, i): Mark => ({ x: i * 100, y }));

describe('growth', () => {
  test.each<[string, (number | undefined)[], object]>([
    ['flat', [50, 50, 50, 50, 50], { verdict: 'steady', rose: 0 }],
    ['what wavers within the slack', [50, 53, 48, 52, 51], { verdict: 'steady' }],
    ['what falls', [90, 80, 70, 60, 50], { verdict: 'steady', rose: -40 }],
    ['one that is far off', [50, 50, 500, 50, 50], { verdict: 'steady', rose: 0 }],
    ['the last that is far off', [50, 50, 50, 50, 500], { verdict: 'steady' }],
    ['as much as is allowed', [50, 52, 54, 56, 58], { verdict: 'steady', rose: 8, allowed: 9 }],
    ['a little more each time', [50, 53, 56, 59, 62], { verdict: 'grows', rose: 12, allowed: 9 }],
    ['growth that wavers', [50, 66, 61, 84, 90], { verdict: 'grows' }],
    ['growth with gaps', [50, undefined, 70, 80, 90], { verdict: 'grows', rose: 40 }],
    ['too few marks', [50, undefined, 70, undefined, 90], { verdict: 'untold' }],
    ['none', [], { verdict: 'untold' }],
  ])('%s', (_, ys, judged) => {
    expect(judgeGrowth(marks(...ys), RULE)).toMatchObject(judged);
  });

  test('nothing can be told along what does not move', () => {
    expect(judgeGrowth(Array(5).fill({ x: 3, y: 1 }), RULE)).toEqual({ verdict: 'untold' });
    expect(slopeOf([[1, 2]])).toBeUndefined();
  });

  test('a leak of any kind is named', () => {
    const at = (n: number, leak: object) => ({
      ...{ notes: n * 100, lines: n * 100, files: 90, kilobytes: 900 },
      ...leak,
    });
    const peaks = (memory: number, handles: number) => ({ peaks: { work: { memory, handles } } });
    const run = (leak: (n: number) => object) =>
      judgeMarks([1, 2, 3, 4, 5].map((n) => at(n, { ...peaks(60, 30), ...leak(n) }))).grows;
    expect(run(() => ({}))).toEqual([]);
    expect(run((n) => peaks(60 + 20 * n, 30))).toEqual(['memory of work']);
    expect(run((n) => peaks(60, 30 + 10 * n))).toEqual(['handles of work']);
    expect(run((n) => ({ files: 90 + 50 * n }))).toEqual(['files under agent/']);
    expect(run((n) => ({ kilobytes: 900 + 9000 * n }))).toEqual(['size of agent/']);
  });
});

test.each([
  ['/usr/bin/node /x/dist/git-agent.js work /y/.git', 'work'],
  ['node /tmp/bin/git-agent sync origin', 'sync'],
  ['node /tmp/bin/git-agent-blame --json -- a', 'blame'],
  ['/usr/bin/env node /tmp/bin/git-agent sync', undefined],
  ['setsid nice -n 10 /usr/bin/node /x/git-agent.js work /y', undefined],
  ['sh /y/.git/agent/hooks/wake /y/.git', undefined],
  ['', undefined],
])('%j is %s', (line, verb) => {
  expect(verbOf(line.split(' '))).toBe(verb);
});

test('the watch sees what a process takes at most, and the handles it holds', async () => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'watched-')));
  const watch = startWatch([root]);
  try {
    const script = path.join(root, 'git-agent.js');
    // 64 MB, and 50 handles
    const holds = `const held = Buffer.alloc(64 << 20, 1); const fs = require('fs');
      for (let i = 0; i < 50; i++) fs.openSync(__filename); setTimeout(() => held, 60000);`;
    fs.writeFileSync(script, holds);
    const child = spawn(process.execPath, [script, 'work'], { stdio: 'ignore' });
    try {
      const seen = {
        work: { runs: 1, memory: expect.toSatisfy((mb) => mb > 90), handles: expect.toSatisfy((n) => n > 60) },
      };
      // its first look may come before all is taken: the most since the last time is asked for until it is there
      await expect.poll(() => watch.take(), { timeout: 60_000, interval: 200 }).toEqual(seen);
    } finally {
      child.kill();
    }
  } finally {
    await watch.stop();
    removeFolder(root);
  }
});

test('what a process leaves only while it is at work is told, what is kept is counted', () => {
  const common = fs.mkdtempSync(path.join(os.tmpdir(), 'kept-'));
  const passing = ['lock', 'payloads/1-2-0', '.state.json.99.0', 'cache/index/a.draft', 'texts/.pack.old-12'];
  const kept = ['journal', 'state.json', 'hooks/.wake', 'hooks/program', 'texts/pack', 'timelines/0a.jsonl'];
  try {
    for (const name of [...passing, ...kept]) {
      fs.mkdirSync(path.dirname(path.join(common, 'agent', name)), { recursive: true });
      fs.writeFileSync(path.join(common, 'agent', name), 'x'.repeat(1024));
    }
    const { files, kilobytes, left } = lookAtStore({ place: { common } });
    expect({ files, kilobytes, left: left.toSorted() }).toEqual({ files: 11, kilobytes: 11, left: passing.toSorted() });
    for (let n = 0; n < 6; n++) fs.writeFileSync(path.join(common, `agent-index.${n}`), '');
    expect(lookAtStore({ place: { common } }).left).toHaveLength(passing.length + 6);
  } finally {
    removeFolder(common);
  }
});
