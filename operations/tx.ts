import { instantOf } from '../functions/domain/ports.ts';
import { reachedAt, type Transaction } from '../functions/domain/purchase/transaction.ts';
import { brlIn } from '../functions/domain/wording.ts';
import { type Command, cpfAsked, type Disclosure, type Given, requireWords } from './command.ts';
import { readDataSubject } from './data-subject.ts';
import { type Desk, laterFactsAbout } from './desk.ts';
import { listOpenPurchases } from './open-purchases.ts';
import { deskFacts } from './purchase-facts.ts';
import { findPurchases, findPurchasesOf, LONGEST_SEARCH, maySearch } from './purchase-search.ts';
import type { Shown, Table, Told } from './shown.ts';
import { showRecord, showStory } from './tx-lines.ts';
import { misused, refuseOrder } from './words.ts';

export const txCommands: Command[] = [
  {
    name: 'tx show',
    takes: '<id | end-to-end id | hash | wallet | externalId>',
    about: 'what happened to a purchase, where it stands, why, since when, and what a person can do',
    run: showPurchase,
  },
  {
    name: 'tx list',
    takes: '[--partner <id>]',
    about: 'the open purchases and refunds, the oldest first, with their client, wallet and partner',
    options: ['partner'],
    run: showOpenPurchases,
  },
  {
    name: 'tx find',
    takes: '[--cpf <cpf>]',
    about: 'the purchases of a person at all partners; asks for the CPF, and reading it is recorded',
    options: ['cpf'],
    run: findOfPerson,
  },
];

async function showPurchase(given: Given, desk: Desk): Promise<Shown> {
  const [text] = requireWords(given, 'the purchase');
  if (!maySearch(text)) misused(`An id has 1 to ${LONGEST_SEARCH} characters, and no control character.`);
  const [found, ...others] = await findPurchases(text, desk);
  const record = found ? undefined : await findShownRecord(text, desk);
  if (record) return record;
  if (!found) refuseOrder(`No purchase has the id, end-to-end id, hash, wallet or externalId ${text}.`);
  if (others.length > 0) return purchasesFound([found, ...others]);
  return showStory(await deskFacts(found, desk), instantOf(desk.clock));
}

async function showOpenPurchases(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const { partner } = given.flags;
  const open = (await listOpenPurchases(desk))
    .filter(({ partnerId }) => partner === undefined || partnerId === partner)
    .sort((one, other) => reachedAt(one) - reachedAt(other));
  const rows = open.slice(0, MOST_SHOWN).map((purchase) => {
    const { id, status, refund, amountCentavos, asset, partnerId, clientId, walletAddress } = purchase;
    const state = refund ? `${status}, refund ${refund.status}` : status;
    const amount = `${brlIn('en', amountCentavos)} of ${asset}`;
    return [id, new Date(reachedAt(purchase)), state, amount, partnerId, clientId, walletAddress];
  });
  const head = ['purchase', 'since', 'status', 'amount', 'partner', 'client', 'wallet'];
  const left = open.length - rows.length;
  return { head, rows, empty: 'No purchase is open.', ...(left > 0 && { more: [`and ${left} newer ones`] }) };
}

/** Finds the purchases of a person. The record of the search contains only the keyed hash of the CPF. */
async function findOfPerson(given: Given, desk: Desk): Promise<Disclosure> {
  requireWords(given);
  const { personId, clientIds } = await readDataSubject(await cpfAsked(given, 'CPF of the client: '), desk);
  return {
    subject: personId,
    facts: { personId },
    async perform() {
      const found = await findPurchasesOf(clientIds, desk);
      return { ...purchaseTable(found), empty: 'No purchase at any partner is of this CPF.' };
    },
  };
}

/** The KYC record of a token, in words. */
export async function findShownRecord(token: string, desk: Desk): Promise<Told | undefined> {
  const record = await desk.kycRecords.findRecord(token);
  return record && showRecord(record, await laterFactsAbout(record, desk), instantOf(desk.clock));
}

function purchasesFound(found: Transaction[]): Table {
  const table = purchaseTable(found);
  const fit = `${found.length} purchases fit. Show one by its id, or by the first characters of it.`;
  return { ...table, more: [...(table.more ?? []), fit] };
}

/** The most purchases that a table shows. A wallet of an exchange may have very many. */
const MOST_SHOWN = 100;

/** Shows purchases, of which the newest come first. */
export function purchaseTable(found: readonly Transaction[]): Table {
  const left = found.length - MOST_SHOWN;
  const rows = found
    .slice(0, MOST_SHOWN)
    .map(({ id, createdAt, status, amountCentavos, asset, partnerId, externalId }) => [
      ...[id, new Date(createdAt), status, brlIn('en', amountCentavos), asset, partnerId, externalId],
    ]);
  const head = ['purchase', 'opened', 'status', 'amount', 'asset', 'partner', 'externalId'];
  return { head, rows, empty: '', ...(left > 0 && { more: [`and ${left} older ones`] }) };
}
