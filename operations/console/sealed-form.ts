/**
 * Makes and opens forms that are valid for one session only. The seal is an HMAC over the form's URL path and
 * everything that the server has written into the form. Another session or another site cannot make this
 * seal.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Html, SignedFrame } from './layout.ts';

type Form = { to: string; content: object; fields?: Html | ''; button: string; kind?: 'second' };

/** Makes a form with a seal. `content` returns with the form exactly as the server wrote it. */
export function sealedForm({ to, content, fields = '', button, kind }: Form, { seal }: SignedFrame): Html {
  const text = JSON.stringify(content);
  return html`<form class="act" method="post" action="/console${to}">
<input type="hidden" name="content" value="${text}">
<input type="hidden" name="seal" value="${seal(sealed(to, text))}">
${fields}<button class="${kind ?? ''}">${button}</button></form>`;
}

const sealed = (to: string, text: string) => `${to}\0${text}`;

type SentForm<Content> = { content: Content; typed: Readonly<Record<string, string>> };

/**
 * Returns what the server has written into the form, and what the person has typed. Refuses a form whose seal
 * is wrong or missing.
 */
export async function openForm<Content>(
  context: Context,
  { path, seal }: SignedFrame,
): Promise<SentForm<Content>> {
  const { content = '', seal: given = '', ...typed } = textsIn(await context.req.parseBody());
  const [wanted, found] = [seal(sealed(path, content)), given].map((each) => Buffer.from(each));
  if (!wanted || !found || wanted.length !== found.length || !timingSafeEqual(wanted, found))
    throw new HTTPException(403);
  return { content: JSON.parse(content) as Content, typed };
}

const textsIn = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.trim()]] : [],
    ),
  );
