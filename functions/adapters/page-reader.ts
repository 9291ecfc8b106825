import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Pages } from '../domain/partners/page-ports.ts';
import { once } from './once.ts';

/** The index in `index.json`: the file of each page, by the page's path. */
export type PageIndex = Record<string, Omit<Page, 'text'> & { file: string }>;

/**
 * Reads pages from a folder. The path from a request is only looked up in the index, and never used as a file
 * name.
 */
export function pageReader(folder: string): Pages {
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const index = once(async () => new Map(Object.entries(JSON.parse(await read('index.json')) as PageIndex)));
  return {
    async findPage(path) {
      const found = (await index()).get(path);
      if (!found) return undefined;
      const { file, ...page } = found;
      return { ...page, text: await read(file) };
    },
  };
}
