/**
 * Compares the purchases with the chain, the ledger and the webhooks after a load. Each finding is a sentence
 * about a difference. No findings mean that all of them agree.
 */
import { balancesOf, type Posting } from '../functions/domain/ledger.ts';
import type { DomainEvent } from '../functions/domain/partners/events.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import type { Settlement } from '../functions/domain/treasury/settlement.ts';
import type { Buyer } from './load-buyers.ts';

/** True if the purchase has ended. A `FAILED` purchase has ended only when its refund is `REFUNDED`. */
export function isOver({ status, refund }: Transaction): boolean {
  return status === 'COMPLETED' || (status === 'FAILED' && refund?.status === 'REFUNDED');
}

type Ended = {
  buyers: readonly Buyer[];
  purchases: readonly Transaction[];
  events: readonly DomainEvent[];
  postings: readonly Posting[];
  /** The ids of the received webhook messages that had a right signature. */
  received: ReadonlySet<string>;
  /** Units of USDC on the chain, by wallet. */
  balances: ReadonlyMap<string, bigint>;
};

export function findingsIn(ended: Ended): string[] {
  return [
    ...purchaseFindings(ended),
    ...chainFindings(ended),
    ...bookFindings(ended),
    ...webhookFindings(ended),
  ];
}

/** A purchase that fails unintended is a finding, too: its client gets money back instead of tokens. */
function purchaseFindings({ buyers, purchases }: Ended): string[] {
  const byId = new Map(purchases.map((purchase) => [purchase.id, purchase]));
  return buyers.flatMap(({ transactionId = '', cpf, failure }) => {
    const found = byId.get(transactionId);
    if (!found) return [`the client ${cpf} has no purchase`];
    if (!isOver(found)) return [`${found.id} is ${found.status}, refund ${found.refund?.status ?? 'none'}`];
    const reason = found.failure?.reason;
    return reason === failure
      ? []
      : [`${found.id} ended with ${reason ?? 'no failure'}, not ${failure ?? 'none'}`];
  });
}

type Settled = Pick<Settlement, 'transactionId' | 'tries'>;

/** A line for each purchase that failed: its reason, and how each try of its transfer ended. */
export function failuresIn(purchases: readonly Transaction[], settlements: readonly Settled[]): string[] {
  const triesOf = new Map(settlements.map(({ transactionId, tries }) => [transactionId, tries]));
  return purchases.flatMap(({ id, failure }) =>
    failure ? [[id, failure.reason, ...(triesOf.get(id) ?? [])].join(' ')] : [],
  );
}

/**
 * Each wallet receives the tokens of one purchase only. Its balance therefore shows a missing transfer and a
 * second one.
 */
function chainFindings({ purchases, balances }: Ended): string[] {
  return purchases.flatMap(({ id, status, walletAddress, quote }) => {
    const held = balances.get(walletAddress.toLowerCase()) ?? 0n;
    const due = status === 'COMPLETED' ? BigInt(quote.assetUnits) : 0n;
    return held === due ? [] : [`${id} is ${status}, and its wallet holds ${held} units instead of ${due}`];
  });
}

function bookFindings({ purchases, postings, balances }: Ended): string[] {
  const books = balancesOf(postings.map(withUnits));
  const sent = [...balances.values()].reduce((sum, units) => sum + units, 0n);
  const kept = purchases
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((sum, { payment }) => sum + BigInt(payment?.amountCentavos ?? 0), 0n);
  const expected = { 'treasury:USDC USDC': -sent, 'pix BRL': kept, 'clients BRL': 0n, 'unmatched BRL': 0n };
  return Object.entries(expected).flatMap(([name, due]) => {
    const found = books.get(name) ?? 0n;
    return found === due ? [] : [`the ledger has ${found} in ${name} instead of ${due}`];
  });
}

/**
 * Turns the amounts of a posting into bigints, because the DynamoDB client reads small integers as numbers.
 */
const withUnits = (posting: Posting): Posting => ({
  ...posting,
  entries: posting.entries.map((entry) => ({ ...entry, amount: BigInt(entry.amount) })),
});

function webhookFindings({ purchases, events, received }: Ended): string[] {
  const written = new Set(events.map(({ id }) => id));
  const due = purchases.flatMap(({ id, sequence }) =>
    Array.from({ length: sequence }, (_, at) => `${id}.${at + 1}`),
  );
  return [
    ...due.filter((id) => !written.has(id)).map((id) => `the event ${id} was not written`),
    ...due.filter((id) => !received.has(id)).map((id) => `the event ${id} was not received`),
  ];
}
