import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/order.ts';
import { compiledSources } from './test/support/sources.ts';

// .ci/run counts the tests from a report
const report = process.env.TEST_REPORT;

/** Tests of pure code: a process loads our modules once for many of these files, since they keep nothing that a test could change. */
const PURE =
  'activity|agentlog|anchor|audit|capture|check|conversation|foreign|lines|log|otlp|page|terminal|trace|vac'.split('|');
const pure = filesIn(PURE);

/** Many short files that start git: they share processes, too. */
const SHORT = 'acp|blame|forge|git|join|kept|pending|redact|report|seal|sessions|shared'.split('|');
const short = filesIn(SHORT);

/**
 * Of the others those have a process of their own that load much or hold much, since a large process takes long to start others, or
 * that set up their surroundings when they are loaded.
 */
const ALONE = [
  'behaviours/editing',
  'bench/*',
  'cli/{blame-stream,export}',
  'editors/*',
  'hostile/{files,input,journal,notes,threats}',
  'jj/*',
  'mcp/*',
  'notes/{exchange-large,exchange-union,index,index-broken}',
  'serve/{browser,http}',
  'stress/**/*',
  'truth/*',
  'tui/*',
  'web/*',
];
const alone = ALONE.map((name) => `test/${name}.test.ts`);

function filesIn(folders: readonly string[]): string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}

/**
 * Of processes that start many others. Starting one costs by what the parent holds: no threads, and little that is young. They are over
 * before it pays to compile more than the hottest code a second time.
 */
const STARTERS = [
  '--single-threaded',
  '--max-semi-space-size=2',
  // later ones do not know it, and would not start
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
];

/** The long run of hostile documents takes its time. */
const CASES = Number(process.env.CASES ?? 0);

// nothing here asks the network, and Node 20 reads these certificates at each start: that takes longer than all else it does then
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  plugins: [compiledSources],
  test: {
    // far more than any takes: on a machine that is busy with other things too they take ten times as long
    testTimeout: Math.max(180_000, CASES * 20),
    hookTimeout: 180_000,
    pool: 'forks',
    execArgv: ['--expose-gc'],
    // tests mostly wait for git and for clocks: twice as many as cores keep the cores busy
    maxWorkers: Math.max(2, 2 * os.availableParallelism()),
    setupFiles: ['test/support/environment.ts', 'test/support/memory.ts'],
    globalSetup: ['test/support/programs.ts'],
    server: { deps: { external: [/\/agent-sources-/] } },
    alias: { 'fast-check': path.join(import.meta.dirname, 'test/support/laws.ts') },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'short', include: short, isolate: false, execArgv: STARTERS } },
      { extends: true, test: { name: 'alone', include: alone, execArgv: STARTERS } },
      {
        extends: true,
        test: {
          name: 'world',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...short, ...alone],
          isolate: false,
          execArgv: STARTERS,
        },
      },
    ],
    ...(report && { reporters: ['default', 'json'], outputFile: { json: report } }),
  },
});
