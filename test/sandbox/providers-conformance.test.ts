import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyRegistry } from '../../functions/adapters/company-registry/serpro.ts';
import { cpfRegistry } from '../../functions/adapters/cpf-registry/serpro.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import { exchanges } from '../../functions/adapters/price/exchanges.ts';
import { ptaxFeed } from '../../functions/adapters/price/ptax.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import { VENUES } from '../../functions/domain/treasury/quorum.ts';
import { simulatorPrices, simulatorPtax } from '../../infra/sandbox.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import { stubLog } from '../support/stub-log.ts';
import { priceOf } from '../support/stub-market.ts';
import { CHAVE, openWorld, PAYER, type Sandbox, TXID } from './providers-support.ts';

// The adapters and the simulators were written independently, each from the provider's documents. These tests run
// them together.
let sandbox: Sandbox;
let server: Server;
let url: string;
let pix: PixProvider;
const clock = { now: () => sandbox.clock.now.getTime(), minuteMs: 60_000 };
const errors: unknown[] = [];
const log = { ...stubLog(), raise: (...words: unknown[]) => void errors.push(words) };

beforeAll(async () => {
  sandbox = openWorld();
  server = serve(sandbox.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clientId, clientSecret, locationBase } = sandbox.world.settings.psp;
  const settings = {
    baseUrl: `${url}/psp/v2`,
    tokenUrl: `${url}/psp/oauth/token`,
    clientId,
    clientSecret,
    key: CHAVE,
    merchantName: 'ONRAMP',
    merchantCity: 'SAO PAULO',
    locationHosts: [locationBase.split('/')[0] ?? ''],
    callbackUrl: 'https://onramp.example/v1/callbacks/pix',
    callbackToken: 'token',
  };
  pix = pixProvider(async () => settings, { clock, log });
});
afterAll(() => {
  server?.close();
  server?.closeAllConnections();
});

function serve(app: Hono): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await app.request(request.url ?? '/', {
      method: request.method,
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

describe("the product's Pix adapter against the simulated PSP", () => {
  const wanted = { txid: TXID, amountCentavos: 50_000, payer: { cpf: PAYER }, expiresInSeconds: 1800 };

  it('registers its callback', async () => {
    await pix.registerCallback();
    await pix.registerCallback();

    await sandbox.call('POST', '/control/psp/callback', { pix: [] });
    expect(sandbox.sent.at(-1)?.url).toBe('https://onramp.example/v1/callbacks/pix/token/pix');
  });

  it('creates a charge, finds it again, is paid, knows the payer and refunds', async () => {
    const charge = await pix.createCharge(wanted);
    expect(await pix.createCharge(wanted)).toEqual(charge);
    expect(charge).toMatchObject({ txid: TXID, amountCentavos: 50_000 });

    await sandbox.call('POST', `/control/psp/pay/${TXID}`, {});
    const paid = await pix.findCharge(TXID);
    const payment = paid?.payments[0];
    expect(payment).toMatchObject({ amountCentavos: 50_000, txid: TXID });
    expect(await pix.findPayer(payment!, PAYER)).toBe('MATCH');
    expect(await pix.findPayer(payment!, '11144477735')).toBe('UNKNOWN');
    sandbox.wait(60_000);
    expect(await pix.findPayer(payment!, '11144477735')).toBe('MISMATCH');
    await sandbox.call('POST', '/control/psp/switches', { payerFilter: 'ignored' });
    expect(await pix.findPayer(payment!, PAYER)).toBe('UNKNOWN');

    const now = clock.now();
    expect((await pix.listReceived(now - 60_000, now + 60_000)).received).toHaveLength(1);
    const refund = { endToEndId: payment!.endToEndId, id: 'R1', amountCentavos: 50_000 };
    const pending = await pix.refund(refund);
    sandbox.wait(2_000);
    const done = await pix.refund(refund);
    expect([pending.status, done.status]).toEqual(['PENDING', 'REFUNDED']);
    expect(errors).toEqual([]);
  });
});

describe("the product's other adapters", () => {
  it('find a person in the CPF registry, and only the situation of a minor', async () => {
    const { consumerKey, consumerSecret } = sandbox.world.settings.cpfRegistry;
    const settings = { baseUrl: `${url}/cpf-registry`, consumerKey, consumerSecret };
    const registry = cpfRegistry(async () => settings, { clock });

    expect(await registry.findCpf(PAYER)).toMatchObject({
      birthDate: personaOf(PAYER).birthDate,
      situation: 'REGULAR',
    });
    expect(await registry.findCpf('30272095079')).toEqual({ situation: 'MINOR' });
  });

  it('find a company in the company registry, and nothing under an unknown number', async () => {
    const settings = { baseUrl: `${url}/company-registry`, ...sandbox.world.settings.companyRegistry };
    const registry = companyRegistry(async () => settings, { clock });

    expect(await registry.findCnpj('90000001000129')).toEqual({
      name: 'CRIMSON TIDEWATER GROUP LTDA',
      situation: 'ACTIVE',
    });
    expect(await registry.findCnpj('90000003000118')).toMatchObject({ situation: 'INACTIVE' });
    expect(await registry.findCnpj('90000004000162')).toBeUndefined();
  });

  it('read the books of each asset', async () => {
    const books = await exchanges(simulatorPrices(url), {
      clock,
      log: stubLog(),
      timeoutMs: 4_000,
    }).findBooks();

    expect(Object.keys(books)).toEqual(ASSET_NAMES);
    for (const venue of VENUES) {
      const [USDT, USDC] = [books.USDT[venue], books.USDC[venue]];
      expect([USDT?.asks[0], USDC?.asks[0]]).toEqual([
        { price: priceOf('5.43210000'), quantity: priceOf('203117') },
        { price: priceOf('5.43230000'), quantity: priceOf('38820') },
      ]);
      expect([USDT?.bids[0]?.price, USDC?.bids[0]?.price]).toEqual([
        priceOf('5.43110000'),
        priceOf('5.43090000'),
      ]);
    }
  });

  it('read the last PTAX, and none while the Central Bank fails', async () => {
    const ptax = ptaxFeed(simulatorPtax(url), { clock, timeoutMs: 1_000 });

    // At 9:00 of a Friday in Brasília, the last one is from Thursday.
    const thursday = { rate: priceOf('5.4269'), publishedAt: Date.parse('2026-11-19T13:10:35-03:00') };
    expect(await ptax.findLast()).toEqual(thursday);
    for (const fault of ['DOWN', 'ERROR', 'EMPTY', 'SLOW']) {
      await sandbox.call('PUT', '/control/ptax', { fault });
      await expect(ptax.findLast()).rejects.toBeInstanceOf(Unavailable);
    }
    await sandbox.call('PUT', '/control/ptax', { cotacaoVenda: 6.1 });
    expect(await ptax.findLast()).toMatchObject({ rate: priceOf('6.1') });
  });
});
