import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PUBLICATION } from '../functions/adapters/lists/publication.ts';
import type { PublishedLists } from '../functions/adapters/lists/publish.ts';
import { getOf } from '../functions/domain/get.ts';

/**
 * Replaces `directory` by the copy of the sanctions lists that is deployed with the code: `current.json` and
 * the index that it names. The copy is first written to a draft directory, which is then renamed. A CDK
 * synthesis therefore sees either the old or the new copy.
 */
export function writeCopy(directory: string, { publication, objects }: PublishedLists): void {
  const parent = dirname(directory.replace(/\/$/, ''));
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, 'draft-'));
  const { name } = publication.index;
  mkdirSync(dirname(join(draft, name)), { recursive: true });
  writeFileSync(join(draft, name), getOf(objects, name));
  writeFileSync(join(draft, PUBLICATION), JSON.stringify(publication, null, 2));
  // A temporary directory can be read only by its maker, but every user must be able to read this copy.
  chmodSync(draft, 0o755);
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  renameSync(draft, directory);
}
