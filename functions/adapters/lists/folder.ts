import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadFile } from './published.ts';

/** Reads a folder beside the function's code. A deployment without such a copy has no folder. */
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
