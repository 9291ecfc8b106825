import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PUBLICATION } from '../functions/adapters/lists/publication.ts';
import type { Published } from '../functions/adapters/lists/publish.ts';

/**
 * Writes what is deployed with the code, `current.json` and the index that it names, in place of what the directory held.
 * Made aside and renamed: whoever synthesizes meanwhile sees one or the other.
 */
export function writeCopy(directory: string, { publication, objects }: Published): void {
  const parent = dirname(directory.replace(/\/$/, ''));
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, 'draft-'));
  const { name } = publication.index;
  mkdirSync(dirname(join(draft, name)), { recursive: true });
  writeFileSync(join(draft, name), objects.get(name)!);
  writeFileSync(join(draft, PUBLICATION), JSON.stringify(publication, null, 2));
  // Others must be able to read it: a temporary directory is its maker's alone.
  chmodSync(draft, 0o755);
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  renameSync(draft, directory);
}
