import { instantOf } from '../functions/domain/ports.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { brlIn } from '../functions/domain/wording.ts';
import { type Command, type Given, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { factsOf } from './purchase-facts.ts';
import { findPurchases } from './purchase-search.ts';
import type { Shown, Table } from './shown.ts';
import { showRecord, showStory } from './tx-lines.ts';
import { refused } from './words.ts';

export const txCommands: Command[] = [
  {
    name: 'tx show',
    takes: '<id | end-to-end id | hash | wallet | externalId>',
    about: 'what happened to a purchase, where it stands, why, since when, and what a person can do',
    run: show,
  },
];

async function show(given: Given, desk: Desk): Promise<Shown> {
  const [text] = wordsOf(given, 'the purchase');
  const [found, ...others] = await findPurchases(text, desk);
  const record = found ? undefined : await desk.kycRecords.findRecord(text);
  if (record) return showRecord(record, instantOf(desk.clock));
  if (!found) refused(`No purchase has the id, end-to-end id, hash, wallet or externalId ${text}.`);
  if (others.length > 0) return listed([found, ...others]);
  return showStory(await factsOf(found, desk), instantOf(desk.clock));
}

function listed(found: Transaction[]): Table {
  const more = [`${found.length} purchases fit. Show one by its id, or by the first characters of it.`];
  return { ...purchaseTable(found), more };
}

export function purchaseTable(found: readonly Transaction[]): Table {
  const rows = found.map(({ id, createdAt, status, amountCentavos, asset, partnerId, externalId }) => [
    ...[id, new Date(createdAt), status, brlIn('en', amountCentavos), asset, partnerId, externalId],
  ]);
  const head = ['purchase', 'opened', 'status', 'amount', 'asset', 'partner', 'externalId'];
  return { head, rows, empty: '' };
}
