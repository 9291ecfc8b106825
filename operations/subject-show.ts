/** Shows one person at all partners, in short tables. */
import type { MoneyCase } from '../functions/domain/books/money-case.ts';
import type { Client } from '../functions/domain/kyc/client.ts';
import { endOfToken } from '../functions/domain/kyc/correction.ts';
import { type KycRecord, kycStanding, laterFacts, statusOfRecord } from '../functions/domain/kyc/kyc.ts';
import type { Partner } from '../functions/domain/partners/partner.ts';
import { causeOfRecord } from '../functions/domain/purchase/story-record.ts';
import type { ReviewCase } from '../functions/domain/screening/review-case.ts';
import { moneyCaseTable } from './cases.ts';
import { type Command, cpfAsked, type Disclosure, type Given, requireWords } from './command.ts';
import { type DataSubject, readDataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { withoutTokens } from './evidence-bundle.ts';
import { blockTable } from './fraud.ts';
import { findPurchasesOf } from './purchase-search.ts';
import type { Table, TitledTable } from './shown.ts';
import type { DossierTable } from './stores/dossier.ts';
import { holdTable } from './subject-hold.ts';
import { purchaseTable } from './tx.ts';

export const showCommand: Command = {
  name: 'subject show',
  takes: '[--cpf <cpf>]',
  about:
    'the purchases, KYC records, cases, blocks and hold of a person at all partners; asks for the CPF, and ' +
    'reading it is recorded',
  options: ['cpf'],
  run: showSubject,
};

/** The record of the reading contains only the keyed hash of the CPF. */
async function showSubject(given: Given, desk: Desk): Promise<Disclosure> {
  requireWords(given);
  const subject = await readDataSubject(await cpfAsked(given, 'CPF: '), desk);
  const { personId } = subject;
  return {
    subject: personId,
    facts: { personId },
    perform: async () => ({ parts: await subjectTables(subject, desk) }),
  };
}

async function subjectTables({ personId, clientIds }: DataSubject, desk: Desk): Promise<TitledTable[]> {
  const listOf = async <Row>(table: DossierTable & ('kycRecords' | 'cases' | 'moneyCases')) => {
    const found = await Promise.all(clientIds.map((id) => desk.dossier.listBy(table, 'ofClient', id)));
    return found.flat() as unknown as Row[];
  };
  const [purchases, records, reviews, moneyCases, clients, block, hold, partners] = await Promise.all([
    findPurchasesOf(clientIds, desk),
    listOf<KycRecord>('kycRecords'),
    listOf<ReviewCase>('cases'),
    listOf<MoneyCase>('moneyCases'),
    Promise.all(clientIds.map((id) => desk.clients.findClient(id))),
    desk.personBlocks.findBlock(personId),
    desk.litigationHolds.findHold(personId),
    desk.register.listPartners(),
  ]);
  const known = new Map(clients.filter((each) => each !== undefined).map((each) => [each.id, each]));
  const held = hold?.state === 'HELD' ? [hold] : [];
  return [
    {
      name: 'purchases',
      title: 'Purchases',
      table: { ...purchaseTable(purchases), empty: 'No purchase at any partner is of this CPF.' },
    },
    {
      name: 'kycRecords',
      title: 'KYC records',
      table: recordTable(records, { known, partners }, desk.clock.now()),
    },
    { name: 'reviewCases', title: 'Review cases', table: reviewTable(reviews) },
    {
      name: 'moneyCases',
      title: 'Money cases',
      table: moneyCaseTable(newestRowsFirst(moneyCases, 'openedAt')),
    },
    { name: 'blocks', title: 'Block of the person', table: blockTable(block ? [block] : [], desk) },
    { name: 'holds', title: 'Litigation hold', table: holdTable(held, partners.length) },
  ];
}

const newestRowsFirst = <Name extends string, Row extends Record<Name, number>>(
  rows: Row[],
  name: Name,
): Row[] => rows.toSorted((one, other) => other[name] - one[name]);

type Beside = { known: ReadonlyMap<string, Client>; partners: readonly Partner[] };

function recordTable(records: KycRecord[], { known, partners }: Beside, now: number): Table {
  const rows = newestRowsFirst(records, 'issuedAt').map((record) => {
    const { token, issuedAt, partnerId, model, personType } = record;
    const partner = partners.find(({ id }) => id === partnerId) ?? {};
    const client = laterFacts(known.get(record.clientId) ?? {}, partner);
    const { riskTier } = kycStanding(record, client);
    const status = statusOfRecord(record, client, now);
    const kind = `model ${model}, ${personType}, ${riskTier}`;
    const end = new Date(endOfToken(record, client));
    const cause = causeOfRecord(record, client, now).why;
    return [withoutTokens(token), new Date(issuedAt), partnerId, kind, status, cause, end];
  });
  const head = ['record', 'issued', 'partner', 'kind', 'status', 'cause', 'valid until'];
  return { head, rows, empty: 'No partner has submitted this CPF.' };
}

function reviewTable(reviews: ReviewCase[]): Table {
  const rows = newestRowsFirst(reviews, 'openedAt').map(({ id, openedAt, partnerId, candidate, status }) => {
    const { list, entryId, listed } = candidate;
    return [id, new Date(openedAt), partnerId, list, entryId, listed, status];
  });
  const head = ['case', 'opened', 'partner', 'list', 'entry', 'listed', 'status'];
  return { head, rows, empty: 'The person resembles no listed person.' };
}
