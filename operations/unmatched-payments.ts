import type { UnmatchedPayment } from '../functions/domain/purchase/unmatched-payment.ts';
import { type Command, type Given, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { columns, instant } from './words.ts';

export const unmatchedCommands: Command[] = [
  {
    name: 'unmatched list',
    takes: '',
    about: 'Pix that were no purchase’s payment and have not gone back: FAILED is a person’s to give back',
    run: listUnmatched,
  },
];

async function listUnmatched(given: Given, desk: Desk): Promise<string[]> {
  wordsOf(given);
  return columns((await desk.unmatchedPayments.listOpen()).map(rowOf));
}

function rowOf(payment: UnmatchedPayment): string[] {
  const { id, foundAt, reason, amountCentavos, txid = '-', partnerId = '-', refund, nextCheckAt } = payment;
  return [
    id,
    instant(foundAt),
    refund.status,
    reason,
    `${amountCentavos} centavos`,
    txid,
    partnerId,
    `${refund.tries ?? 0} tries`,
    nextCheckAt === undefined ? 'nobody tries it any more' : `next look ${instant(nextCheckAt)}`,
  ];
}
