// A part of the suite over gits, Nodes and shells. What is not there is skipped, and said so.
// node bench/matrix.mjs [--only git|node|shell] [--row TEXT] [PART...], by default test/hooks test/behaviours; TEXT stands in the names of the rows that are run.
// MATRIX_GITS, MATRIX_SHELLS: more programs, with colons between them. MATRIX_CACHE: where Nodes are kept.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.join(import.meta.dirname, '..');
const CACHE = process.env.MATRIX_CACHE ?? path.join(os.homedir(), '.cache', 'test-tools');
const { values, positionals } = parseArgs({
  options: { only: { type: 'string' }, row: { type: 'string', default: '' } },
  allowPositionals: true,
});
const parts = positionals.length > 0 ? positionals : ['test/hooks', 'test/behaviours'];
const listed = (name) => (process.env[name] ?? '').split(':').filter(Boolean);
const canMount = spawnSync('unshare', ['-m', 'true']).status === 0;

function which(name) {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function firstLine(file, ...args) {
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

/** A row: a name, and what it changes of the surroundings; `missing` says why it cannot be run. */
function gits() {
  const files = [which('git'), process.env.GIT255 ?? path.join(CACHE, 'git255', 'git'), ...listed('MATRIX_GITS')];
  return files.flatMap((file) => {
    const version = file && firstLine(file, 'version')?.replace('git version ', 'git ');
    return version ? [{ name: version, git: file }] : [{ name: `git ${file}`, missing: 'not there' }];
  });
}

/** The binaries come as npm packages; without a registry there are only those that are in the cache. */
function nodes() {
  const own = { name: `node ${process.versions.node}`, node: process.execPath };
  return [own, ...['22', '24'].map(fetchNode)];
}

function fetchNode(major) {
  const folder = path.join(CACHE, `node${major}`);
  const node = path.join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (!fs.existsSync(node)) {
    fs.mkdirSync(folder, { recursive: true });
    const wanted = `node-${process.platform}-${process.arch}@${major}`;
    spawnSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', wanted], { cwd: folder });
  }
  const version = fs.existsSync(node) ? firstLine(node, '--version') : undefined;
  return version ? { name: `node ${version.slice(1)}`, node } : { name: `node ${major}`, missing: 'no registry' };
}

/** Hooks name /bin/sh: another one is put there, in mounts of the run's own. */
function shells() {
  const wanted = ['dash', 'bash', 'busybox', ...listed('MATRIX_SHELLS')];
  return wanted.map((one) => {
    const shell = path.isAbsolute(one) ? one : which(one);
    if (!shell) return { name: `sh is ${one}`, missing: 'not there' };
    return canMount
      ? { name: `sh is ${one}`, shell, pace: paceOf(shell) }
      : { name: `sh is ${one}`, missing: 'no right to mount' };
  });
}

/** Where the clock of a shell knows seconds only, stories take as long as in life: in one second nobody could tell what came first. */
function paceOf(shell) {
  const words = path.basename(shell) === 'busybox' ? ['sh', '-c'] : ['-c'];
  return /^\d+$/.test(firstLine(shell, ...words, 'date +%s%3N')) ? '0' : '1050';
}

function run({ git, node = process.execPath, shell, pace }) {
  const bin = fs.mkdtempSync(path.join(os.tmpdir(), 'agent-matrix-'));
  try {
    if (git) fs.writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nexec "${git}" "$@"\n`, { mode: 0o755 });
    fs.symlinkSync(node, path.join(bin, 'node'));
    const report = path.join(bin, 'report.json');
    const vitest = [path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...parts];
    // a machine that is slow is no failure of what is tried
    const patience = ['--testTimeout=300000', '--hookTimeout=300000'];
    const command = [node, ...vitest, ...patience, '--reporter=json', `--outputFile=${report}`];
    // busybox knows what to be from the name that it is called by
    const mounted = ['unshare', '-m', 'sh', '-c', 'mount --bind "$1" /bin/sh && shift && exec "$@"', 'sh', shell];
    const [name, ...args] = shell ? [...mounted, ...command] : command;
    const env = { ...process.env, ...(pace && { PACE: pace }), PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    const started = Date.now();
    const { stdout, stderr } = spawnSync(name, args, { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (!fs.existsSync(report)) return { failed: 1, passed: 0, seconds: 0, names: [`${stdout}${stderr}`.slice(-500)] };
    const told = JSON.parse(fs.readFileSync(report, 'utf8'));
    const names = told.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    );
    const seconds = Math.round((Date.now() - started) / 1000);
    return { passed: told.numPassedTests, failed: told.numFailedTests + told.numFailedTestSuites, seconds, names };
  } finally {
    fs.rmSync(bin, { recursive: true, force: true });
  }
}

const KINDS = { git: gits, node: nodes, shell: shells };
if (values.only !== undefined && !KINDS[values.only]) throw new Error(`there is no kind ${values.only}`);
console.log(`${parts.join(' ')}, ${execFileSync('uname', ['-sm'], { encoding: 'utf8' }).trim()}`);
for (const [kind, rows] of Object.entries(KINDS)) {
  if (values.only !== undefined && values.only !== kind) continue;
  for (const row of rows()) {
    if (!row.name.includes(values.row)) continue;
    const name = row.name.padEnd(28);
    if (row.missing) {
      console.log(`${name}skipped: ${row.missing}`);
      continue;
    }
    const { passed, failed, seconds, names } = run(row);
    console.log(
      `${name}${String(passed).padStart(5)} passed${String(failed).padStart(5)} failed${String(seconds).padStart(6)} s`,
    );
    for (const one of names) console.log(`    ${one}`);
    if (failed > 0) process.exitCode = 1;
  }
}
