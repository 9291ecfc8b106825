import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadFile } from './published.ts';

/**
 * Returns a reader of a folder next to the function's code. If the deployment has no copy of the lists, the
 * reader returns undefined for every file.
 */
export function folderReader(folder: string): ReadFile {
  return async (name) => {
    try {
      return { bytes: await readFile(join(folder, name)) };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
}
