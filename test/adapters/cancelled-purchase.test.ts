import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { openSettlement } from '../../functions/domain/treasury/settlement.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { aClient } from '../support/builders.ts';
import { eventsOf, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import {
  chain,
  newAddress,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';
import { startTables } from '../support/tables.ts';

let world: World;
let wallet: Wallet;
let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  [world, tables] = await Promise.all([openWorld(), startTables()]);
});
beforeEach(async () => {
  wallet = await world.openWallet();
  await world.stopMining();
});
afterEach(() => world.startMining());
afterAll(() => Promise.all([world.stop(), tables.stop()]));

/** A paid purchase with a transfer that is sent and not mined. The steps run on a real chain and real tables. */
async function sent() {
  const ports = openPorts(tables);
  const {
    settlements: settlementsTable,
    transactions: transactionsTable,
    ledger: ledgerTable,
  } = tables.names;
  const { client } = tables;
  const book = settlementBook({
    client,
    settlementsTable,
    transactionsTable,
    ledgerTable,
    chainId: chain.chainId,
    ...ports,
  });
  const { clock } = ports;
  const treasuryPorts = openTreasury(world, wallet, {
    book,
    clock,
    waitsMs: [],
    chain: { ...chain, finality: 4 },
  });
  const treasury = directTreasury(treasuryPorts.ports);
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { walletAddress: newAddress() });
  const { id: transactionId, clientId, partnerId, asset, quote, walletAddress: to } = purchase;
  await ports.clients.create(aClient({ id: clientId, partnerId }));
  const checkedAt = clock.now();
  const given = {
    ports,
    purchase,
    settle: () => settleStablecoin({ transactionId, checkedAt }, { ...ports, treasury }),
    fail: (name: string) => failTransaction({ transactionId, error: { Error: name } }, ports),
    row: () => book.open(openSettlement({ transactionId, asset, units: quote.assetUnits, to }, 0)),
  };
  await expect(given.settle()).rejects.toMatchObject({ name: 'NotYetConfirmed' });
  return given;
}

type Sent = Awaited<ReturnType<typeof sent>>;

/** The final error or answer of the step, with a block after each visit. Nothing is refunded in the meantime. */
async function settledEnd({ settle, ports, purchase, fail }: Sent) {
  for (let blocks = 0; blocks < 12; blocks++) {
    const end = await settle().catch((error: Error) => error);
    if (!(end instanceof Error) || end.name !== 'NotYetConfirmed') return end;
    await expect(fail('SettlementFailed')).rejects.toMatchObject({ name: 'TransferMayLive' });
    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.pix.refunds).toEqual([]);
    ports.clock.advance(5_000);
    await world.mine();
  }
  throw new Error('it never ended');
}

/** Expects that the purchase failed for this reason, that the Pix was returned, and that nothing was sent. */
async function expectFailedFor(given: Sent, error: string, reason: string): Promise<void> {
  const { ports, purchase, fail } = given;
  expect(await settledEnd(given)).toMatchObject({ name: error });
  expect(await fail(error)).toMatchObject({ status: 'FAILED', decision: reason });
  await refundPixPayment({ transactionId: purchase.id }, ports);

  expect(await reread(ports, purchase)).toMatchObject({
    status: 'FAILED',
    failure: { reason },
    disposition: 'REFUND',
    refund: { status: 'REFUNDED', reason },
  });
  expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual([
    'transaction.failed',
    'transaction.refunded',
  ]);
  expect(await world.countTransfers(wallet, purchase.walletAddress)).toBe(0);
}

describe('a purchase whose transfer is out', () => {
  // docs/architecture.md, "Five ideas"
  test('fails for a sanctions hit that the schedule finds, and is refunded once the cancel is final', async () => {
    const given = await sent();
    const { ports, purchase } = given;
    const verdict = { rejectedAt: START_AT + 1, rejectedFor: 'SANCTIONS_HIT' } as const;
    await ports.clients.noteVerdict(purchase.clientId, verdict);

    await expectFailedFor(given, 'CLIENT_REFUSED', 'SANCTIONS_HIT');
    expect(await given.row()).toMatchObject({ state: 'FAILED', tries: ['CANCELLED'] });
  });

  test.each([
    ['CLIENT_REFUSED', 'SANCTIONS_HIT'],
    ['WALLET_RISK_TOO_HIGH', 'WALLET_RISK_TOO_HIGH'],
    ['PAYER_MISMATCH', 'PAYER_MISMATCH'],
  ])('fails for %s, found after its nonce was taken', async (error, reason) => {
    const given = await sent();

    await expect(given.fail(error)).rejects.toMatchObject({ name: 'TransferMayLive' });

    await expectFailedFor(given, error, reason);
  });

  test('is completed if the transfer was mined before it could be cancelled', async () => {
    const given = await sent();
    await world.mine();
    await expect(given.fail('WALLET_RISK_TOO_HIGH')).rejects.toMatchObject({ name: 'TransferMayLive' });

    expect(await settledEnd(given)).toMatchObject({ decision: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, given.purchase.walletAddress)).toBe(1);
    await expect(given.fail('WALLET_RISK_TOO_HIGH')).rejects.toMatchObject({ name: 'TransferMayLive' });
    expect(given.ports.pix.refunds).toEqual([]);
  });

  test('is not cancelled for a failed settlement, because only the chain ends that', async () => {
    const given = await sent();

    await expect(given.fail('SettlementFailed')).rejects.toMatchObject({ name: 'TransferMayLive' });

    expect(await given.row()).not.toHaveProperty('cancel');
  });

  test('fails with the decision of an operator', async () => {
    const given = await sent();
    const { ports, purchase } = given;
    const cancel = { reason: 'SETTLEMENT_CANCELLED', at: ports.clock.now() } as const;
    expect(await ports.cancellations.ask(purchase.id, cancel)).toBe(true);

    await expectFailedFor(given, 'SettlementCancelled', 'SETTLEMENT_CANCELLED');
  });
});
