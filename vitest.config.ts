import { defineConfig } from 'vitest/config';
import { CODE_CACHE } from './operations/code-cache.ts';
import { EndSandboxes } from './test/support/end-sandboxes.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers and the processes that tests start need not compile the same sources again.
process.env.NODE_COMPILE_CACHE = CODE_CACHE;

const shared = {
  // Files share the modules that a worker has loaded: loading them anew took two fifths of the run. What a file
  // changes for others, it puts back.
  isolate: false,
  // Time-outs only catch tests that hang. On a busy machine every test may be slow.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
  // In this order: the environment is recorded before a file gets its temporary folder.
  setupFiles: [
    'test/support/network-guard.ts',
    'test/support/shared-modules.ts',
    'test/support/temporary-folder.ts',
  ],
  sequence: { setupFiles: 'list' as const },
};

/** Projects with a sandbox also compare each answer with the document of the API. */
const onSandbox = {
  ...shared,
  setupFiles: [...shared.setupFiles, 'test/support/documented-answers.ts'],
};

/**
 * Only `npm run test:all` runs these tests. They take longer than most folders, or they test the sandbox, the
 * simulation or a package, not the product. `npm test` must end within five minutes.
 */
const SLOW = [
  'test/sandbox/**/*.test.ts',
  'test/simulation/simulation.test.ts',
  'test/adapters/crash-points-*.test.ts',
  'test/adapters/float-reservations.test.ts',
  'test/adapters/float-units.test.ts',
  'test/adapters/identity-trouble.test.ts',
  'test/adapters/lists-bad-input.test.ts',
  'test/adapters/lists-memory.test.ts',
  'test/adapters/lists-portal.test.ts',
  'test/adapters/lists-real-files.test.ts',
  'test/adapters/screening-bench.test.ts',
  'test/adapters/screening-fair.test.ts',
  'test/adapters/screening-reference.test.ts',
  'test/adapters/settlement-bench.test.ts',
  'test/client/built.test.ts',
  'test/docs/partner-site-browser.test.ts',
  'test/functions/console-browser.test.ts',
  'test/functions/console-two-persons-browser.test.ts',
  'test/functions/get-report-large.test.ts',
  'test/functions/reconcile-books-flood.test.ts',
  'test/functions/reconcile-pix-flood.test.ts',
  'test/functions/show-liveness-browser.test.ts',
  'test/infra/alarms.test.ts',
  'test/infra/budget.test.ts',
  'test/infra/console.test.ts',
  'test/infra/deployment-faults.test.ts',
  'test/infra/edge.test.ts',
  'test/infra/handlers.test.ts',
  'test/infra/key-watch.test.ts',
  'test/infra/lists.test.ts',
  'test/infra/nag.test.ts',
  'test/infra/operations-start.test.ts',
  'test/infra/retention.test.ts',
  'test/infra/second-evaluator.test.ts',
  'test/infra/stacks.test.ts',
  'test/infra/validation.test.ts',
  'test/infra/versions.test.ts',
  'test/infra/wallet-screening.test.ts',
];
/** One journey of each kind through the whole service. `npm run test:all` runs the other journeys. */
const FIRST_JOURNEYS = ['contract', 'failures', 'standard-purchase'].map(
  (name) => `test/journeys/${name}.test.ts`,
);
const WIRE = 'test/wire/**/*.test.ts';
/** These tests need many purchases, wait for deadlines or use up limits. `npm run test:all` runs them. */
const LONG_WIRE = [
  'add-webhook-endpoint',
  'bad-input',
  'biometric-at-rest',
  'bursts',
  'cancel-transaction',
  'complete-liveness',
  'confirm-mfa',
  'confirm-mfa-codes',
  'confirm-mfa-replay',
  'edge-idempotency',
  'edge-idempotency-spellings',
  'edge-rate-limit',
  'edit-webhook-endpoint',
  'get-kyc-status',
  'get-transaction-status',
  'initiate-transaction-refusals',
  'rehearse',
].map((name) => `test/wire/${name}.test.ts`);
const JOURNEYS = 'test/journeys/**/*.test.ts';
/** Journeys on the chain of a deployed sandbox, in a sandbox of their own. */
const DEPLOYED = 'test/deployed/**/*.test.ts';
const runFolder = ['test/support/run-folder.ts'];
/** All these tests share one sandbox. */
const globalSetup = ['test/support/global-sandbox.ts'];

export default defineConfig({
  test: {
    // A machine of two cores gets two workers more, because the journeys wait most of the time. A fifth
    // worker made the whole run no faster.
    maxWorkers: 4,
    // Node imports the sources itself, as it does in the product. Through Vite's runner each use of an imported name is
    // an access to a property, and a search of the lists took four times as long.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new EndSandboxes()],
    // When something breaks that all tests need, each would wait for its time-out, and no report would come for
    // hours.
    bail: 10,
    // A busy machine takes long to stop the sandbox.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          globalSetup: runFolder,
          include: ['test/**/*.test.ts'],
          exclude: [...SLOW, DEPLOYED, WIRE, JOURNEYS],
        },
      },
      {
        test: {
          ...onSandbox,
          name: 'sandbox',
          include: [WIRE, ...FIRST_JOURNEYS],
          exclude: LONG_WIRE,
          globalSetup,
        },
      },
      { test: { ...shared, name: 'slow', globalSetup: runFolder, include: SLOW } },
      {
        test: {
          ...onSandbox,
          name: 'deployed',
          include: [DEPLOYED],
          globalSetup: ['test/support/global-deployed-sandbox.ts'],
        },
      },
      {
        test: {
          ...onSandbox,
          name: 'journeys',
          include: [JOURNEYS, ...LONG_WIRE],
          exclude: FIRST_JOURNEYS,
          globalSetup,
        },
      },
    ],
  },
});
