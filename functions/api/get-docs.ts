import type { Needs } from '../domain/ports.ts';
import { page } from '../entry/page.ts';

export const needs = ['pages'] as const;

/**
 * Answers the description of the API and the pages about it. Each is a file that was bundled with the
 * function: `docs/site.ts`.
 */
export async function getDocs(path: string, { pages }: Needs<typeof needs>) {
  return pages.findPage(path);
}

export const handler = page({ needs }, getDocs);
