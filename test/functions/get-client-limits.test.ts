import { describe, expect, test } from 'vitest';
import { getClientLimits, handler } from '../../functions/api/get-client-limits.ts';
import { DEFAULT_LIMITS } from '../../functions/domain/purchase/charge-limits.ts';
import { limitedClient } from '../support/limited-client.ts';
import { reread } from '../support/ports.ts';

const { STANDARD, HIGH } = DEFAULT_LIMITS.tiers;

async function reading(given: Parameters<typeof limitedClient>[0] = {}) {
  const world = await limitedClient(given);
  const { kycToken } = await world.purchase(50);
  const read = async (partner = world.partner) => {
    const answer = await getClientLimits({ kycToken }, { partner, ids: undefined as never }, world.ports);
    return handler.answer().parse(answer).limits;
  };
  return { ...world, read };
}

describe('200', () => {
  test('shows a client who has bought nothing all of each cap', async () => {
    const { read } = await reading();

    expect(await read()).toEqual([
      { limit: 'OPEN_CHARGES', maximum: 1, used: 0, remaining: 1, resetsAt: '2099-01-01T00:00:00.000Z' },
      {
        limit: 'DAILY_AMOUNT',
        maximum: 50_000,
        used: 0,
        remaining: 50_000,
        resetsAt: '2099-01-01T03:00:00.000Z',
      },
      {
        limit: 'MONTHLY_AMOUNT',
        maximum: STANDARD.monthlyBrl,
        used: 0,
        remaining: STANDARD.monthlyBrl,
        resetsAt: '2099-01-01T03:00:00.000Z',
      },
      {
        limit: 'YEARLY_AMOUNT',
        maximum: STANDARD.yearlyBrl,
        used: 0,
        remaining: STANDARD.yearlyBrl,
        resetsAt: '2099-01-01T03:00:00.000Z',
      },
      {
        limit: 'PURCHASE_AMOUNT',
        maximum: 50_000,
        used: 0,
        remaining: 50_000,
        resetsAt: '2099-01-01T03:00:00.000Z',
      },
    ]);
  });

  // docs/decisions.md, "Charge limits of a client"
  test('shows what a charge uses, until when, and what it has given back', async () => {
    const { read, purchase, charge, pay, ports, expire } = await reading();
    const [paid, unpaid] = [await purchase(250.5), await purchase(100)];
    await charge(paid);
    const { expiresAt } = await reread(ports, paid);
    expect((await read())[0]).toMatchObject({ used: 1, resetsAt: new Date(expiresAt!).toISOString() });
    await pay(paid);
    await charge(unpaid);
    expect((await read())[1]).toMatchObject({ used: 350.5, remaining: 49_649.5 });
    await expire(unpaid);

    // No charge is open, so the client need not wait for the end of one.
    const resetsAt = new Date(ports.clock.now()).toISOString();
    expect((await read()).slice(0, 2)).toMatchObject([{ used: 0, remaining: 1, resetsAt }, { used: 250.5 }]);
  });

  test('shows the caps of a raised tier, and those that operators changed', async () => {
    const raised = { raisedAt: Number.MAX_SAFE_INTEGER, raisedTier: 'HIGH' } as const;
    const { read } = await reading({
      client: raised,
      partner: { limits: { HIGH: { dailyBrl: 1_000 }, STANDARD: { dailyBrl: 2_000 } } },
    });

    expect((await read()).map(({ maximum }) => maximum)).toEqual([
      1,
      1_000,
      HIGH.monthlyBrl,
      HIGH.yearlyBrl,
      HIGH.purchaseBrl,
    ]);
  });

  test('counts no purchase at another partner', async () => {
    const here = await reading();
    const there = await limitedClient({}, here.ports);
    await there.charge(await there.purchase(50_000));

    expect((await here.read()).map(({ used }) => used)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('404 KYC_TOKEN_NOT_FOUND', () => {
  test('answers for another partner’s token as for an unknown one', async () => {
    const { read, partner } = await reading();

    await expect(read({ ...partner, id: 'other' })).rejects.toMatchObject({ code: 'KYC_TOKEN_NOT_FOUND' });
  });
});
