/** Collects the facts of a purchase's story: its rows, and where the state machine stands. */
import { payKey } from '../functions/adapters/dynamodb/settlement-rows.ts';
import type { MoneyCase } from '../functions/domain/books/money-case.ts';
import { MONEY_CASE_KINDS } from '../functions/domain/books/money-case-kinds.ts';
import { type Delivery, deliveryId } from '../functions/domain/partners/deliveries.ts';
import type { DomainEvent } from '../functions/domain/partners/events.ts';
import type { Evidence } from '../functions/domain/purchase/evidence.ts';
import { executionName, executionNames } from '../functions/domain/purchase/execution.ts';
import type {
  DeskFacts,
  PersonCase,
  StepVisit,
  StoryTransfer,
  StoryWebhook,
} from '../functions/domain/purchase/story-facts.ts';
import { type Outage, outagesOf } from '../functions/domain/purchase/story-outages.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { isDecided, isGone, type ReviewCase } from '../functions/domain/screening/review-case.ts';
import { describeDoing } from '../functions/domain/treasury/doing.ts';
import type { Desk } from './desk.ts';

type Sources = Pick<
  Desk,
  | 'dossier'
  | 'deliveries'
  | 'events'
  | 'kycRecords'
  | 'unmatchedLists'
  | 'unmatchedPayments'
  | 'visits'
  | 'executions'
  | 'clients'
  | 'clock'
>;

export async function deskFacts(transaction: Transaction, desk: Sources): Promise<DeskFacts> {
  const { id, kycToken } = transaction;
  const [record, unmatched, evidence, transfer, webhooks, cases, visit, outages, pixReadUpTo] =
    await Promise.all([
      desk.kycRecords.findRecord(kycToken),
      desk.unmatchedLists.listOf(id),
      evidenceOfPurchase(transaction, desk),
      transferOf(transaction, desk),
      webhooksOf(transaction, desk),
      casesOfPurchase(transaction, desk),
      visitOf(transaction, desk),
      outagesIn(transaction, desk),
      pixReadUpToOf(transaction, desk),
    ]);
  return { transaction, record, unmatched, evidence, transfer, webhooks, cases, visit, outages, pixReadUpTo };
}

/** The decisions about the purchase and about its KYC record, the oldest first. */
async function evidenceOfPurchase({ id, kycToken }: Transaction, { dossier }: Sources): Promise<Evidence[]> {
  const found = await Promise.all(
    [kycToken, id].map((subject) => dossier.listBy('evidence', 'subject', subject)),
  );
  return (found.flat() as unknown as Evidence[]).sort((one, other) => one.at - other.at);
}

async function transferOf({ id }: Transaction, { dossier }: Sources): Promise<StoryTransfer | undefined> {
  const [row] = await dossier.listRows('settlements', [payKey(id)]);
  return row as StoryTransfer | undefined;
}

/** The deliveries of a purchase's events. The events have numbers, so no index is needed to find them. */
async function webhooksOf({ id, sequence }: Transaction, desk: Sources): Promise<StoryWebhook[]> {
  const ids = Array.from({ length: sequence }, (_, index) => `${id}.${index + 1}`);
  const events = (await desk.dossier.listRows('events', ids)) as unknown as DomainEvent[];
  const types = new Map(
    events.flatMap((event) =>
      (event.endpointIds ?? []).map((endpointId) => [deliveryId(event.id, endpointId), event.type] as const),
    ),
  );
  const rows = (await desk.dossier.listRows('deliveries', [...types.keys()])) as unknown as Delivery[];
  return rows.flatMap((delivery) => {
    const type = types.get(delivery.id);
    return type ? [{ type, delivery }] : [];
  });
}

/**
 * The money cases about the purchase, and the review cases about its client that still need a decision. A case whose
 * entry is gone from its list is left out.
 */
async function casesOfPurchase({ id, clientId }: Transaction, { dossier }: Sources): Promise<PersonCase[]> {
  const [money, reviews] = await Promise.all([
    dossier.listBy('moneyCases', 'ofClient', clientId),
    dossier.listBy('cases', 'ofClient', clientId),
  ]);
  const own = (money as unknown as MoneyCase[]).filter(({ transactionId }) => transactionId === id);
  const open = (reviews as unknown as ReviewCase[]).filter((each) => !isDecided(each) && !isGone(each));
  return [...own.map(ofMoney), ...open.map(reviewAsPersonCase)];
}

function ofMoney({ id, kind, openedAt, status }: MoneyCase): PersonCase {
  const { means, remedy } = MONEY_CASE_KINDS[kind];
  return { id, openedAt, isOpen: status === 'OPEN', means, operator: `${remedy} See: cases show ${id}` };
}

const reviewAsPersonCase = ({ id, openedAt }: ReviewCase): PersonCase => ({
  id,
  openedAt,
  isOpen: true,
  means: 'the client is like a person on a list',
  operator: `Compare both: reviews show ${id}. Then reviews clear or reviews confirm.`,
});

async function visitOf({ id, executions }: Transaction, { visits }: Sources): Promise<StepVisit> {
  const name = executionName(id, executions);
  const visit: StepVisit = (await visits.findVisit(name)) ?? { name, status: 'LOST' };
  const wait = visit.obstacle && describeDoing(visit.obstacle);
  return wait ? { ...visit, wait } : visit;
}

/**
 * Reads the failures of the purchase's steps from Step Functions, which keeps a history for 90 days. After that only
 * the archived page of the purchase has them.
 */
async function outagesIn(transaction: Transaction, { executions }: Sources): Promise<Outage[]> {
  const names = executionNames(transaction);
  const found = await Promise.all(names.map((name) => executions.findExecution(name)));
  return found.flatMap((record) => (record ? outagesOf(record) : []));
}

/**
 * A story says that payments are unread if `ReconcilePix` has read up to no later than this. It runs every five
 * minutes.
 */
const UNREAD_MINUTES = 15;

async function pixReadUpToOf({ status }: Transaction, { unmatchedPayments, clock }: Sources) {
  if (status !== 'AWAITING_PIX') return undefined;
  const upTo = (await unmatchedPayments.findCursor()) ?? clock.now();
  return clock.now() - upTo > UNREAD_MINUTES * clock.minuteMs ? upTo : undefined;
}
