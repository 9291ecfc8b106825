import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a draft its name, unless a twin was first with the same content: who reads meanwhile sees one or the other, and
 * never half of one.
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
