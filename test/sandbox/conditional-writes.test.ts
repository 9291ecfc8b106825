import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withConditions } from '../../sandbox/cloud/conditional-writes.ts';
import type { Storage } from '../../sandbox/cloud/storage.ts';

const app = buildApp({ logger: false });
beforeAll(async () => {
  await app.ready();
  await write('', {}, '');
});
afterAll(() => app.close());

const forward: Storage['forward'] = async ({ method, url, headers, body }) => {
  const verb = method as 'PUT' | 'GET' | 'HEAD';
  const answer = await app.inject({
    method: verb,
    url,
    headers: { ...headers, host: 'localhost' },
    payload: body,
  });
  const found = answer.headers as Record<string, string>;
  return { status: answer.statusCode, headers: found, body: answer.rawPayload };
};
const conditional = withConditions(forward);

const write = (key: string, headers: Record<string, string>, body = 'text') =>
  conditional({ method: 'PUT', url: `/bucket${key}`, headers, body: Buffer.from(body) });
const read = async (key: string) => {
  const { status, headers, body } = await conditional({
    method: 'GET',
    url: `/bucket${key}`,
    headers: {},
    body: Buffer.alloc(0),
  });
  return { status, etag: String(headers.etag), text: body.toString() };
};

describe('a write to the local bucket', () => {
  it('with If-None-Match succeeds only as the first write', async () => {
    expect((await write('/a', { 'if-none-match': '*' }, 'one')).status).toBe(200);
    const second = await write('/a', { 'if-none-match': '*' }, 'two');

    expect(second.status).toBe(412);
    expect(second.body.toString()).toContain('<Code>PreconditionFailed</Code>');
    expect((await read('/a')).text).toBe('one');
  });

  it('with If-Match replaces only the object with that tag', async () => {
    await write('/b', {}, 'one');
    const { etag } = await read('/b');

    expect((await write('/b', { 'if-match': '"other"' }, 'two')).status).toBe(412);
    expect((await write('/b', { 'if-match': etag }, 'two')).status).toBe(200);
    expect((await write('/b', { 'if-match': etag }, 'three')).status).toBe(412);
    expect((await write('/nothing', { 'if-match': etag })).status).toBe(404);
    expect((await read('/b')).text).toBe('two');
  });

  it('succeeds for one of ten at once', async () => {
    const all = Array.from({ length: 10 }, (_, at) => write('/c', { 'if-none-match': '*' }, `${at}`));

    expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
