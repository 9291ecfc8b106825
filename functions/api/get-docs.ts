import type { Needs } from '../domain/ports.ts';
import { page } from '../entry/page.ts';

export const needs = ['pages'] as const;

/** The description of the API and the pages beside it. Each is a file of the bundle: docs/site.ts. */
export async function getDocs(path: string, { pages }: Needs<typeof needs>) {
  return pages.findPage(path);
}

export const handler = page({ needs }, getDocs);
