import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/api/get-docs.ts';
import { siteFolder } from '../../infra/site.ts';

const FILES = { '/openapi.json': '{"openapi":"3.1.0"}', '/docs': '<h1>Olá</h1>', '/docs/app.js': 'run();' };

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'site-'));
  vi.stubEnv('LAMBDA_TASK_ROOT', root);
  vi.stubEnv('STAGE', 'sandbox');
  writeFileSync(join(root, 'secret'), 'not a page');
  writeFolder(join(root, 'site'));
});
afterAll(() => vi.unstubAllEnvs());

function writeFolder(folder: string): void {
  const files = siteFolder(FILES);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Asks for a path as API Gateway passes it on, without a key. */
function ask(path: string, headers: Record<string, string> = {}) {
  const page = path.startsWith('/docs/') ? path.slice('/docs/'.length) : undefined;
  const event = {
    path,
    resource: page === undefined ? path : '/docs/{page+}',
    pathParameters: page === undefined ? null : { page },
    headers,
    requestContext: { requestId: 'request-1' },
  };
  return handler(event as unknown as APIGatewayProxyEvent);
}

describe('200', () => {
  it.each([
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/app.js', 'text/javascript; charset=utf-8'],
  ] as const)('gives %s with its type, without a key', async (path, type) => {
    const { statusCode, headers, body } = await ask(path);

    expect(statusCode).toBe(200);
    expect(body).toBe(FILES[path]);
    expect(headers).toMatchObject({ 'Content-Type': type, 'X-Request-Id': 'request-1' });
  });

  it('lets a browser keep the page, and lets the page load nothing of others', async () => {
    const { headers } = await ask('/docs');

    expect(headers).toMatchObject({
      'Cache-Control': 'public, max-age=300',
      ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
    const policy = String(headers?.['Content-Security-Policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('gives another ETag to another text', async () => {
    const [one, other] = await Promise.all([ask('/openapi.json'), ask('/docs')]);

    expect(one.headers?.ETag).not.toBe(other.headers?.ETag);
  });
});

describe('308', () => {
  it.each([
    ['/docs/', '../docs'],
    ['/docs/errors/', '../errors'],
  ])(
    'leads from %s to the address without the slash, where the links of the page begin',
    async (path, to) => {
      const { statusCode, headers } = await ask(path);

      expect(statusCode).toBe(308);
      expect(headers?.Location).toBe(to);
    },
  );
});

describe('304', () => {
  it.each(['%', 'W/%', '"other", %'])('spares a browser the page that it has: %s', async (form) => {
    const { headers = {} } = await ask('/docs');
    const known = form.replace('%', String(headers.ETag));

    const { statusCode, body } = await ask('/docs', { 'if-none-match': known });

    expect({ statusCode, body }).toEqual({ statusCode: 304, body: '' });
  });

  it('is not answered for an older page', async () => {
    expect((await ask('/docs', { 'If-None-Match': '"old"' })).statusCode).toBe(200);
  });
});

describe('404', () => {
  it.each(['/docs/unknown', '/docs/../secret', '/docs/index.json', '/docs/constructor', '/docs/__proto__'])(
    'is the answer to %s, because only the paths of the index lead to a file',
    async (path) => {
      const { statusCode, body } = await ask(path);

      expect(statusCode).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
    },
  );
});

describe('a file without a known type', () => {
  it('is refused when the code is bundled', () => {
    expect(() => siteFolder({ '/docs/logo.png': '' })).toThrow('/docs/logo.png has no type');
  });
});
