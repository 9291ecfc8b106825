import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pixCallback } from '../../functions/adapters/pix/callback.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { pixReceived } from '../../functions/callbacks/pix-received.ts';
import type { PixCallback } from '../../functions/domain/purchase/pix-ports.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { simulatorSecrets } from '../../infra/sandbox.ts';
import { openWorld } from '../sandbox/providers-support.ts';
import { eventsOf, openPorts, putPurchaseIn, reread, START_AT, type TestPorts } from '../support/ports.ts';
import { type ForgedPix, type Sent, strangerAt } from '../support/stranger.ts';
import { rowIn, startTables, type Tables } from '../support/tables.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

let tables: Tables & { stop(): Promise<void> };
let provider: Provider;
let ports: TestPorts & { pixCallback: PixCallback };
let purchase: Transaction;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());
beforeEach(async () => {
  provider = await startProvider();
  const plain = openPorts(tables);
  const { clock, log } = plain;
  const pix = pixProvider(async () => provider.settings, { clock, log });
  ports = {
    ...plain,
    pix: pix as TestPorts['pix'],
    pixCallback: pixCallback(async () => provider.settings),
  };
  await ports.pix.registerCallback();
  purchase = await putPurchaseIn(ports, 'AWAITING_PIX');
  const payer = { cpf: '52998224725' };
  await pix.createCharge({ txid: purchase.id, amountCentavos: 250_00, payer, expiresInSeconds: 1800 });
  await provider.stranger.copyCharge(purchase.id, '250.00');
});
afterEach(() => provider.stop());

/** The simulated payment provider with two merchants, as a server. Its callbacks are kept. */
async function startProvider() {
  const world = openWorld();
  world.clock.now = new Date(START_AT);
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { method = 'GET', url = '/' } = incoming;
    const headers = incoming.headers as Record<string, string>;
    const answer = await world.app.request(url, { method, headers, ...(body !== '' && { body }) });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const simulatorsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callbackUrl = 'https://onramp.example/callbacks/pix';
  const { pix, pixCallback: callback } = simulatorSecrets(simulatorsUrl);
  const settings = { ...pix, ...callback, callbackUrl } as unknown as PixSettings;
  return {
    settings,
    sent: world.sent,
    stranger: strangerAt({ simulatorsUrl }),
    stop: async () => void server.close().closeAllConnections(),
  };
}

/** The provider's call arrives with the token of the path, from the provider's own address. Gives the hints. */
async function receive(body: object): Promise<unknown> {
  const event = { pathParameters: { token: provider.settings.callbackToken }, body: JSON.stringify(body) };
  await pixReceived(event as unknown as APIGatewayProxyEvent, ports);
  const [message] = ports.callbackQueue.sent as { txids: string[] }[];
  if (message) await processCallback(message, ports);
  return message?.txids ?? [];
}

/**
 * Expects that nothing was believed, and that no transfer and no refund can follow. Reconciliation adds nothing either.
 */
async function expectUnmoved({ endToEndId }: ForgedPix): Promise<void> {
  await reconcilePix(ports);
  const row = await reread(ports, purchase);

  expect(row).toMatchObject({ status: 'AWAITING_PIX', sequence: purchase.sequence });
  expect({ payment: row.payment, refund: row.refund, disposition: row.disposition }).toEqual({});
  expect(await eventsOf(ports, purchase)).toEqual([]);
  expect(ports.machine.resumed).toEqual([]);
  expect(await ports.unmatchedPayments.findUnmatched(endToEndId)).toBeUndefined();
  expect(await rowIn(tables, 'settlements', `PAY#${purchase.id}`)).toBeUndefined();
  expect(await ports.pix.findCharge(purchase.id)).toMatchObject({ status: 'ACTIVE', payments: [] });
}

describe('the forged-callback attack', () => {
  test('moves nothing: the key in the callback alone shows that it is not ours', async () => {
    const { pix } = await provider.stranger.payItself(purchase.id, { callback: true });
    const [sent] = provider.sent as unknown as (Pick<Sent, 'body'> & { url: string })[];
    expect(sent).toMatchObject({
      url: expect.stringContaining(provider.settings.callbackToken),
      body: { pix: [{ txid: purchase.id, valor: '250.00', endToEndId: pix.endToEndId }] },
    });
    // A callback that was believed would cause a read of the charge. No provider is asked.
    const asked: string[] = [];
    ports.pix = { ...ports.pix, findCharge: async (txid) => void asked.push(txid) };

    expect(await receive(sent!.body)).toEqual([]);

    expect(asked).toEqual([]);
    ports.pix = pixProvider(async () => provider.settings, ports) as TestPorts['pix'];
    await expectUnmoved(pix);
  });

  test.each([
    ['leaves the key out', ({ chave: _, ...pix }: ForgedPix): ForgedPix => pix],
    ['names our key', (pix: ForgedPix) => ({ ...pix, chave: provider.stranger.ourKey })],
  ])(
    'moves nothing if the callback %s, because the charge is read again with our own credentials',
    async (_, bend) => {
      const { pix } = await provider.stranger.payItself(purchase.id, { callback: false });

      expect(await receive({ pix: [bend(pix)] })).toEqual([purchase.id]);

      await expectUnmoved(pix);
    },
  );
});
