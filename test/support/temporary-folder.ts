import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Each test file has a temporary folder of its own, its child processes too, and leaves nothing behind: neither what it
// puts there, nor what CDK, Chromium and others put there for it.
const given = process.env.TMPDIR;
const folder = mkdtempSync(join(tmpdir(), 'onramp-test-'));
process.env.TMPDIR = folder;

afterAll(async () => {
  if (given === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = given;
  // A process that is still on its way out may write once more.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
