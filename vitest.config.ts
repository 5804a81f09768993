import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CASES } from './test/support/cases.ts';

// .ci/run counts the tests from a report
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // a long run of hostile documents takes its time
    testTimeout: 60_000 * Math.max(1, CASES / 2000),
    hookTimeout: 60_000,
    pool: 'forks',
    // a process loads our modules once, not once for each file: they keep nothing that a test could change
    isolate: false,
    // tests mostly wait for git and for clocks: twice as many as cores keep the cores busy
    maxWorkers: Math.max(2, 2 * os.availableParallelism()),
    setupFiles: ['test/support/environment.ts'],
    globalSetup: ['test/support/programs.ts'],
    alias: { 'fast-check': path.join(import.meta.dirname, 'test/support/laws.ts') },
    ...(report && { reporters: ['default', 'json'], outputFile: { json: report } }),
  },
});
