import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Each test file and its child processes get their own temporary folder. The folder is deleted at the end, with
// everything that tests, CDK or Chromium left in it.
const given = process.env.TMPDIR;
const folder = mkdtempSync(join(tmpdir(), 'onramp-test-'));
process.env.TMPDIR = folder;

afterAll(async () => {
  if (given === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = given;
  // A process that is about to end may write once more, so the removal is retried.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
