import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { moneyCaseStore } from '../../functions/adapters/dynamodb/money-cases.ts';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { unmatchedPaymentStore } from '../../functions/adapters/dynamodb/unmatched-payments.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { BY_STATUS, OPEN } from '../../functions/tables/sharded.ts';
import { dice } from '../support/dice.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { aReceivedPix, newId } from '../support/ports.ts';
import { memoryTables, tapped } from '../support/tables.ts';

/** Anybody can send so many tiny Pix that nobody can return. Each stays open. */
const MANY = 250;

/** Tables that count the calls. */
function counted() {
  const plain = memoryTables();
  const calls = { count: 0 };
  const tables = tapped(plain, (send) => (command) => {
    calls.count += 1;
    return send(command);
  });
  const put = (table: 'unmatchedPayments' | 'moneyCases', Item: Record<string, unknown>) =>
    plain.client.send(new PutCommand({ TableName: plain.names[table], Item }));
  return { tables, calls, put };
}

test('very many open unmatched payments are listed in a few calls, the oldest first', async () => {
  const { tables, calls, put } = counted();
  for (let at = MANY; at > 0; at--) {
    const payment = newUnmatchedPayment(aReceivedPix({ id: newId() }), { mayReturn: false }, at);
    await put('unmatchedPayments', { ...payment, open: keyIn(OPEN, payment.id) });
  }

  const found = await unmatchedPaymentStore(tables.client, tables.names, dice).listOpen();

  expect(found.map(({ foundAt }) => foundAt)).toEqual(Array.from({ length: MANY }, (_, at) => at + 1));
  expect(calls.count).toBeLessThan(MANY / 5);
});

test('very many open cases of money are listed in a few calls, the oldest first', async () => {
  const { tables, calls, put } = counted();
  for (let openedAt = MANY; openedAt > 0; openedAt--) {
    const found = aMoneyCase('UNMATCHED_LEFT', newId(), { openedAt });
    await put('moneyCases', { ...found, statusKey: keyIn(BY_STATUS, found.id, 'OPEN') });
  }

  const found = await moneyCaseStore(tables.client, tables.names, dice).listOpen();

  expect(found.map(({ openedAt }) => openedAt)).toEqual(Array.from({ length: MANY }, (_, at) => at + 1));
  expect(found[0]).not.toHaveProperty('statusKey');
  expect(calls.count).toBeLessThan(MANY / 5);
});
