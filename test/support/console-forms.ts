/** Finds and fills in the forms of a page of the console, as a browser without scripts does. */
import { expect } from 'vitest';
import type { signedIn } from './console.ts';

const textIn = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** The form of a page with this text, with its hidden fields. Its address is empty if there is no such form. */
export function formIn(page: string, wanted: string): { action: string; form: Record<string, string> } {
  const forms = [...page.matchAll(/<form class="act" method="post" action="([^"]+)">(.*?)<\/form>/gs)];
  const [, action = '', fields = ''] = forms.find(([text]) => textIn(text).includes(wanted)) ?? [];
  const hidden = [...fields.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return { action, form: Object.fromEntries(hidden.map(([, name, value]) => [name, textIn(value!)])) };
}

export type Person = Awaited<ReturnType<typeof signedIn>>;
type Filled = { wanted: string; typed?: Record<string, string> };

/** The answer to a form of the page with this text, after the person has filled it in. */
export async function fill(person: Person, page: string, { wanted, typed = {} }: Filled) {
  const { action, form } = formIn(page, wanted);
  expect(action, `no form ${wanted}`).not.toBe('');
  const answer = await person.send(action, { ...form, ...typed });
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') };
}

/** The address of the act that the person has proposed with a form of the page at this path. */
export async function proposeAt(person: Person, path: string, filled: Filled): Promise<string> {
  const looked = await fill(person, (await person.read(path)).text, filled);
  const { status, to } = await fill(person, looked.text, { wanted: '/acts/make' });
  expect([status, to]).toEqual([303, expect.stringMatching(/^\/console\/acts\//)]);
  return to!;
}
