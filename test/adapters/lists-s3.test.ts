import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Reader } from '../../functions/adapters/lists/s3.ts';

const xmlError = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

/** S3 by key: one bucket, and the ways in which it fails. */
const answers: Record<string, (response: ServerResponse) => void> = {
  '/bucket/lists/v1/un.xml': (response) =>
    response.writeHead(200, { etag: '"e1"' }).end(Buffer.from([0, 255, 26])),
  '/bucket/lists/empty.csv': (response) => response.writeHead(200, { 'content-length': 0 }).end(),
  '/bucket/lists/missing.csv': (response) => response.writeHead(404).end(xmlError('NoSuchKey')),
  '/bucket/lists/denied.csv': (response) => response.writeHead(403).end(xmlError('AccessDenied')),
  '/bucket/lists/no-bucket.csv': (response) => response.writeHead(404).end(xmlError('NoSuchBucket')),
  '/bucket/lists/slow.csv': (response) => response.writeHead(503).end(xmlError('SlowDown')),
  '/bucket/lists/hanging.csv': (response) =>
    response.writeHead(200, { 'content-length': 100 }).write('only this'),
  '/bucket/lists/cut.csv': (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('only this');
    setTimeout(() => response.destroy(), 20);
  },
};

const asked: string[] = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  asked.push(`${request.method} ${pathname}`);
  answers[pathname]?.(response);
});

let client: S3Client;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: 'sa-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
});
afterAll(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const read = (name: string) => s3Reader(async () => client, 'bucket')(name);

describe('s3Reader', () => {
  it('gives the bytes of the object and their revision', async () => {
    expect(await read('v1/un.xml')).toEqual({ bytes: new Uint8Array([0, 255, 26]), revision: '"e1"' });
    expect(asked).toContain('GET /bucket/lists/v1/un.xml');
  });

  it('gives an empty object as no bytes', async () => {
    expect((await read('empty.csv'))?.bytes).toHaveLength(0);
  });

  it('gives nothing if the object is missing', async () => {
    expect(await read('missing.csv')).toBeUndefined();
  });

  it.each([
    ['denied.csv', 'AccessDenied'],
    ['no-bucket.csv', 'NoSuchBucket'],
    ['slow.csv', 'SlowDown'],
  ])('fails on %s, because only a missing object is no error', async (name, error) => {
    await expect(read(name)).rejects.toMatchObject({ name: error });
  });

  it('fails if the object is incomplete', async () => {
    const slow = s3Reader(async () => client, 'bucket', 1_000);

    await expect(slow('hanging.csv')).rejects.toThrow('hanging.csv takes too long');
  });

  it('fails if the object breaks off', async () => {
    await expect(read('cut.csv')).rejects.toThrow();
  });
});
