import { instantOf } from '../functions/domain/ports.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { type Command, type Given, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { factsOf } from './purchase-facts.ts';
import { findPurchases } from './purchase-search.ts';
import { linesOfRecord, linesOfStory } from './tx-lines.ts';
import { columns, instant, refused } from './words.ts';

export const txCommands: Command[] = [
  {
    name: 'tx show',
    takes: '<id | end-to-end id | hash | wallet | externalId>',
    about: 'what happened to a purchase, where it stands, why, since when, and what a person can do',
    run: show,
  },
];

async function show(given: Given, desk: Desk): Promise<string[]> {
  const [text] = wordsOf(given, 'the purchase');
  const [found, ...others] = await findPurchases(text, desk);
  const record = found ? undefined : await desk.kycRecords.findRecord(text);
  if (record) return linesOfRecord(record, instantOf(desk.clock));
  if (!found) refused(`No purchase has the id, end-to-end id, hash, wallet or externalId ${text}.`);
  if (others.length > 0) return listed([found, ...others]);
  return linesOfStory(await factsOf(found, desk), instantOf(desk.clock));
}

function listed(found: Transaction[]): string[] {
  return [
    `${found.length} purchases fit. Show one by its id:`,
    ...columns(
      found.map(({ id, createdAt, status, partnerId, externalId = '-' }) => [
        id,
        instant(createdAt),
        status,
        partnerId,
        externalId,
      ]),
    ),
  ];
}
