import { describe, expect, test } from 'vitest';
import { completeTransaction } from '../../functions/steps/complete-transaction.ts';
import { WALLET } from '../support/builders.ts';
import { eventsOf, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';

const HASH = `0x${'cd'.repeat(32)}`;

async function settled() {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { disposition: 'SETTLE' });
  const visit = (txHash = HASH) => completeTransaction({ transactionId: purchase.id, txHash }, ports);
  return { ports, purchase, visit };
}

describe('a settled purchase', () => {
  test('becomes COMPLETED with its hash, and leaves every schedule', async () => {
    const { ports, purchase, visit } = await settled();

    const answer = await visit();

    expect(answer).toEqual({ transactionId: purchase.id, status: 'COMPLETED', txHash: HASH });
    const completed = await reread(ports, purchase);
    expect(completed).toMatchObject({ status: 'COMPLETED', txHash: HASH, disposition: 'SETTLE' });
    expect(completed.history.at(-1)).toEqual({ status: 'COMPLETED', at: START_AT });
    expect(completed).not.toHaveProperty('nextCheckAt');
    expect(completed).not.toHaveProperty('sweep');
  });

  // Spec, Transaction states: "COMPLETED: stablecoin settled on-chain"
  // Spec, Events: "transaction.completed: txHash, amount, walletAddress"
  // docs/decisions.md, "Facts that partners learn"
  test('announces hash, amount, asset and wallet', async () => {
    const { ports, purchase, visit } = await settled();

    await visit();

    expect(await eventsOf(ports, purchase)).toEqual([
      expect.objectContaining({
        id: `${purchase.id}.1`,
        partnerId: purchase.partnerId,
        type: 'transaction.completed',
        sequence: 1,
        at: START_AT,
        data: {
          transactionId: purchase.id,
          status: 'COMPLETED',
          sequence: 1,
          txHash: HASH,
          amount: '45.566968',
          asset: 'USDC',
          amountBrl: 250,
          walletAddress: WALLET,
        },
      }),
    ]);
  });

  test('is counted once, with the time from its payment', async () => {
    const { ports, purchase, visit } = await settled();

    for (let time = 0; time < 3; time++) await visit();

    expect(ports.log.measured.filter(({ name }) => name === 'TimeToSettle')).toEqual([
      {
        name: 'TimeToSettle',
        value: START_AT - purchase.payment!.paidAt,
        dimensions: { asset: purchase.asset },
      },
    ]);
    expect(ports.log.measured.filter(({ dimensions }) => dimensions.status === 'COMPLETED')).toEqual([
      { name: 'Purchases', value: 1, dimensions: { status: 'COMPLETED' } },
    ]);
  });

  test('is completed once by many visits, in turn or at once', async () => {
    const { ports, purchase, visit } = await settled();

    const answers = await Promise.all(Array.from({ length: 10 }, () => visit()));
    answers.push(await visit());

    const answer = { transactionId: purchase.id, status: 'COMPLETED', txHash: HASH };
    expect(answers).toEqual(Array(11).fill(answer));
    expect((await reread(ports, purchase)).history).toHaveLength(2);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });

  test('is tried again if another write has changed it meanwhile', async () => {
    const { ports, purchase, visit } = await settled();
    const { save } = ports.transactions;
    ports.transactions.save = async () => false;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });

    ports.transactions.save = save;
    expect(await visit()).toEqual({ transactionId: purchase.id, status: 'COMPLETED', txHash: HASH });
  });

  test('keeps the hash of its first completion', async () => {
    const { ports, purchase, visit } = await settled();
    await visit();

    await visit('0xother');

    expect((await reread(ports, purchase)).txHash).toBe(HASH);
  });
});

test.each(['AWAITING_PIX', 'FAILED', 'EXPIRED'] as const)(
  'a purchase in %s is not changed',
  async (status) => {
    const ports = openPorts();
    const purchase = await putPurchaseIn(ports, status);

    const answer = await completeTransaction({ transactionId: purchase.id, txHash: HASH }, ports);

    expect(answer.status).toBe(status);
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(await eventsOf(ports, purchase)).toEqual([]);
  },
);
