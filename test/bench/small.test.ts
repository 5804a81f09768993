import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
  // init looks for the shims beside the programs
  fs.cpSync(programs.dir, path.join(folder, 'dist'), { recursive: true });
  fs.symlinkSync(path.join(ROOT, 'git-hooks'), path.join(folder, 'git-hooks'));
});
afterAll(() => {
  programs.remove();
  removeFolder(folder);
});

/** Not more than a look: `npm run bench` measures. Only what is four times over its budget, or wrong, is told here. */
test('the small bench finds nothing grossly slow and nothing wrong, and writes down what it measured', {
  timeout: 180_000,
  // what else the machine does may be gross
  retry: 1,
}, () => {
  const [out, page] = [path.join(folder, 'result.json'), path.join(folder, 'page.md')];
  const env = { ...process.env, BENCH_PROGRAMS: path.join(folder, 'dist') };
  const args = [path.join(ROOT, 'bench', 'bench.mjs'), '--small', '--out', out, '--markdown', page];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  const { rows, slopes, noise } = JSON.parse(fs.readFileSync(out, 'utf8'));
  expect(new Set(rows.map((row: { case: string }) => row.case))).toEqual(new Set(['a', 'b', 'e', 'g', 'o']));
  expect(slopes.length).toBeGreaterThan(0);
  expect(Object.keys(noise)).toEqual(['node -e 0', 'git --version']);
  expect(fs.readFileSync(page, 'utf8')).toContain('\n| a | git commit: time that our hooks add |');
});
