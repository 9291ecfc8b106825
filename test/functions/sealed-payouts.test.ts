import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { payoutOf } from '../../functions/domain/treasury/settlement.ts';
import { newId, openPorts, reread } from '../support/ports.ts';
import { aQuotingPartner } from '../support/quoting.ts';
import { memoryTables } from '../support/tables.ts';

/** A partner, and the writer of the table of purchases who may not seal. */
async function world() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const partner = await aQuotingPartner(ports);
  /** Opens a purchase, lets the thief change its row, and charges it. */
  async function buy(
    { quoteId, seed }: { quoteId?: string; seed?: string } = {},
    theft: Partial<Transaction> | ((row: Transaction) => Partial<Transaction>) = {},
  ) {
    const { transactionId: id } = await partner.initiate({ quoteId }, seed);
    const row = await reread(ports, { id });
    const changed = typeof theft === 'function' ? theft(row) : theft;
    await tables.client.send(
      new PutCommand({ TableName: tables.names.transactions, Item: { ...row, ...changed } }),
    );
    return partner.charge({ id });
  }
  const isAsSealed = async (purchase: Pick<Transaction, 'id'>) =>
    ports.payoutSeals.isAsSealed(payoutOf(await reread(ports, purchase)));
  return { ...partner, ports, buy, isAsSealed };
}

// docs/decisions.md, "A sealed payout"
describe('a purchase', () => {
  test('is sealed when it is opened and charged', async () => {
    const { buy, isAsSealed } = await world();

    expect(await isAsSealed(await buy())).toBe(true);
  });

  test('is sealed at the price that was found when it was charged', async () => {
    const { ports, initiate, charge, isAsSealed } = await world();
    const { transactionId: id } = await initiate({});
    const opened = await reread(ports, { id });
    ports.prices.ask = '5.60';

    await charge({ id });

    expect((await reread(ports, { id })).quote.assetUnits).not.toBe(opened.quote.assetUnits);
    expect(await isAsSealed({ id })).toBe(true);
  });

  test('is sealed at the price of a quote', async () => {
    const { quote, buy, isAsSealed } = await world();

    expect(await isAsSealed(await buy(await quote()))).toBe(true);
  });

  test('keeps its seals when its requests are repeated', async () => {
    const { ports, charge, buy, isAsSealed, initiate } = await world();
    const seed = newId();
    const { id } = await buy({ seed });
    const before = await reread(ports, { id });

    await initiate({}, seed).catch(() => undefined);
    await charge({ id }).catch(() => undefined);

    const { sealedDestination, sealedUnits } = before;
    expect(await reread(ports, { id })).toMatchObject({ sealedDestination, sealedUnits });
    expect(await isAsSealed({ id })).toBe(true);
  });

  test('is neither opened nor charged while KMS makes no seal', async () => {
    const { ports, initiate, charge } = await world();
    const down = async () => Promise.reject(new Unavailable('KMS'));
    const { seal } = ports.destinationSealer;
    const [seed, sealUnits] = [newId(), ports.unitsSealer.seal];
    Object.assign(ports.destinationSealer, { seal: down });
    await expect(initiate({}, seed)).rejects.toThrow(Unavailable);

    Object.assign(ports.destinationSealer, { seal });
    const { transactionId: id } = await initiate({}, seed);
    Object.assign(ports.unitsSealer, { seal: down });
    await expect(charge({ id })).rejects.toThrow(Unavailable);
    expect(ports.pix.charges.size).toBe(0);

    Object.assign(ports.unitsSealer, { seal: sealUnits });
    expect(await charge({ id })).toMatchObject({ status: 'AWAITING_PIX' });
  });
});

// docs/decisions.md, "A sealed payout"
describe('a purchase whose row was changed before its charge', () => {
  const large = { rate: '5.5', feeCentavos: 0, assetUnits: 900_000_000n };

  test('to another wallet does not match its seals', async () => {
    const { buy, isAsSealed } = await world();

    expect(await isAsSealed(await buy({}, { walletAddress: `0x${'ab'.repeat(20)}` }))).toBe(false);
  });

  test('to more units is charged at the price of the market', async () => {
    const { buy, isAsSealed } = await world();

    const charged = await buy({}, { quote: large });

    expect(charged.quote.assetUnits).toBeLessThan(large.assetUnits);
    expect(await isAsSealed(charged)).toBe(true);
  });

  test('to more units than its quote does not match its seals', async () => {
    const { quote, buy, isAsSealed } = await world();

    const charged = await buy(await quote(), ({ quote: locked }) => ({
      quote: { ...locked, assetUnits: locked.assetUnits + 1n },
    }));

    expect(await isAsSealed(charged)).toBe(false);
  });

  test('to a smaller amount than that of its quote does not match its seals', async () => {
    const { quote, buy, isAsSealed } = await world();

    expect(await isAsSealed(await buy(await quote(), { amountCentavos: 245_00 }))).toBe(false);
  });

  test.each([
    ['more units', { quote: large }],
    ['a smaller amount', { amountCentavos: 100_00 }],
  ])('to %s than a move of the market explains is refused', async (_, theft) => {
    const { quote, buy } = await world();

    await expect(buy(await quote(), theft)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  });
});
