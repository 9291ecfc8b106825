import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { refuseOrder } from './words.ts';

/** Refuses the path of a file or directory that exists. A command asks before its act is recorded. */
export function requireNew(path: string, kind: 'file' | 'directory' = 'file'): void {
  if (existsSync(path)) refuseOrder(`${path} exists: name a new ${kind}.`);
}

/**
 * Writes a new file that only its owner can read. An existing file is never overwritten. Returns a line with the file's
 * path and SHA-256.
 */
export function writeNew(path: string, text: string): string {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    requireNew(path);
    refuseOrder(`${path}: ${(error as Error).message}`);
  }
  return `${path}  sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
