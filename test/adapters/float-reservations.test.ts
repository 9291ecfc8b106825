import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { aTransaction } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { type DeathAt, Died, mortalClient } from '../support/mortal-client.ts';
import { openPorts } from '../support/ports.ts';
import { startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const PAYABLE = 100n;
const PURCHASES = 6;

type Act =
  | { does: 'reserve'; who: number; units: bigint; death: DeathAt | undefined }
  | { does: 'end'; who: number }
  | { does: 'read'; death: DeathAt | undefined };

/** Purchases in memory above a float in the emulator. All reservations of the last run are over. */
async function openRun() {
  const purchases = new Map<string, Transaction>();
  const confirmed = new Map<string, bigint>();
  const run = String(Math.random()).slice(2, 12);
  const idOf = (who: number) => `${run}-${who}`;
  for (let who = 0; who < PURCHASES; who++)
    purchases.set(idOf(who), aTransaction({ id: idOf(who), asset: 'USDC', status: 'AWAITING_MFA' }));
  const listed = () => [...purchases.values()];
  const isOpen = ({ status }: Transaction) => status !== 'EXPIRED';
  const wallet = { gasWei: 10n ** 18n, units: perAsset(() => PAYABLE) };
  const ports = (death?: DeathAt) => ({
    ...openPorts(tables),
    floats: floatStore(mortalClient(tables.client, death), tables.names, dice),
    openPurchases: {
      listOpen: async () => listed().filter(isOpen),
      listByIds: async (ids: readonly string[]) => listed().filter(({ id }) => ids.includes(id)),
    },
    hotWallets: { readHoldings: async () => ({ block: 1, wallets: [wallet], addresses: ['0xA'] }) },
    floatLimits: perAsset(() => ({
      reserve: '0',
      minimumGas: '0.1',
      largestPurchase: '1',
      hourlyPayout: '400',
      walletCeiling: '1000000000',
    })),
  });

  async function reserve({ who, units, death }: Act & { does: 'reserve' }): Promise<void> {
    const id = idOf(who);
    const { floats, clock } = ports(death);
    if (purchases.get(id)!.status !== 'AWAITING_MFA') return;
    if (!(await floats.reserve('USDC', { id, units }, clock.now()))) return;
    const waiting = purchases.get(id)!;
    if (waiting.status !== 'AWAITING_MFA') return;
    confirmed.set(id, units);
    // Every second purchase is charged at once, as the function does it.
    const quote = { ...waiting.quote, assetUnits: units };
    if (who % 2 === 0) purchases.set(id, { ...waiting, status: 'AWAITING_PIX', quote });
  }

  function end({ who }: Act & { does: 'end' }): void {
    purchases.set(idOf(who), aTransaction({ ...purchases.get(idOf(who))!, status: 'EXPIRED' }));
    confirmed.delete(idOf(who));
  }

  async function act(one: Act): Promise<void> {
    try {
      if (one.does === 'reserve') await reserve(one);
      else if (one.does === 'end') end(one);
      else await readTreasuryFloat(ports(one.death));
    } catch (error) {
      if (!(error instanceof Died || error instanceof Unavailable)) throw error;
    }
  }

  const promised = () => [...confirmed.values()].reduce((sum, units) => sum + units, 0n);
  /** Units of purchases that are charged, and of those whose reservation is held. */
  async function counted(): Promise<bigint> {
    const held = (await ports().floats.listReserved()).USDC;
    const charged = listed().filter(({ status }) => status === 'AWAITING_PIX');
    const all = [...held.map(({ units }) => units), ...charged.map(({ quote }) => quote.assetUnits)];
    return all.reduce((sum, units) => sum + units, 0n);
  }
  await readTreasuryFloat(ports());
  return { ports, act, promised, counted };
}

const death = fc.option(fc.record({ call: fc.integer({ min: 1, max: 8 }), isAfter: fc.boolean() }), {
  nil: undefined,
  freq: 2,
});
const who = fc.nat({ max: PURCHASES - 1 });
const reserving = fc.record({
  does: fc.constant('reserve' as const),
  who,
  units: fc.bigInt(1n, 40n),
  death,
});
const someAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: reserving },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end' as const), who }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('read' as const), death }) },
);
/** Acts that run at once, one group after the other. */
const script = fc.array(fc.array(someAct, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

// docs/decisions.md, "Quotes and open promises"
// Threat: "many charges at once promise more than we hold"
describe('the float, whatever races and dies at any call', () => {
  it('never promises more than the wallets can pay, and after a reading refuses nothing that fits', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (groups) => {
        const { ports, act, promised, counted } = await openRun();
        for (const group of groups) {
          await Promise.all(group.map(act));
          expect(promised()).toBeLessThanOrEqual(PAYABLE);
        }

        // An act that died may have left something to release. The second reading finds nothing more.
        for (let reading = 0; reading < 2; reading++) {
          await readTreasuryFloat(ports());
          const { room } = (await ports().floats.findFloat('USDC'))!;
          expect(room).toBe(PAYABLE - (await counted()));
        }
        const { floats, clock } = ports();
        const { room } = (await floats.findFloat('USDC'))!;
        expect(await floats.reserve('USDC', { id: `last-${room}`, units: room + 1n }, clock.now())).toBe(
          false,
        );
        if (room > 0n)
          expect(await floats.reserve('USDC', { id: `last-${room}`, units: room }, clock.now())).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
