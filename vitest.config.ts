import { defineConfig } from 'vitest/config';

const shared = {
  // Only what hangs is meant to be caught: on a machine that has much else to do everything takes its time.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
  setupFiles: ['test/support/network-guard.ts', 'test/support/temporary-folder.ts'],
};

/** Of `npm run test:all` alone: each takes longer than most folders, or tests the stage and not the product. */
const SLOW = [
  'test/sandbox/**/*.test.ts',
  'test/simulation/simulation.test.ts',
  'test/adapters/crash-points-*.test.ts',
  'test/adapters/lists-memory.test.ts',
  'test/adapters/screening-bench.test.ts',
  'test/adapters/settlement-bench.test.ts',
];
/** One way of each kind through the whole service. The other journeys are of `npm run test:all`. */
const FIRST_JOURNEYS = ['contract', 'failures', 'standard-purchase'].map(
  (name) => `test/journeys/${name}.test.ts`,
);
const WIRE = 'test/wire/**/*.test.ts';
const JOURNEYS = 'test/journeys/**/*.test.ts';
/** One sandbox for all of them. */
const globalSetup = ['test/support/global-sandbox.ts'];

export default defineConfig({
  test: {
    // One more than a machine of two cores has: the journeys wait most of the time.
    maxWorkers: 3,
    // Where something is broken that all need, each test would wait until its time-out: hours, and then no report.
    bail: 10,
    // A machine that has much else to do takes its time to end the sandbox.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...SLOW, WIRE, JOURNEYS],
        },
      },
      { test: { ...shared, name: 'sandbox', include: [WIRE, ...FIRST_JOURNEYS], globalSetup } },
      { test: { ...shared, name: 'slow', include: SLOW } },
      { test: { ...shared, name: 'journeys', include: [JOURNEYS], exclude: FIRST_JOURNEYS, globalSetup } },
    ],
  },
});
