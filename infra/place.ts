import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Renames a finished draft to its final name, so that no reader sees half a directory. If another process was faster
 * with the same content, the draft is removed.
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
