import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { SiteFiles } from '../docs/site.ts';
import type { PageIndex } from '../functions/adapters/page-reader.ts';

/**
 * The media type of a file by its extension. A path without an extension is a page. All files are texts,
 * because this API sends only PDFs as binary data.
 */
const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files as they are bundled with `GetDocs`: each is named by its digest, and an index maps paths to files. */
export function siteFolder(files: SiteFiles): Record<string, string> {
  const index: PageIndex = {};
  const folder: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) {
    const type = TYPES[extname(path)];
    if (type === undefined) throw new Error(`${path} has no type: add it to infra/site.ts`);
    const file = createHash('sha256').update(text).digest('hex');
    index[path] = { file, type, etag: `"${file.slice(0, 32)}"` };
    folder[file] = text;
  }
  return { ...folder, 'index.json': JSON.stringify(index) };
}
