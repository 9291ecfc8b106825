import { expect, it } from 'vitest';
import { countedTransactions } from '../../functions/adapters/counted-transactions.ts';
import type { Transactions } from '../../functions/domain/purchase/transaction-ports.ts';
import type { Change } from '../../functions/domain/purchase/transitions.ts';
import { aPurchaseIn } from '../support/ports.ts';
import { stubLog } from '../support/stub-log.ts';

function open({ isSaved }: { isSaved: boolean }) {
  const log = stubLog();
  const store = {
    create: async (purchase) => purchase,
    save: async () => isSaved,
    saveRefundClaim: async () => isSaved,
  } as Partial<Transactions> as Transactions;
  const counted = () => log.measured.map(({ name, dimensions }) => `${name} ${dimensions.status}`);
  return { store: countedTransactions(store, log), counted };
}

it('counts each purchase after the write that gave it a status', async () => {
  const { store, counted } = open({ isSaved: true });

  await store.create(aPurchaseIn('AWAITING_MFA'));
  expect(await store.save({ set: { status: 'COMPLETED' } } as Change)).toBe(true);
  expect(await store.saveRefundClaim({ set: { status: 'FAILED' } } as Change)).toBe(true);
  await store.save({ set: { refund: undefined } } as Change);

  expect(counted()).toEqual(['Purchases AWAITING_MFA', 'Purchases COMPLETED', 'Purchases FAILED']);
});

it('counts nothing that another writer has prevented', async () => {
  const { store, counted } = open({ isSaved: false });

  expect(await store.save({ set: { status: 'COMPLETED' } } as Change)).toBe(false);
  expect(await store.saveRefundClaim({ set: { status: 'FAILED' } } as Change)).toBe(false);

  expect(counted()).toEqual([]);
});
