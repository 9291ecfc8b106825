import { triesIn } from '../functions/domain/purchase/story-records.ts';
import type { UnmatchedPayment } from '../functions/domain/purchase/unmatched-payment.ts';
import { brlIn } from '../functions/domain/wording.ts';
import { type Command, type Given, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import type { Cell, Table } from './shown.ts';
import { instant } from './words.ts';

export const unmatchedCommands: Command[] = [
  {
    name: 'unmatched list',
    takes: '',
    about: 'Pix that were no purchase’s payment and have not gone back: FAILED is a person’s to give back',
    run: listUnmatched,
  },
];

async function listUnmatched(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const rows = (await desk.unmatchedPayments.listOpen()).map(unmatchedCells);
  return { head: HEAD, rows, empty: 'No unmatched payment is open.' };
}

const HEAD = ['pix', 'found', 'return', 'reason', 'amount', 'txid', 'partner', 'tries', 'next'];

function unmatchedCells(payment: UnmatchedPayment): Cell[] {
  const { id, foundAt, reason, amountCentavos, txid, partnerId, refund, nextCheckAt } = payment;
  return [
    id,
    new Date(foundAt),
    refund.status,
    reason,
    brlIn('en', amountCentavos),
    txid,
    partnerId,
    triesIn(refund.tries ?? 0),
    nextCheckAt === undefined ? 'nobody tries it any more' : `next look ${instant(nextCheckAt)}`,
  ];
}
