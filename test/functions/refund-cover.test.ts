import { beforeEach, describe, expect, test } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { hasRoom } from '../../functions/domain/treasury/liquidity.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { aReceivedPix, newEndToEndId, newId, openPorts, putPurchaseIn } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const REFUND = { endToEndId: newEndToEndId(), amountCentavos: 250_00, reason: 'PAYER_MISMATCH' } as const;

/** A treasury with room, one refund of R$ 250 that is not done, and this balance at the provider. */
async function openAccount(balance: number | 'UNWATCHED' | undefined) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const floats = floatStore(tables.client, tables.names, dice);
  const now = ports.clock.now();
  const plenty = {
    free: 10n ** 12n,
    largest: 10n ** 12n,
    hourlyPayout: 10n ** 12n,
    readAt: now,
    block: 1,
    isGasLow: false,
  };
  for (const asset of ASSET_NAMES)
    await floats.save({ asset, ...plenty, hotWallets: ['0xhot'] }, { revision: 0, over: [] });
  await putPurchaseIn(ports, 'FAILED', {
    refund: { ...REFUND, status: 'PENDING', tries: 5, nextTryAt: now + DAY_MS },
    nextCheckAt: now + DAY_MS,
  });
  ports.pix.balance = balance;
  /** Whether a charge of one token may be made, as initiate sees it and as the charge's own write decides. */
  const sells = async () =>
    Promise.all(
      ASSET_NAMES.map(async (asset) => {
        const isSeen = hasRoom(await floats.findFloat(asset), 10n ** 6n, now);
        const isReserved = await floats.reserve(asset, { id: newId(), units: 10n ** 6n }, now);
        return [isSeen, isReserved];
      }),
    );
  return { ports, sells };
}

const ALL = ASSET_NAMES.map(() => [true, true]);
const NONE = ASSET_NAMES.map(() => [false, false]);

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount(249_99);
});

// Threat: "the account cannot pay the refunds"
describe('new charges', () => {
  test('pause for every asset while the account holds less than the open refunds, and a person is called', async () => {
    const { ports, sells } = account;
    expect(await sells()).toEqual(ALL);

    await reconcilePix(ports);

    expect(await sells()).toEqual(NONE);
    expect(ports.log.raised).toEqual(['RefundsNotCovered']);
    expect(ports.log.errors[0]).toContain('"balanceCentavos":24999,"owedCentavos":25000');
  });

  test('go on at the first reading that covers the refunds to the centavo', async () => {
    const { ports, sells } = account;
    await reconcilePix(ports);
    ports.pix.balance = 250_00;

    await reconcilePix(ports);

    expect(await sells()).toEqual(ALL);
  });

  test('pause for the returns of unmatched payments, too', async () => {
    const { ports, sells } = account;
    ports.pix.balance = 250_00;
    const pix = aReceivedPix({ id: newId() }, { amountCentavos: 1 });
    const now = ports.clock.now();
    await ports.unmatchedPayments.create(newUnmatchedPayment(pix, { mayReturn: true }, now));

    await reconcilePix(ports);

    expect(await sells()).toEqual(NONE);
  });

  test.each([0, 1_000_000_00])(
    'follow nothing but the open refunds: with %i centavos and none open, they go on',
    async (balance) => {
      const ports = openPorts(memoryTables());
      ports.pix.balance = balance;

      await reconcilePix(ports);

      expect(ports.log.raised).toEqual([]);
    },
  );
});

describe('a balance that cannot be read', () => {
  test.each([
    ['no pause is made', 1_000_00, ALL],
    ['a pause stays', 0, NONE],
  ])('changes nothing, so that %s, and rings', async (_, before, expected) => {
    const { ports, sells } = account;
    ports.pix.balance = before;
    await reconcilePix(ports);
    ports.pix.findBalance = async () => {
      throw new Unavailable('the Pix provider');
    };
    ports.log.raised.length = 0;

    await reconcilePix(ports);

    expect(await sells()).toEqual(expected);
    expect(ports.log.raised).toEqual(['PixBalanceNotRead']);
    expect(ports.pix.registrations).toBe(2);
  });

  test('by a provider without such a call rings until a person has accepted that', async () => {
    const { ports, sells } = await openAccount('UNWATCHED');

    await reconcilePix(ports);

    expect(await sells()).toEqual(ALL);
    expect(ports.log.raised).toEqual(['PixBalanceNotWatched']);
  });

  test('by a provider without such a call is no trouble once that is accepted', async () => {
    const { ports, sells } = await openAccount(undefined);

    await reconcilePix(ports);

    expect(await sells()).toEqual(ALL);
    expect(ports.log.raised).toEqual([]);
  });
});
