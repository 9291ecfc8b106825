import type { StrayPix } from '../functions/domain/purchase/stray.ts';
import { type Command, type Given, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { columns, instant } from './words.ts';

export const strayCommands: Command[] = [
  {
    name: 'strays list',
    takes: '',
    about: 'Pix that were no purchase’s payment and have not gone back: FAILED is a person’s to give back',
    run: listStrays,
  },
];

async function listStrays(given: Given, desk: Desk): Promise<string[]> {
  wordsOf(given);
  return columns((await desk.strays.listOpen()).map(rowOf));
}

function rowOf({ id, foundAt, reason, amountCentavos, txid = '-', partnerId = '-', ...rest }: StrayPix) {
  const { refund, nextCheckAt } = rest;
  const tries = `${refund.tries ?? 0} tries`;
  const next = nextCheckAt === undefined ? 'nobody tries it any more' : `next look ${instant(nextCheckAt)}`;
  return [
    id,
    instant(foundAt),
    refund.status,
    reason,
    `${amountCentavos} centavos`,
    txid,
    partnerId,
    tries,
    next,
  ];
}
