import { beforeEach, describe, expect, test } from 'vitest';
import { promiseStore } from '../../functions/adapters/dynamodb/promises.ts';
import { quoteStore } from '../../functions/adapters/dynamodb/quotes.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { promiseOf } from '../../functions/domain/purchase/open-promise.ts';
import { NO_PAYOUTS } from '../../functions/domain/treasury/payout-window.ts';
import type { Desk } from '../../operations/desk.ts';
import { linesOf, type Shown } from '../../operations/shown.ts';
import { promiseSums } from '../../operations/stores/promise-sums.ts';
import { treasuryCommands } from '../../operations/treasury.ts';
import { aLockedQuote, aTransaction, NOW } from '../support/builders.ts';
import { dice as random } from '../support/dice.ts';
import { openPorts } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const LIMITS = { clientBrl: 1000, walletBrl: 1000, partnerBrl: 1000, assetBrl: 1000 };
const TERMS = { limits: LIMITS, now: NOW };

let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

async function show(): Promise<string[]> {
  const { floats, priceHistories, clock } = openPorts(tables);
  const desk = {
    floats,
    priceHistories,
    clock,
    holds: { findHold: async () => undefined },
    payouts: { findWindows: async () => perAsset(() => NO_PAYOUTS) },
    promiseSums: promiseSums({ client: tables.client, table: tables.names.promises, limits: LIMITS }),
  } as unknown as Desk;
  const { run } = treasuryCommands.find(({ name }) => name === 'treasury show')!;
  return [...linesOf((await run({ words: [], flags: {}, ask: async () => '' }, desk)) as Shown)];
}

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
});
