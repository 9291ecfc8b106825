import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { handler, settingsFrom } from '../../sandbox/providers/handler.ts';
import type { Delivery } from '../../sandbox/providers/webhook-receiver.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { startDynoxide } from '../support/dynoxide.ts';
import { openWorld, type Sandbox } from './providers-support.ts';

const BOOK = '/price/api/v3/ticker/bookTicker';

describe('price', () => {
  const get = async (sandbox: Sandbox, query = '') => {
    const response = await sandbox.call('GET', `${BOOK}${query}`);
    return { status: response.status, body: (await response.json()) as unknown };
  };

  it('quotes USDTBRL in decimal strings', async () => {
    expect(await get(openWorld(), '?symbol=USDTBRL')).toEqual({
      status: 200,
      body: {
        symbol: 'USDTBRL',
        bidPrice: '5.43110000',
        bidQty: '184210.00000000',
        askPrice: '5.43210000',
        askQty: '203117.00000000',
      },
    });
  });

  it('quotes a list of symbols in its order, or all symbols', async () => {
    const { body } = await get(openWorld(), `?symbols=${encodeURIComponent('["USDCBRL","USDTBRL"]')}`);

    expect(body).toMatchObject([{ symbol: 'USDCBRL' }, { symbol: 'USDTBRL' }]);
    expect((await get(openWorld())).body).toHaveLength(2);
  });

  it.each([
    ['?symbol=NOPE', -1121, 'Invalid symbol.'],
    [`?symbols=${encodeURIComponent('["USDTBRL","NOPE"]')}`, -1121, 'Invalid symbol.'],
    ['?symbol=usdtbrl', -1100, /^Illegal characters found in parameter 'symbol'/],
    ['?symbols=USDTBRL', -1100, /^Illegal characters found in parameter 'symbols'/],
    [`?symbol=USDTBRL&symbols=${encodeURIComponent('["USDTBRL"]')}`, -1128, /^Combination/],
  ])('refuses %s with code %i', async (query, code, msg) => {
    const { status, body } = await get(openWorld(), query);

    expect(status).toBe(400);
    expect(body).toEqual({ code, msg: typeof msg === 'string' ? msg : expect.stringMatching(msg) });
  });

  it('changes and fails as the control interface sets it', async () => {
    const sandbox = openWorld();
    await sandbox.call('POST', '/control/price/ticker', { symbol: 'USDTBRL', askPrice: '6.00000000' });
    await sandbox.call('POST', '/control/price/outage', { calls: 1, status: 429 });

    expect(await get(sandbox, '?symbol=USDTBRL')).toMatchObject({ status: 429, body: { code: -1003 } });
    expect((await get(sandbox, '?symbol=USDTBRL')).body).toMatchObject({ askPrice: '6.00000000' });
  });
});

describe('the Brazilian exchanges', () => {
  const MERCADO_BITCOIN = '/mercado-bitcoin/api/v4/USDT-BRL/orderbook?limit=1';
  const FOXBIT = '/foxbit/rest/v3/markets/usdtbrl/orderbook?depth=1';
  const get = async (sandbox: Sandbox, path: string) => {
    const response = await sandbox.call('GET', path);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const SIDES = { asks: [['5.43210000', '203117.00000000']], bids: [['5.43110000', '184210.00000000']] };

  it('answer in their own forms, with a time', async () => {
    const sandbox = openWorld();

    expect(await get(sandbox, MERCADO_BITCOIN)).toEqual({
      status: 200,
      body: { ...SIDES, timestamp: sandbox.world.now().getTime() * 1e6 },
    });
    expect(await get(sandbox, FOXBIT)).toEqual({
      status: 200,
      body: { sequence_id: expect.any(Number), timestamp: sandbox.world.now().getTime(), ...SIDES },
    });
  });

  it('show the time of a book that is frozen since yesterday, and Binance the number of its last change', async () => {
    const sandbox = openWorld();
    const binance = '/price/api/v3/depth?symbol=USDTBRL&limit=1';
    const numberOf = async () => (await get(sandbox, binance)).body as { lastUpdateId: number };
    const fresh = await numberOf();
    const yesterday = sandbox.world.now().getTime() - 24 * 60 * 60_000;

    const frozenAt = new Date(yesterday).toISOString();
    await sandbox.call('PUT', '/control/price/books/USDTBRL', { frozenAt });

    const frozen = await numberOf();
    expect(frozen.lastUpdateId).toBeLessThan(fresh.lastUpdateId);
    expect(await numberOf()).toEqual(frozen);
    expect((await get(sandbox, MERCADO_BITCOIN)).body).toMatchObject({ timestamp: yesterday * 1e6 });
    expect((await get(sandbox, FOXBIT)).body).toMatchObject({ timestamp: yesterday });
  });

  it('do not know another market', async () => {
    const { call } = openWorld();

    for (const path of [MERCADO_BITCOIN.replace('USDT', 'XYZ'), FOXBIT.replace('usdt', 'xyz')])
      expect((await call('GET', path)).status).toBe(404);
  });

  it.each([
    ['MERCADO_BITCOIN', MERCADO_BITCOIN, FOXBIT],
    ['FOXBIT', FOXBIT, MERCADO_BITCOIN],
  ])('lie and fail alone, if the control interface names %s', async (venue, path, other) => {
    const sandbox = openWorld();
    const asks = [['2.60000000', '1.00000000']];
    await sandbox.call('PUT', `/control/price/books/USDTBRL?venue=${venue}`, { asks });
    await sandbox.call('POST', `/control/price/outage?venue=${venue}`, { calls: 1, status: 451 });

    expect(await get(sandbox, path)).toMatchObject({ status: 451 });
    expect(await get(sandbox, path)).toMatchObject({ body: { asks } });
    expect(await get(sandbox, other)).toMatchObject({ status: 200, body: SIDES });
  });
});

describe('PTAX', () => {
  const CALL = '/ptax/CotacaoDolarPeriodo(dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)';
  const between = (from: string, to: string, more = '') =>
    `${CALL}?@dataInicial='${from}'&@dataFinalCotacao='${to}'&$format=json${more}`;
  const days = async (sandbox: Sandbox, path: string) => {
    const { value } = (await (await sandbox.call('GET', path)).json()) as {
      value: { dataHoraCotacao: string }[];
    };
    return value.map(({ dataHoraCotacao }) => dataHoraCotacao.slice(0, 'YYYY-MM-DD'.length));
  };

  it('has a value of each business day after 13:00, the oldest first or the newest', async () => {
    const sandbox = openWorld();
    const path = between('11-13-2026', '11-20-2026');
    const week = ['2026-11-13', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];

    // It is 9:00 of Friday in Brasília.
    expect(await days(sandbox, path)).toEqual(week);
    expect(await days(sandbox, `${path}&$top=1&$orderby=dataHoraCotacao%20desc`)).toEqual(['2026-11-19']);
    sandbox.wait(5 * 60 * 60_000);
    expect(await days(sandbox, path)).toEqual([...week, '2026-11-20']);
    expect(await days(sandbox, between('11-14-2026', '11-15-2026'))).toEqual([]);
  });

  it.each([
    ['another resource', '/ptax/CotacaoDolarDia(dataCotacao=@dataCotacao)', 404],
    ['no date', CALL, 400],
    ['a date of another form', between('2026-11-13', '2026-11-20'), 400],
    ['a month that no year has', between('13-01-2026', '13-02-2026'), 400],
  ])('answers JSON inside of a comment to %s', async (_, path, status) => {
    const response = await openWorld().call('GET', path);

    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(/^\/\*\{"codigo":\d+,"mensagem":".+"\}\*\/$/);
  });
});

describe('the order book', () => {
  const get = async (sandbox: Sandbox, query = '') => {
    const response = await sandbox.call('GET', `/price/api/v3/depth${query}`);
    const weight = response.headers.get('x-mbx-used-weight-1m');
    return { status: response.status, weight, body: (await response.json()) as unknown };
  };

  it('has both sides, best first, with the requested number of offers', async () => {
    const asks = [
      ['5.43210000', '203117.00000000'],
      ['5.43300000', '120840.00000000'],
    ];
    const bids = [
      ['5.43110000', '184210.00000000'],
      ['5.43000000', '90450.00000000'],
    ];

    expect(await get(openWorld(), '?symbol=USDTBRL&symbolStatus=TRADING')).toEqual({
      status: 200,
      weight: '5',
      body: { lastUpdateId: expect.any(Number), bids, asks },
    });
    expect(await get(openWorld(), '?symbol=USDTBRL&limit=1')).toMatchObject({ body: { asks: [asks[0]] } });
    expect(await get(openWorld(), '?symbol=USDTBRL&limit=5000')).toMatchObject({ weight: '250' });
  });

  it.each([
    ['', -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed."],
    ['?symbol=NOPE', -1121, 'Invalid symbol.'],
    ['?symbol=usdtbrl', -1100, /^Illegal characters found in parameter 'symbol'/],
    ['?symbol=USDTBRL&limit=ten', -1100, /^Illegal characters found in parameter 'limit'/],
    ['?symbol=USDTBRL&symbolStatus=OPEN', -1122, 'Invalid symbolStatus.'],
    [
      '?symbol=USDTBRL&symbolStatus=HALT',
      -1220,
      "The symbol's status does not match the requested symbolStatus.",
    ],
  ])('refuses %j with code %i', async (query, code, msg) => {
    const { status, body } = await get(openWorld(), query);

    expect(status).toBe(400);
    expect(body).toEqual({ code, msg: typeof msg === 'string' ? msg : expect.stringMatching(msg) });
  });

  it('lies, halts and fails as the control interface sets it', async () => {
    const sandbox = openWorld();
    const asks = [['2.60000000', '0.01']];
    await sandbox.call('PUT', '/control/price/books/USDCBRL', { asks, status: 'HALT' });
    await sandbox.call('POST', '/control/price/outage', { calls: 1, status: 451 });

    expect(await get(sandbox, '?symbol=USDCBRL')).toMatchObject({ status: 451 });
    expect(await get(sandbox, '?symbol=USDCBRL')).toMatchObject({
      body: { asks, bids: [['5.43090000', '41733.00000000'], expect.any(Array)] },
    });
    expect(await get(sandbox, '?symbol=USDCBRL&symbolStatus=TRADING')).toMatchObject({
      body: { code: -1220 },
    });
    expect(await get(sandbox, '?symbol=USDTBRL&symbolStatus=TRADING')).toMatchObject({ status: 200 });
  });
});

const SECRET = `whsec_${Buffer.from('a secret of the sandbox partner!').toString('base64')}`;
const EVENT = JSON.stringify({
  type: 'transaction.completed',
  timestamp: '2026-11-20T12:00:00Z',
  data: { n: 1 },
});

function deliver(sandbox: Sandbox, secret: string, { sent = EVENT }: { sent?: string } = {}) {
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, EVENT),
  };
  return sandbox.app.request('/webhook-receiver/demo', { method: 'POST', headers, body: sent });
}

async function deliveries(sandbox: Sandbox, partner = 'demo'): Promise<Delivery[]> {
  const response = await sandbox.call('GET', `/control/webhooks/${partner}`);
  return ((await response.json()) as { deliveries: Delivery[] }).deliveries;
}

describe('webhook receiver', () => {
  const open = () => openWorld({ settings: { webhookSecret: SECRET } });

  it('keeps every delivery with the result of its check, also repeated ones', async () => {
    const sandbox = open();

    expect((await deliver(sandbox, SECRET)).status).toBe(204);
    expect((await deliver(sandbox, SECRET)).status).toBe(204);

    const kept = await deliveries(sandbox);
    expect(kept).toHaveLength(2);
    expect(kept[0]).toEqual({
      id: 'msg_1',
      type: 'transaction.completed',
      timestamp: '2026-11-20T12:00:00Z',
      verified: true,
      body: JSON.parse(EVENT),
      receivedAt: '2026-11-20T12:00:00.000Z',
      answered: 204,
    });
    expect(await deliveries(sandbox, 'another')).toEqual([]);
  });

  it.each([
    ['another secret', `whsec_${Buffer.from('not the secret').toString('base64')}`, {}],
    ['a changed body', SECRET, { sent: EVENT.replace('1}', '2}') }],
  ])('answers 401 to %s and marks it', async (_, secret, parts) => {
    const sandbox = open();

    expect((await deliver(sandbox, secret, parts)).status).toBe(401);
    expect(await deliveries(sandbox)).toMatchObject([{ verified: false }]);
  });

  it('prefers the secret that was stored for the partner', async () => {
    const sandbox = open();
    const own = `whsec_${Buffer.from('the secret of this partner').toString('base64')}`;
    await sandbox.call('PUT', '/control/webhooks/demo/secret', { secret: own });

    expect((await deliver(sandbox, own)).status).toBe(204);
    expect((await deliver(sandbox, SECRET)).status).toBe(401);
  });

  it('misbehaves as the control interface sets it', async () => {
    const sandbox = open();
    await sandbox.call('POST', '/control/webhooks/demo/mode', { status: 410, delayMs: 50 });
    const start = performance.now();

    expect((await deliver(sandbox, SECRET)).status).toBe(410);

    expect(performance.now() - start).toBeGreaterThan(45);
    expect(await deliveries(sandbox)).toMatchObject([{ verified: true, answered: 410 }]);
  });
});

describe('control', () => {
  it('requires its key when one is set', async () => {
    const sandbox = openWorld({ settings: { controlKey: 'sesame' } });
    const ask = (headers: Record<string, string>) =>
      sandbox.call('GET', '/control/scenarios', undefined, headers);

    expect((await ask({})).status).toBe(403);
    expect((await ask({ 'x-control-key': 'sesame' })).status).toBe(200);
    expect((await sandbox.call('GET', BOOK)).status).toBe(200);
  });

  it('shows the scenarios as data', async () => {
    const response = await openWorld().call('GET', '/control/scenarios');

    expect(((await response.json()) as { scenarios: unknown[] }).scenarios).toHaveLength(14);
  });
});

describe('the Lambda', () => {
  it('takes its settings from the environment and has defaults for the rest', () => {
    expect(settingsFrom({})).toEqual(defaultSettings);
    expect(settingsFrom({ PSP_CHAVE: 'k', PSP_REFUND_MS: '5' }).psp).toMatchObject({
      chave: 'k',
      refundMs: 5,
    });
    expect(settingsFrom({ WEBHOOKS_ALLOW_LOOPBACK: 'true' })).toMatchObject({ allowLoopback: true });
  });

  it("answers API Gateway's events and a schedule's tick over the table", async () => {
    const database = await startDynoxide(['Simulators'], { folder: 'folder' });
    const settings = {
      SIMULATORS_TABLE: 'Simulators',
      AWS_ENDPOINT_URL_DYNAMODB: database.url,
      AWS_REGION: 'sa-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const event = {
      resource: '/{proxy+}',
      path: BOOK,
      httpMethod: 'GET',
      headers: { accept: 'application/json' },
      queryStringParameters: { symbol: 'USDTBRL' },
      body: null,
      isBase64Encoded: false,
      requestContext: { stage: 'sandbox', identity: {} },
    } as unknown as Parameters<typeof handler>[0];

    expect(await handler(event)).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('5.43210000'),
    });
    expect(await handler({ tick: true })).toEqual({ psp: { callbacks: [] }, identity: { sent: 0 } });
    await database.stop();
  });
});
