import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { live } from '../../functions/adapters/live.ts';
import { bundleWithLists } from '../../infra/bundle.ts';
import { bundledLists } from '../../infra/bundled-lists.ts';
import { LISTED_WALLET } from '../../sandbox/providers/lists/ofac.ts';

/** An S3 that fails. */
let server: Server;
let asked = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked++;
    response.writeHead(503).end('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

describe('a function whose bucket fails at its first search', () => {
  // docs/compliance.md, "The lists"
  it('finds people and wallets in the copy that was deployed with its code', async () => {
    const lists = await bundledLists('sandbox');
    const code = { directory: new URL('../support', import.meta.url).pathname, hash: 'any' };
    vi.stubEnv('LAMBDA_TASK_ROOT', bundleWithLists(code, lists!).directory);
    vi.stubEnv('LISTS_BUCKET', 'lists');
    vi.stubEnv('STAGE', 'sandbox');
    vi.stubEnv('AWS_REGION', 'sa-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { sanctions, listedWallets } = await live(['sanctions', 'listedWallets']);

    const { index, candidates } = await sanctions.search({
      cpf: '52998224725',
      name: 'Radomir Veltranov Quessandi',
      birthDate: '1971-09-03',
    });

    expect(asked).toBeGreaterThan(0);
    expect(index).toMatchObject({ source: 'BUNDLED', version: '2026-11-01T12:00:00.000Z' });
    expect(candidates[0]).toMatchObject({ list: 'OFAC_SDN', zone: 'HIT' });
    expect(await listedWallets.findWallet(LISTED_WALLET)).toEqual({ index, entryId: expect.any(String) });
    expect(await listedWallets.findWallet(`0x${'1'.repeat(40)}`)).toEqual({ index });
  });
});
