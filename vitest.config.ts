import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const shared = {
  // Only what hangs is meant to be caught: on a machine that has much else to do everything takes its time.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
  setupFiles: ['test/support/network-guard.ts', 'test/support/temporary-folder.ts'],
};

/** Tests that need the service run against one sandbox; the others need nothing and start at once. */
const OF_SANDBOX = /support\/(sandbox|partner-api|partner-endpoints|provider-faults|real-machine)\.ts/;
const NEEDS_SANDBOX = [
  'test/journeys/**/*.test.ts',
  ...globSync('test/functions/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
    OF_SANDBOX.test(readFileSync(path, 'utf8')),
  ),
];

export default defineConfig({
  test: {
    // One more than a machine of two cores has: the journeys wait most of the time.
    maxWorkers: 3,
    // Where something is broken that all need, each test would wait until its time-out: hours, and then no report.
    bail: 10,
    // A machine that has much else to do takes its time to end the sandbox.
    teardownTimeout: 60_000,
    projects: [
      { test: { ...shared, name: 'pure', include: ['test/**/*.test.ts'], exclude: NEEDS_SANDBOX } },
      {
        test: {
          ...shared,
          name: 'sandbox',
          include: NEEDS_SANDBOX,
          globalSetup: ['test/support/global-sandbox.ts'],
        },
      },
    ],
  },
});
