import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { sandboxDocument } from '../support/openapi.ts';
import { call, expectRefusal } from '../support/partner-api.ts';
import { sandbox } from '../support/sandbox.ts';

const get = (path: string, headers?: Record<string, string>) => fetch(`${sandbox().url}${path}`, { headers });

// docs/decisions.md, "Versions"
test('anyone gets the document of the API, as the sources describe it', async () => {
  const answer = await get('/openapi.json');
  const document = await answer.json();

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(document).toEqual(await sandboxDocument());
});

test('a request that names the document’s ETag is answered with 304 and without the text', async () => {
  const first = await get('/openapi.json');

  const second = await get('/openapi.json', { 'If-None-Match': String(first.headers.get('etag')) });

  expect(second.status).toBe(304);
  expect(await second.text()).toBe('');
});

test('an unknown page is answered in the envelope', async () => {
  expectRefusal(await call('GET', '/docs/unknown/page', {}), 'NOT_FOUND', {});
});

// docs/decisions.md, "Versions"
test('anyone gets the pages for partners, and programs get them as text', async () => {
  const page = await get('/docs');
  const text = await get('/llms.txt');

  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toContain('<h1>Your first purchase in ten minutes</h1>');
  expect(await text.text()).toMatch(/^# Stablecoin on-ramp\n/);
});

test('a long file is compressed for a browser, and a short one is not', async () => {
  const headers = { 'Accept-Encoding': 'gzip' };
  const encodings = await Promise.all(
    ['/docs/swagger-ui.js', '/docs/icon.svg'].map(async (path) => {
      const answer = await get(path, headers);
      await answer.text();
      return answer.headers.get('content-encoding');
    }),
  );

  expect(encodings).toEqual(['gzip', null]);
});

test('an address with a slash at its end leads to the page', async () => {
  const answer = await fetch(`${sandbox().url}/docs/`);

  expect(answer.url).toBe(`${sandbox().url}/docs`);
  expect(answer.status).toBe(200);
});
