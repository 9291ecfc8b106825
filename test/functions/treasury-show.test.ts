import { beforeEach, describe, expect, test } from 'vitest';
import { promiseStore } from '../../functions/adapters/dynamodb/promises.ts';
import { quoteStore } from '../../functions/adapters/dynamodb/quotes.ts';
import { type Asset, perAsset } from '../../functions/domain/assets.ts';
import { promiseOf } from '../../functions/domain/purchase/open-promise.ts';
import type { Float } from '../../functions/domain/treasury/liquidity.ts';
import { NO_PAYOUTS, type PayoutWindow } from '../../functions/domain/treasury/payout-window.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { promiseSums } from '../../operations/stores/promise-sums.ts';
import { treasuryCommands } from '../../operations/treasury.ts';
import { aLockedQuote, aTransaction, MINUTE_MS, NOW } from '../support/builders.ts';
import { dice as random } from '../support/dice.ts';
import { openPorts } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const LIMITS = { clientBrl: 1000, walletBrl: 1000, partnerBrl: 1000, assetBrl: 1000 };
const TERMS = { limits: LIMITS, now: NOW };

let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const HELD = { by: 'ana', reason: 'a thief', at: NOW };

async function show(
  changes: Partial<Float> = {},
  held?: typeof HELD,
  window: PayoutWindow = NO_PAYOUTS,
): Promise<string[]> {
  const { floats: read, priceHistories, clock } = openPorts(tables);
  const findFloat = async (asset: Asset) => {
    const float = await read.findFloat(asset);
    return float && { ...float, ...changes };
  };
  const floats = { ...read, findFloat };
  const desk = {
    floats,
    priceHistories,
    clock,
    holds: {
      findHold: async () => held && 'HELD',
      findMarks: async () => ({ witness: { held }, tables: [] }),
    },
    payouts: { findWindows: async () => perAsset(() => window) },
    promiseSums: promiseSums({ client: tables.client, table: tables.names.promises, limits: LIMITS }),
  } as unknown as Desk;
  const { run } = treasuryCommands.find(({ name }) => name === 'treasury show')!;
  return [...shownLines((await run({ words: [], flags: {}, ask: async () => '' }, desk)) as Shown)];
}

const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const ofUsdc = (lines: string[]) => lines.filter((line) => line.startsWith('USDC'));

// docs/decisions.md, "Quotes and open promises"
describe('treasury show', () => {
  test('tells of each asset the sum of open promises, its limit and the room', async () => {
    const at = { client: tables.client, table: tables.names.promises, random };
    await quoteStore(at).create(aLockedQuote({ asset: 'USDC', amountCentavos: 250_50 }), TERMS);
    const charge = promiseOf(aTransaction({ asset: 'USDC', amountCentavos: 100_00 }));
    await promiseStore(at).open(charge, TERMS);

    const lines = await show();

    expect(lines.find((line) => line.startsWith('USDC'))).toContain(
      'R$350.50 open of R$1,000.00, room R$649.50',
    );
    expect(lines.find((line) => line.startsWith('USDT'))).toContain(
      'R$0.00 open of R$1,000.00, room R$1,000.00',
    );
  });

  test('tells how much of the hour’s ceiling is used, and what an operator allowed beyond it', async () => {
    const slice = Math.floor(openPorts(tables).clock.now() / FIVE_MINUTES_MS);
    const allowance = { units: 50_000_000n, slice, by: 'ana', at: NOW, reason: 'a busy day' };
    const window = { slice, units: [1_250_000n], revision: 1 };

    const [plain] = await show({ hourlyPayout: 100_000_000n }, undefined, window).then(ofUsdc);
    const [raised] = await show({ hourlyPayout: 100_000_000n }, undefined, { ...window, allowance }).then(
      ofUsdc,
    );

    expect(plain).toContain('1.250000 of 100.000000 within the hour, failed tries included  ');
    expect(raised).toContain('of 100.000000 within the hour, failed tries included, 50.000000 more allowed');
  });

  test('says of each asset why it is not sold, with all reasons', async () => {
    const lines = await show({
      shortfall: { since: NOW } as unknown as Float['shortfall'],
      paused: { by: 'rui', reason: 'audit', at: NOW },
    });

    expect(lines.find((line) => line.startsWith('USDC'))).toContain('NOT SOLD');
    expect(lines).toContain(
      'USDC is not sold: rui paused it; the Pix account does not cover the open refunds',
    );
    expect((await show()).join()).not.toContain('is not sold');
  });

  test('names who has stopped all movements of money, and why', async () => {
    const lines = await show({}, HELD);

    expect(lines).toContainEqual(expect.stringMatching(/^all money since .* by ana: a thief$/));
  });
});
