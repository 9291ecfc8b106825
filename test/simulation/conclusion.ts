import { MARK } from '../../functions/adapters/dynamodb/holds.ts';
import { loadPerAsset, type PerAsset } from '../../functions/domain/assets.ts';
import type { MoneyCase } from '../../functions/domain/books/money-case.ts';
import type { Posting } from '../../functions/domain/ledger.ts';
import type { DomainEvent } from '../../functions/domain/partners/events.ts';
import { TERMINAL } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { UnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import type { Bank } from './bank.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import type { Row } from './cloud/values.ts';
import type { openMachine, openQueues } from './cloud-services.ts';
import { findCoins } from './coins.ts';
import type { Evidence } from './evidence.ts';
import type { openExecutions } from './executions.ts';
import type { Faults } from './faults.ts';
import type { openFloatGuard } from './float-guard.ts';
import type { openForeignUse } from './foreign-use.ts';
import type { openGuards } from './guards.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Facts } from './ledger-of-facts.ts';
import type { openMed } from './med.ts';
import type { Node } from './node.ts';
import type { Partner } from './partner.ts';
import type { openRisk } from './risk/risk.ts';
import type { Shop } from './shop.ts';
import { HOUR_MS, MINUTE_MS, QUIET_AFTER_MS, START_AT, STUCK_AFTER_MS } from './times.ts';

/** The parts of a world from which its state can be read. */
export type Parts = {
  kernel: Kernel;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  bank: Bank;
  node: Node;
  partner: Partner;
  facts: Facts;
  faults: Faults;
  executions: ReturnType<typeof openExecutions>;
  machine: ReturnType<typeof openMachine>;
  queues: ReturnType<typeof openQueues>;
  foreignUse: ReturnType<typeof openForeignUse>;
  float: ReturnType<typeof openFloatGuard>;
  shop: Shop;
  med: ReturnType<typeof openMed>;
  guards: ReturnType<typeof openGuards>;
  risk: ReturnType<typeof openRisk>;
  /** The base units of each asset that the treasury has ever had. */
  funds: PerAsset<bigint>;
};

/** The rows of purchases. The same table also has the row of its `Mark`, by which a restored table is noticed. */
function purchasesIn(memory: Parts['memory'], names: Parts['names']): Transaction[] {
  const rows = memory.rows(names.transactions!) as unknown as Transaction[];
  return rows.filter(({ id }) => id !== MARK);
}

/** True when a purchase still has not ended long after the last fault. Days of further waiting would not end it. */
export function isStuck({ kernel, memory, names }: Parts): boolean {
  if (kernel.now() - START_AT < QUIET_AFTER_MS + STUCK_AFTER_MS) return false;
  return purchasesIn(memory, names).some(({ status }) => !TERMINAL.includes(status));
}

/** True when no part of the service has work left. */
export function isAtRest({ memory, names, machine, queues }: Parts): boolean {
  const isRunning = [...machine.executions.values()].some(({ status }) => status === 'RUNNING');
  const waits = (name: string, field: string) =>
    memory.rows(names[name]!).some((row) => row[field] !== undefined);
  return (
    !isRunning &&
    queues.counts.waiting === 0 &&
    !waits('transactions', 'nextCheckAt') &&
    !waits('settlements', 'nextCheckAt') &&
    !waits('unmatchedPayments', 'nextCheckAt') &&
    !waits('events', 'sweep') &&
    !waits('deliveries', 'due')
  );
}

/** Compares all the books once more. A case that reconciliation opens although the books are right is a violation. */
export async function reconcileAll({ kernel, node }: Parts, ports: InstancePorts): Promise<void> {
  await node.bury();
  const from = new Date(START_AT - HOUR_MS).toISOString();
  const to = new Date(kernel.now() + MINUTE_MS).toISOString();
  await reconcileBooks(ports, { from, to });
  // A reading of the coins is counted by the next run.
  for (let run = 0; run < 2; run++) await reconcileBooks(ports);
  // The last promises are over by now.
  await readTreasuryFloat(ports);
}

export type Found = Omit<Evidence, 'endedAt'> & { unmatchedPayments: UnmatchedPayment[] };

/** Collects everything that exists at the end, from all its places. */
export async function find({
  kernel,
  memory,
  names,
  bank,
  node,
  partner,
  facts,
  funds,
}: Parts): Promise<Found> {
  return {
    now: kernel.now(),
    transactions: purchasesIn(memory, names),
    unmatchedPayments: (memory.rows(names.unmatchedPayments!) as unknown as UnmatchedPayment[]).filter(
      ({ id }) => id !== 'CURSOR',
    ),
    events: memory.rows(names.events!) as unknown as DomainEvent[],
    pix: await bank.listPix(),
    transfers: await node.transfers(),
    unitsOut: await loadPerAsset(async (asset) => funds[asset] - (await node.balance(asset))),
    usages: memory.rows(names.usages!) as unknown as Found['usages'],
    promises: memory.rows(names.promises!),
    acceptedEvents: new Set(partner.accepted.keys()),
    cases: memory.rows(names.moneyCases!).filter(({ kind }) => kind !== undefined) as unknown as MoneyCase[],
    coins: await findCoins(
      {
        accounts: memory.rows(names.moneyCases!).filter(({ coins }) => coins !== undefined),
        ledger: memory.rows(names.ledger!),
        settlements: memory.rows(names.settlements!),
      },
      node.coinsAt,
    ),
    postings: new Map(memory.rows(names.ledger!).map((row) => [String(row.id), movedBy(row)])),
    blocks: (clientId) =>
      new Set(memory.rows(names.clients!).find(({ id }) => id === clientId)?.blockedFor as Set<string>),
    wasOutdated: bank.wasOutdated,
    closedAt: bank.closedAt,
    cancelOf: (id) => facts.byTransaction.get(id)?.cancel,
    scopeOf: facts.scopeOf,
  };
}

/** The centavos that a posting moves: the sum of its positive entries, because debits equal credits. */
function movedBy({ entries }: Row): bigint {
  return (entries as Posting['entries'])
    .filter(({ amount }) => BigInt(amount) > 0n)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/**
 * Counts the ends of purchases and unmatched Pix, and the events on the way. `planned` is the number of planned buyers.
 */
export function countsOf(
  { transactions, unmatchedPayments, cancelOf, coins, cases }: Found,
  parts: Parts,
  planned: number,
) {
  const { kernel, memory, names, executions, queues, node, partner, faults } = parts;
  const ends = Object.groupBy(transactions, ({ status, refund }) =>
    refund ? `${status}, ${refund.status}` : status,
  );
  const unmatchedEnds = Object.groupBy(
    unmatchedPayments,
    ({ reason, refund }) => `${reason}, ${refund.status}`,
  );
  return {
    ...lengthsOf('purchases', ends),
    ...lengthsOf('unmatched Pix', unmatchedEnds),
    'purchases not opened': planned - transactions.length,
    'cancels confirmed': transactions.filter(({ id }) => cancelOf(id)?.isConfirmed).length,
    'cancels refused': transactions.filter(({ id }) => cancelOf(id)?.isRefused).length,
    'partner tokens taken': memory.rows(names.kycRecords!).filter(({ usedFor }) => usedFor).length,
    effects: kernel.counts().effects,
    kills: kernel.counts().kills,
    'functions out of time': kernel.counts().timeouts,
    'executions lost': executions.counts.lost,
    'steps run twice': executions.counts.twins,
    'steps given up by the state machine': executions.counts.timedOut,
    'messages repeated': queues.counts.repeated,
    'dead letters': queues.counts.deadLetters,
    blocks: node.counts.blocks,
    reorganisations: node.counts.reorgs,
    'transactions dropped from the pool': node.counts.dropped,
    'transfers sent': node.counts.casts,
    ...untruthsOf(node),
    ...foreignUsesOf(parts),
    ...Object.fromEntries(Object.entries(parts.med.counts).map(([what, count]) => [`MED ${what}`, count])),
    'transfers sent after a MED that came after the last look': parts.guards.tally.takenUnseen,
    charges: parts.float.counts.charges,
    'charges refused for want of tokens': parts.shop.counts.illiquid,
    ...parts.risk.counts(),
    ...parts.shop.refusals,
    'events accepted': partner.counts.events,
    'events accepted again': partner.counts.repetitions,
    ...Object.fromEntries(
      Object.entries(faults.counts)
        .sort()
        .map(([kind, count]) => [`faults ${kind}`, count]),
    ),
    'readings of coins counted': coins.length,
    'coins missing': cases.filter(({ kind }) => kind === 'COINS_MISSING').length,
    'virtual minutes': Math.round((kernel.now() - START_AT) / MINUTE_MS),
  };
}

/** Counts the untrue answers of nodes, and what nodes did with transactions without saying so. */
function untruthsOf({
  untruths: { lag, fork, lie, swallowed, refused, late },
}: Node): Record<string, number> {
  return {
    'answers of nodes that lag': lag,
    'answers of nodes on a fork': fork,
    'lies of nodes': lie,
    'transactions that a node took and dropped': swallowed,
    'untrue refusals of transactions': refused,
    'answers after the time-out': late,
  };
}

function foreignUsesOf({ memory, names, foreignUse: { counts } }: Parts): Record<string, number> {
  const slots = memory.rows(names.settlements!).filter(({ reason }) => reason === 'NONCE_USED_ELSEWHERE');
  return {
    'foreign uses of a key': counts.used,
    'payments that lost their nonce by it': slots.length,
    'wallets released': counts.released,
  };
}

function lengthsOf(what: string, groups: Partial<Record<string, unknown[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(groups).map(([end, list]) => [`${what} ${end}`, list!.length]));
}
