import { readFileSync } from 'node:fs';
import { SANDBOX_API_KEY } from '../../sandbox/seed.ts';

const PAGES = new URL('../../docs/partners/', import.meta.url);

export const pageText = (page: string) => readFileSync(new URL(page, PAGES), 'utf8');

/** The examples of a page for partners in one language, as the page prints them. */
export function examplesIn(page: string, language: 'sh' | 'ts'): string[] {
  const fenced = pageText(page).matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...fenced].flatMap(([, found, example = '']) => (found === language ? [example] : []));
}

/** The examples with another address and another key, which is all that a partner replaces. */
export function addressedTo(example: string, { url, apiKey }: { url: string; apiKey: string }): string {
  return example.replaceAll('http://127.0.0.1:4000', url).replaceAll(SANDBOX_API_KEY, apiKey);
}
