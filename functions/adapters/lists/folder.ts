import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadFile } from './published.ts';

/**
 * Returns a reader of a folder next to the function's code. It finds no files in a deployment without a copy of the
 * lists.
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
