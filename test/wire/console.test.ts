import { expect, test } from 'vitest';
import { openPurchase } from '../support/partner-api.ts';
import { sandbox } from '../support/sandbox.ts';

const page = (path: string, init: RequestInit = {}) =>
  fetch(`${sandbox().url}/console${path}`, { ...init, redirect: 'manual' });

/** A form as a browser sends it. */
const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  page(path, {
    method: 'POST',
    headers: { origin: sandbox().url, ...headers },
    body: new URLSearchParams(form),
  });

// docs/security.md, "Least privilege"
test('the console beside the API finds a purchase, and draws its way from the history of Step Functions', async () => {
  const { id } = await openPurchase();
  const cookie = String((await send('/sign-in', { role: 'viewer' })).headers.get('set-cookie')).split(
    ';',
  )[0]!;

  const found = await send('/search', { q: id }, { cookie });
  const results = await page(String(found.headers.get('location')).replace('/console', ''), {
    headers: { cookie },
  });

  expect(results.headers.get('location')).toBe(`/console/purchases/${id}`);
  await expect
    .poll(async () => (await page(`/purchases/${id}`, { headers: { cookie } })).text())
    .toMatch(/class="state visited last">.*\n.*\n.*AwaitAuthentication</);
});

test('a path that only begins like the console’s is not found, and the console asks for a sign-in', async () => {
  const answer = await fetch(`${sandbox().url}/consoles`);

  expect(answer.status).toBe(404);
  expect((await page('')).headers.get('location')).toBe('/console/sign-in');
});
