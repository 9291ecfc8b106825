import { expect, it } from 'vitest';
import { countedTransactions } from '../../functions/adapters/counted-transactions.ts';
import { type TransactionStore, transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import type { PurchaseChange } from '../../functions/domain/purchase/transitions.ts';
import { dice } from '../support/dice.ts';
import { aPurchaseIn } from '../support/ports.ts';
import { stubLog } from '../support/stub-log.ts';
import { memoryTables } from '../support/tables.ts';

function open({ isSaved }: { isSaved: boolean }) {
  const log = stubLog();
  const store = {
    create: async (purchase, _, whenNew) => {
      whenNew?.();
      return purchase;
    },
    save: async () => isSaved,
    saveRefundClaim: async () => isSaved,
  } as Partial<TransactionStore> as TransactionStore;
  const counted = () => log.measured.map(({ name, dimensions }) => `${name} ${dimensions.status}`);
  return { store: countedTransactions(store, log), counted };
}

it('counts each purchase after the write that gave it a status', async () => {
  const { store, counted } = open({ isSaved: true });

  await store.create(aPurchaseIn('AWAITING_MFA'));
  expect(await store.save({ set: { status: 'COMPLETED' } } as PurchaseChange)).toBe(true);
  expect(await store.saveRefundClaim({ set: { status: 'FAILED' } } as PurchaseChange)).toBe(true);
  await store.save({ set: { refund: undefined } } as PurchaseChange);

  expect(counted()).toEqual(['Purchases AWAITING_MFA', 'Purchases COMPLETED', 'Purchases FAILED']);
});

it('counts a purchase once, however often its request is repeated', async () => {
  const tables = memoryTables();
  const log = stubLog();
  const store = countedTransactions(transactionStore(tables.client, tables.names, dice), log);
  const purchase = aPurchaseIn('AWAITING_MFA');
  const referenced = { ...aPurchaseIn('AWAITING_MFA'), externalId: 'order-17' };

  for (const each of [purchase, { ...purchase }, referenced, { ...referenced }])
    expect(await store.create(each)).toMatchObject({ id: each.id });

  expect(log.measured.map(({ name }) => name)).toEqual(['Purchases', 'Purchases']);
});

it('counts nothing that another writer has prevented', async () => {
  const { store, counted } = open({ isSaved: false });

  expect(await store.save({ set: { status: 'COMPLETED' } } as PurchaseChange)).toBe(false);
  expect(await store.saveRefundClaim({ set: { status: 'FAILED' } } as PurchaseChange)).toBe(false);

  expect(counted()).toEqual([]);
});
