import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder of this run, and removes it at the end. Files of one worker share what lies in it. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onramp-run-'));
  process.env.RUN_FOLDER = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

export function runFolder(): string {
  if (!process.env.RUN_FOLDER)
    throw new Error('The project of this test does not make the folder of the run');
  return process.env.RUN_FOLDER;
}
