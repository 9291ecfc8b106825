import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasEndedUnpaid } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { limitsWith } from '../support/charge-limits.ts';
import { type LimitedClient, limitedClient, outcomeOf } from '../support/limited-client.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { openPorts, reread } from '../support/ports.ts';
import { memoryTables, tapped } from '../support/tables.ts';

/** A client whose charges are made by a process that may die at any call. */
async function mortalCharges() {
  const outside = mortalOutside();
  const tables = memoryTables();
  const world = await limitedClient({}, openPorts(tables));
  const opened = openPorts(
    tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
  );
  const { clock, vault, machine, liquidity } = world.ports;
  const pix = outside.around('pix', world.ports.pix, 'createCharge');
  const ports = { ...opened, clock, vault, machine, pix, liquidity };
  const charge = (bought: Transaction, fate?: Fate) =>
    outside.run(() => world.charge(bought, ports).catch((error: unknown) => ({ error })), fate);
  return { ...world, chargeMortally: charge, struckAt: outside.struckAt };
}
type World = Awaited<ReturnType<typeof mortalCharges>>;

async function atEveryCall(
  fate: Omit<Fate, 'at'>,
  judge: (world: World, bought: Transaction) => Promise<void>,
) {
  const calls: string[] = [];
  for (let at = 1; at < 20; at++) {
    const world = await mortalCharges();
    const bought = await world.purchase(30_000);
    await world.chargeMortally(bought, { ...fate, at });
    const call = world.struckAt();
    if (call === undefined) return calls;
    calls.push(call);
    await judge(world, bought);
  }
  throw new Error('more calls than a charge may make');
}

const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

// docs/decisions.md, "Charge limits of a client"
describe.each(FATES)('a charge that is $kind $when any call', (fate) => {
  test('has claimed the limits once after its repetition', async () => {
    const calls = await atEveryCall(fate, async ({ charge, used }, bought) => {
      await charge(bought).catch(() => undefined);

      expect(await used()).toMatchObject({ charges: 1, day: 30_000_00, year: 30_000_00 });
    });

    expect(calls).toEqual(expect.arrayContaining(['TransactWriteCommand', 'pix.createCharge']));
  });

  test('holds nothing once its purchase has ended', async () => {
    await atEveryCall(fate, async ({ ports, end, used, usedEverywhere }, bought) => {
      const { status } = await reread(ports, bought);
      const isShown = status === 'AWAITING_PIX';
      await end(bought, isShown ? 'no Pix payment within 30 minutes' : 'no MFA response within 15 minutes');

      expect(await used()).toMatchObject({ charges: 0, day: 0, month: 0, year: 0 });
      expect(await usedEverywhere()).toMatchObject({ day: 0, month: 0, year: 0 });
    });
  });
});

const HOUR_MS = 60 * 60_000;

/** The sum of the client's purchases: each open charge, and each amount of the day that did not end unpaid. */
async function heldBy({ ports }: LimitedClient, purchases: readonly Transaction[], day: string) {
  const now = await Promise.all(purchases.map((each) => reread(ports, each)));
  const claimed = now.filter(({ claim }) => claim);
  const counted = claimed.filter(({ status, claim }) => !hasEndedUnpaid(status) && claim?.day === day);
  return {
    charges: claimed.filter(({ status }) => status === 'AWAITING_PIX').length,
    day: counted.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0),
  };
}

test('a client has used what its purchases hold, whatever is charged, paid and expired at once', async () => {
  const act = fc.record({
    brl: fc.integer({ min: 50, max: 600 }),
    ends: fc.array(fc.record({ at: fc.nat(10), isPaid: fc.boolean() }), { maxLength: 3 }),
    afterMs: fc.nat(4 * HOUR_MS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const world = await limitedClient();
      const { ports, purchase, charge, pay, expire, used } = world;
      ports.chargeLimits = limitsWith({ openCharges: 3, dailyBrl: 1_000 });
      const purchases: Transaction[] = [];
      for (const { brl, ends, afterMs } of acts) {
        ports.clock.advance(afterMs);
        const ended = ends.map(async ({ at, isPaid }) => {
          const bought = purchases[at];
          if (!bought || (await reread(ports, bought)).status !== 'AWAITING_PIX') return;
          await (isPaid ? pay(bought) : expire(bought)).catch(() => undefined);
        });
        const bought = await purchase(brl);
        const twins = [charge(bought), charge(bought)].map(outcomeOf);
        await Promise.all([...ended, ...twins]);
        purchases.push(bought);

        const usage = await used();
        const today = new Date(ports.clock.now() - 3 * HOUR_MS).toISOString().slice(0, 10);
        expect(usage).toMatchObject(await heldBy(world, purchases, today));
        expect(usage.charges).toBeLessThanOrEqual(3);
        expect(usage.day).toBeLessThanOrEqual(1_000_00);
      }
    }),
    { numRuns: 40 },
  );
});
