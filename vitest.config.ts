import { defineConfig } from 'vitest/config';

// .ci/run counts the tests from a report
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    setupFiles: ['test/support/environment.ts'],
    ...(report && { reporters: ['default', 'json'], outputFile: { json: report } }),
  },
});
