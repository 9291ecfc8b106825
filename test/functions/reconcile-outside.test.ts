import { beforeEach, describe, expect, test } from 'vitest';
import type { MoneyCaseOutcome } from '../../functions/domain/books/money-case-kinds.ts';
import { returnedOutside } from '../../functions/domain/ledger.ts';
import { type Books, openBooks } from '../support/books.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

let tables: Tables;
let books: Books;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
});

/** A refund that failed for good. A person has closed its case. */
async function givenBack(outcome: MoneyCaseOutcome = 'RETURNED_OUTSIDE') {
  const { ports } = books;
  const [endToEndId, amountCentavos] = [`E${'8'.repeat(31)}`, 250_00];
  const purchase = await books.purchaseIn('FAILED', {
    payment: { endToEndId, paidAt: ports.clock.now() - 60_000, amountCentavos },
    refund: { status: 'FAILED', endToEndId, amountCentavos, reason: 'PAYER_MISMATCH', tries: 7 },
  });
  books.show(purchase);
  const { id: transactionId } = purchase;
  const subject = { openedAt: ports.clock.now(), transactionId, endToEndId, amountCentavos };
  const opened = aMoneyCase('REFUND_FAILED', transactionId, subject);
  await ports.moneyCases.open(opened);
  const at = ports.clock.now();
  const isOutside = outcome === 'RETURNED_OUTSIDE';
  const closing = { by: 'ana', at, reason: 'TED', outcome, ...(isOutside && { amountCentavos }) };
  await ports.moneyCases.close(opened.id, closing);
  const origin = { caseId: opened.id, endToEndId, transactionId, at, from: 'clients' as const };
  return { id: `${opened.id}#RETURNED_OUTSIDE`, posting: returnedOutside({ ...origin, amountCentavos }) };
}

describe('money that a person returned by hand', () => {
  test('agrees with its case, however often it is compared', async () => {
    const { id, posting } = await givenBack();
    expect(await books.ports.ledger.findPosting(id)).toMatchObject({ ...posting });

    for (const _ of [1, 2]) expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });

    expect(await books.openIds()).toEqual([]);
  });

  test('opens a case if its posting was changed', async () => {
    const { id } = await givenBack();
    await books.setPosting(id, 'SET entries[0].amount = :more', { ':more': 300_00n });

    await books.run();

    expect(await books.openIds()).toEqual([`POSTING_ALTERED#${id}`]);
  });

  test('opens a case if its own case was closed with another decision', async () => {
    const { id, posting } = await givenBack('LOST');
    await books.post([posting]);

    await books.run();

    expect(await books.openIds()).toEqual([`POSTING_EXTRA#${id}`]);
  });
});
