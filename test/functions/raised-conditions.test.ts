import type { APIGatewayProxyEvent, Context, SQSEvent } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { warn } from '../../functions/adapters/chain/visit.ts';
import { live } from '../../functions/adapters/live.ts';
import { registerCallback } from '../../functions/adapters/pix/registration.ts';
import type { PixSession } from '../../functions/adapters/pix/session.ts';
import { refuse, Unavailable } from '../../functions/domain/errors.ts';
import { ALTERED, DOINGS, type Doing } from '../../functions/domain/treasury/doing.ts';
import { callback } from '../../functions/entry/callback.ts';
import { endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { queueConsumer } from '../../functions/entry/queue.ts';
import { openIfPurchaseStuck } from '../../functions/logic/money/money-cases.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { pointsIn } from '../support/embedded-metrics.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { stubLog } from '../support/stub-log.ts';
import { writtenLines } from '../support/written-lines.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the lines of a function', () => {
  const lines = writtenLines();

  const event = { requestContext: { requestId: 'r1' } } as APIGatewayProxyEvent;
  async function raisedBy(fail: () => never) {
    await callback({ needs: [] }, async () => fail())(event);
    return pointsIn(lines).map(({ name }) => name);
  }

  test.each([
    ['RequestUnanswered', new Unavailable('the table')],
    ['RequestFailed', new TypeError('broken')],
  ])('of an endpoint raise %s by an error of its kind', async (condition, error) => {
    for (const name of ['PARTNERS_TABLE', 'REQUESTS_TABLE']) vi.stubEnv(name, 'none');
    const { partners } = await live(GET_NEEDS);
    vi.spyOn(partners, 'findCaller').mockRejectedValue(error);
    const route = { method: 'GET', path: '/v1/laas/any', function: 'GetAny', scope: 'all' } as const;
    const request = { request: z.object({}), answer: () => z.object({}), errors: [], needs: GET_NEEDS };
    const headers = { 'X-Service-API-Key': 'sk_sandbox_demo_key1_0000000000000000' };
    const asked = { headers, requestContext: { requestId: 'r1', identity: {} } };

    const handler = endpoint(route, request, async () => ({}));
    const { statusCode } = await handler(asked as unknown as Parameters<typeof handler>[0], {} as Context);

    expect(statusCode).toBe(500);
    expect(pointsIn(lines).map(({ name }) => name)).toEqual([condition, 'Refusals']);
  });

  test('of a callback raise its condition by an unexpected error', async () => {
    expect(
      await raisedBy(() => {
        throw new TypeError('broken');
      }),
    ).toEqual(['CallbackFailed']);
  });

  test('of a callback raise nothing by a stranger, and nothing while a service is down', async () => {
    expect(await raisedBy(() => refuse('NOT_FOUND'))).toEqual([]);
    expect(
      await raisedBy(() => {
        throw new Unavailable('the table');
      }),
    ).toEqual([]);
  });

  test('of a consumer measure the age of each callback that it has handled', async () => {
    const message = z.object({ isBroken: z.boolean().optional() });
    const consume = queueConsumer({ needs: [], message, measuresLag: true }, async ({ isBroken }) => {
      if (isBroken) throw new Error('broken');
    });
    const attributes = { SentTimestamp: String(Date.now() - 5000), ApproximateReceiveCount: '3' };
    const records = ['{}', '{"isBroken":true}'].map((body, at) => ({
      messageId: `m${at}`,
      body,
      attributes,
    }));

    await consume({ Records: records } as unknown as SQSEvent, {} as Context);

    const points = pointsIn(lines);
    expect(points).toMatchObject([{ name: 'CallbackLag', unit: 'Milliseconds' }]);
    expect(points[0]!.value).toBeGreaterThanOrEqual(5000);
  });
});

describe('a settlement that waits', () => {
  const conditionOf = (doing: string, isForPerson?: true) => {
    if (doing === 'hourly ceiling') return 'PayoutsAtCeiling';
    if (doing === ALTERED) return 'PayoutAltered';
    return isForPerson ? 'SettlementNeedsPerson' : 'SettlementWaits';
  };

  test.each(Object.entries(DOINGS))(
    'for “%s” calls a person by its own condition',
    (doing, { isForPerson }) => {
      const log = stubLog();

      warn({ log } as never, { transactionId: '01JD', asset: 'USDC' } as never, doing as Doing);

      expect(log.raised).toEqual([conditionOf(doing, isForPerson)]);
    },
  );
});

describe('money that is held', () => {
  test('raises its condition at each reading', async () => {
    const ports = { ...openPorts(), log: stubLog() };
    ports.holds.hold = 'HELD';

    for (let minute = 0; minute < 2; minute++) await readTreasuryFloat(ports as never);

    expect(ports.log.raised).toEqual(['MoneyHeld', 'MoneyHeld']);
  });
});

describe('a case', () => {
  test('raises its alarm also if the process dies after the write, and then no more', async () => {
    const ports = openPorts();
    const purchase = aPurchaseIn('PROCESSING');
    ports.clock.advance(2 * DAY_MS);
    const { open } = ports.moneyCases;
    ports.moneyCases.open = async (...args) => Promise.reject(new Error(`died after ${await open(...args)}`));
    await openIfPurchaseStuck(purchase, ports);
    ports.moneyCases.open = open;
    await openIfPurchaseStuck(purchase, ports);

    expect(ports.log.raised.filter((each) => each === 'MoneyStuck')).toEqual(['MoneyStuck']);
    expect(await ports.moneyCases.findCase(`PURCHASE_STUCK#${purchase.id}`)).toBeDefined();
  });

  test('that cannot be written raises its alarm, and a condition of its own', async () => {
    const ports = openPorts();
    ports.moneyCases.open = () => Promise.reject(new Error('throttled'));
    const purchase = aPurchaseIn('PROCESSING');
    ports.clock.advance(2 * DAY_MS);

    await openIfPurchaseStuck(purchase, ports);

    expect(ports.log.raised).toEqual(['MoneyStuck', 'CaseNotOpened']);
  });
});

describe('our certificate for the Pix provider', () => {
  // `openssl req -x509 -newkey ed25519 -nodes -days 36500 -subj /CN=test`; it ends on ENDS_AT.
  const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBNDCB56ADAgECAhQbTlCfFf25YsiEF76A5YpMCMmrUzAFBgMrZXAwDzENMAsG
A1UEAwwEdGVzdDAgFw0yNjExMjIyMDE2MzJaGA8yMTI2MTAyOTIwMTYzMlowDzEN
MAsGA1UEAwwEdGVzdDAqMAUGAytlcAMhAMvilN8qkde4swLjP6eCD8NcxMaqBo4L
lqbjCyEKYRPio1MwUTAdBgNVHQ4EFgQUadll25yeN1yMND1R42JDpdSDW/IwHwYD
VR0jBBgwFoAUadll25yeN1yMND1R42JDpdSDW/IwDwYDVR0TAQH/BAUwAwEB/zAF
BgMrZXADQQBi7Ebi/FxS+kcHuDIagqnMVHHfUBBrAlVKwYem/MqIxYHDATxxPmva
9Uw7f7RY4ofBBXWmTzLlGrYeBVItY60C
-----END CERTIFICATE-----`;
  const ENDS_AT = Date.parse('2126-10-29T20:16:32.000Z');

  test.each([
    [15, []],
    [13, ['CertificateExpires']],
    [-1, ['CertificateExpires']],
  ])('that ends in %i days raises %j', async (days, raised) => {
    const log = stubLog();
    const webhookUrl = 'https://onramp.example/callbacks/pix/hush';
    const session = {
      log,
      clock: { now: () => ENDS_AT - days * DAY_MS, minuteMs: 60_000 },
      settings: {
        key: 'key',
        callbackUrl: 'https://onramp.example/callbacks/pix',
        callbackToken: 'hush',
        certificate: { cert: CERTIFICATE, key: 'not read' },
      },
      call: async () => ({ status: 200, body: { webhookUrl } }),
    } as unknown as PixSession;

    await registerCallback(session);

    expect(log.raised).toEqual(raised);
  });
});
