import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Renames a draft to its final name. If another process was first, with the same content, the draft is removed. A
 * reader never sees half a directory.
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
