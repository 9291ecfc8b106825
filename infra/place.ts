import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Renames a finished draft to its final name, so that no reader sees a directory that is half written. If
 * another process has already placed the directory, the draft is removed.
 */
export function place(draft: string, directory: string): void {
  mkdirSync(dirname(directory), { recursive: true });
  try {
    renameSync(draft, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(draft, { recursive: true });
  }
}
