import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Pages } from '../domain/partners/page-ports.ts';
import { once } from './once.ts';

/** Where each page is, by its path: `index.json`. */
export type PageIndex = Record<string, Omit<Page, 'text'> & { file: string }>;

/** Pages in a folder. Only the paths of the index lead to a file, so a path never names one. */
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
