import { describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { getChange, type Trigger } from '../../functions/domain/purchase/transitions.ts';
import { idsOf } from '../../functions/logic/ids.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { newId, openPorts, putPurchaseIn, reread } from '../support/ports.ts';

/** A client of a partner with as many authenticated purchases as a test needs. */
async function oneClient(limits = { openCharges: 1, dailyBrl: 50_000 }) {
  const ports = { ...openPorts(), chargeLimits: limits };
  const clientId = `client-${newId()}`;
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}` });
  const cpfCipher = await ports.vault.encrypt('52998224725', clientId);
  await ports.clients.create(aClient({ id: clientId, partnerId: partner.id, cpfCipher, enrolledAt: 1 }));
  const purchase = (brl: number) =>
    putPurchaseIn(ports, 'AWAITING_MFA', { clientId, partnerId: partner.id, amountCentavos: brl * 100 });
  const row = async () => (await ports.clients.findClient(clientId))!;
  const charge = async (bought: Transaction) =>
    issueCharge(
      await reread(ports, bought),
      { trigger: 'MFA code accepted', client: await row(), spreadBasisPoints: 0 },
      ports,
    );
  const end = async (bought: Transaction, trigger: Trigger) => {
    const now = await reread(ports, bought);
    const at = instantOf(ports.clock);
    const payment = { endToEndId: `E${bought.id}`, paidAt: at.now, amountCentavos: bought.amountCentavos };
    const facts = trigger === 'Pix payment detected' ? { payment } : {};
    expect(await ports.transactions.save(getChange(now, trigger, at, facts))).toBe(true);
  };
  const initiate = async (amountBrl: number) => {
    const { kycToken } = await purchase(50);
    await putApproved(ports, { kycToken, partnerId: partner.id, clientId, model: 1, createdAt: 0 } as never);
    const ids = idsOf({ at: ports.clock.now(), seed: kycToken });
    const request = { kycToken, amountBrl, asset: 'USDC', walletAddress: WALLET };
    return initiateTransaction(request, { partner, ids } as never, ports);
  };
  return { ports, purchase, row, charge, end, initiate };
}

const outcomeOf = (charged: Promise<{ status: string }>) =>
  charged.then(
    ({ status }) => status,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return `${error.code} ${error.details.limit}`;
    },
  );
const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].map((each) => [each, outcomes.filter((one) => one === each).length]),
  );

const OPEN = 'LIMIT_EXCEEDED OPEN_CHARGES';
const DAILY = 'LIMIT_EXCEEDED DAILY_AMOUNT';

describe('a client', () => {
  test('gets one of three charges of R$ 50,000 that it requests within seconds', async () => {
    const { ports, purchase, charge } = await oneClient();
    const purchases = [await purchase(50_000), await purchase(50_000), await purchase(50_000)];

    const outcomes = [];
    for (const each of purchases) outcomes.push(await outcomeOf(charge(each)));

    expect(outcomes).toEqual(['AWAITING_PIX', OPEN, OPEN]);
    expect(ports.pix.charges.size).toBe(1);
    expect(ports.liquidity.reserved).toHaveLength(1);
  });

  test('gets one of twenty charges that it requests at once', async () => {
    const { ports, purchase, charge, row } = await oneClient();
    const purchases = await Promise.all(Array.from({ length: 20 }, () => purchase(100)));

    const outcomes = await Promise.all(purchases.map((each) => outcomeOf(charge(each))));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 1, [OPEN]: 19 });
    expect(ports.pix.charges.size).toBe(1);
    expect((await row()).charges).toMatchObject({ centavos: 100_00, open: [expect.any(Object)] });
  });

  // docs/decisions.md, "Charge limits of a client"
  test('gets at most the amount of a day from twenty requests at once, to the centavo', async () => {
    const { ports, purchase, charge, row } = await oneClient({ openCharges: 10, dailyBrl: 50_000 });
    const purchases = await Promise.all(Array.from({ length: 20 }, () => purchase(7_000)));

    const outcomes = await Promise.all(purchases.map((each) => outcomeOf(charge(each))));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 7, [DAILY]: 13 });
    expect(ports.pix.charges.size).toBe(7);
    expect((await row()).charges?.centavos).toBe(49_000_00);
  });

  test('uses its limit once for a purchase, however often and by how many at once it is charged', async () => {
    const { ports, purchase, charge, row } = await oneClient();
    const bought = await purchase(30_000);

    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(charge(bought))));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 10 });
    expect(ports.pix.charges.size).toBe(1);
    expect((await row()).charges).toMatchObject({ centavos: 30_000_00, revision: 1 });
  });

  test('is charged again after the last payment until the day is full, and again the next day', async () => {
    const { ports, purchase, charge, end } = await oneClient();
    const first = await purchase(30_000);
    await charge(first);
    await end(first, 'Pix payment detected');
    expect(await outcomeOf(charge(await purchase(20_001)))).toBe(DAILY);
    const second = await purchase(20_000);
    expect(await outcomeOf(charge(second))).toBe('AWAITING_PIX');
    await end(second, 'Pix payment detected');

    expect(await outcomeOf(charge(await purchase(50)))).toBe(DAILY);
    ports.clock.advance(24 * 60 * 60_000);
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });

  test('gets back the amount of a charge that expired unpaid', async () => {
    const { purchase, charge, end } = await oneClient();
    const first = await purchase(50_000);
    await charge(first);
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe(OPEN);

    await end(first, 'no Pix payment within 30 minutes');

    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });

  test('keeps the place of a purchase whose charge could not be made, for that purchase', async () => {
    const { ports, purchase, charge } = await oneClient();
    const [bought, other] = [await purchase(50_000), await purchase(50)];
    ports.liquidity.isEmpty = true;
    await expect(charge(bought)).rejects.toMatchObject({ code: 'LIQUIDITY_UNAVAILABLE' });
    ports.liquidity.isEmpty = false;

    expect(await outcomeOf(charge(other))).toBe(OPEN);
    expect(await outcomeOf(charge(bought))).toBe('AWAITING_PIX');
  });

  test('does not use up the limit of another client', async () => {
    const [one, other] = [await oneClient(), await oneClient()];

    for (const { charge, purchase } of [one, other])
      expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });
});

describe('initiate', () => {
  test('reports a limit before the client shows a code, and opens nothing', async () => {
    const { ports, purchase, charge, end, initiate } = await oneClient();
    const first = await purchase(40_000);
    const { expiresAt } = await charge(first);

    await expect(initiate(50)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: {
        limit: 'OPEN_CHARGES',
        maximum: 1,
        remaining: 0,
        retryAfterSeconds: 30 * 60,
        resetsAt: new Date(expiresAt!).toISOString(),
      },
    });
    await end(first, 'Pix payment detected');
    await expect(initiate(10_000.01)).rejects.toMatchObject({
      details: { limit: 'DAILY_AMOUNT', maximum: 50_000, remaining: 10_000 },
    });
    expect(ports.machine.started).toEqual([]);

    expect(await initiate(10_000)).toMatchObject({ status: 'PENDING_AUTH' });
  });

  test('only checks the limit: a purchase without authentication takes no place', async () => {
    const { row, initiate, purchase, charge } = await oneClient();
    await initiate(50_000);
    await initiate(50_000);

    expect((await row()).charges).toBeUndefined();
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });
});
