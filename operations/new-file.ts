import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { refused } from './words.ts';

/**
 * Writes a new file that only its owner can read. An existing file is never overwritten. Returns a line with the file's
 * path and SHA-256.
 */
export function writeNew(path: string, text: string): string {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    refused(`${path}: ${(error as Error).message}`);
  }
  return `${path}  sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
