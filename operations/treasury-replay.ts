/** Replays lost transfers from the chain after a restore of the tables: docs/operations.md, "After a restore". */

import { openMoneyCase } from '../functions/domain/books/money-case.ts';
import { transferFindings } from '../functions/domain/books/outflow.ts';
import { getOf } from '../functions/domain/get.ts';
import { isoInstant, MINUTE_MS } from '../functions/domain/time.ts';
import { holdOf, type Marks } from '../functions/domain/treasury/hold.ts';
import type { TransferOut } from '../functions/domain/treasury/outflow-ports.ts';
import {
  type FoundTransfer,
  isUnsettled,
  type Match,
  matchTransfers,
  type Replay,
  type SentTransfer,
  type Unpaid,
} from '../functions/domain/treasury/replay.ts';
import { payoutOf } from '../functions/domain/treasury/settlement.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import { instantIn } from './dates.ts';
import type { Desk } from './desk.ts';
import { listBeingSettled } from './open-purchases.ts';
import type { Count } from './stores/replay-book.ts';
import { instant, refuseOrder } from './words.ts';

export const replayCommands: Command[] = [
  {
    name: 'treasury replay',
    takes: '--since <instant>',
    about: 'after a restore, while all is held: records the purchases that the chain shows as paid',
    options: ['since'],
    needsReason: true,
    run: replayTreasury,
  },
  {
    name: 'treasury decide',
    takes: '<transactionId> <txHash|unpaid>',
    about: 'ends a doubt after a replay: names the transfer that paid the purchase, or says that none did',
    needsReason: true,
    run: decidePurchase,
  },
];

/** The replay begins this long before `--since`, because a transfer may be recorded some time after it was mined. */
const OVERLAP_MS = 120 * MINUTE_MS;

/**
 * Plans `treasury hold --all`: no payment gets a nonce any more, and no money is returned. Payments that have a nonce
 * go on.
 */
export async function holdAll(given: Given, { holds }: Desk): Promise<Plan> {
  requireWords(given);
  const { held } = (await holds.findMarks()).witness;
  if (held) refuseOrder(`All is held already, by ${held.by} since ${instant(held.at)}.`);
  return {
    subject: 'all',
    will: [
      'assign no nonce, claim and request no refund, return no Pix, and sell nothing after five minutes',
      'payments with a nonce go on',
    ],
    facts: {},
    before: {},
    after: { hold: 'HELD' },
    async perform(order) {
      if (await holds.hold(order)) return ['All is held.'];
      return refuseOrder('The state has changed meanwhile: look again.');
    },
  };
}

/** Plans `treasury release --all`, which ends the hold of `treasury hold --all`. */
export async function releaseAll(given: Given, { holds }: Desk): Promise<Plan> {
  requireWords(given);
  const marks = await holds.findMarks();
  const { held } = marks.witness;
  if (holdOf(marks) === 'RESTORED') refuseOrder('The tables were restored: treasury replay comes first.');
  const isDone = given.resumed !== undefined && !held;
  if (!held && !isDone) refuseOrder('There is no hold of all money.');
  const since = held ? `; ${held.by} has held it since ${instant(held.at)}: ${held.reason}` : '';
  return {
    subject: 'all',
    will: [`release all money${since}`],
    facts: { held },
    before: { held },
    after: {},
    isDone,
    async perform() {
      if (await holds.release(marks)) return ['All is released.'];
      return refuseOrder('The state has changed meanwhile: look again.');
    },
  };
}

async function replayTreasury(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const since = instantIn(requireText(given, 'since'), desk.clock.now());
  const marks = await requireHeldTreasury(desk);
  requireSinceThen(since, marks);
  const counts = await requireFinal(desk);
  const found = await listFound(since, desk);
  const unpaid = await listUnpaid(desk);
  const used = new Map(counts.map((count) => [count.address.toLowerCase(), count.used]));
  const result = matchTransfers(found, unpaid, used);
  return {
    subject: isoInstant(since),
    will: replayLines(result, counts),
    facts: replayFacts(since, result),
    before: {},
    after: {},
    perform: () => writeReplay(result, { marks, counts, unpaid }, desk),
  };
}

/**
 * Requires a hold of all money that is at least a minute old. That is longer than any visit of a function lasts. A
 * visit that began before the hold could still write rows that the replay reads.
 */
async function requireHeldTreasury({ holds, clock, unmatchedPayments }: Desk): Promise<Marks> {
  const marks = await holds.findMarks();
  const { held } = marks.witness;
  if (!held) refuseOrder('Money may still leave: run treasury hold --all first.');
  if (clock.now() - held.at < MINUTE_MS)
    refuseOrder('The hold is younger than a minute: a visit that began before it may still write.');
  // A restored purchase may look as if it had never been paid. `ReconcilePix` finds its payment, but must
  // have read past the instant of the stop.
  const cursor = (await unmatchedPayments.findCursor()) ?? 0;
  if (cursor < held.at)
    refuseOrder(`ReconcilePix has only read until ${instant(cursor)}: wait until it is past the hold.`);
  return marks;
}

/**
 * Requires that the replay begins before the tables' mark. Until this mark the restored tables have every
 * row. A later transfer that is neither in the tables nor in the replay would be paid again.
 */
function requireSinceThen(since: number, { tables }: Marks): void {
  const markedAt = Math.min(...tables.map(({ at = Number.POSITIVE_INFINITY }) => at));
  if (since - OVERLAP_MS > markedAt)
    refuseOrder(`The tables have the state of ${instant(markedAt)}: --since must not be later.`);
}

async function requireFinal({ replays }: Desk): Promise<Count[]> {
  const counts = await replays.listCounts();
  const open = counts.filter((count) => count.open).map(({ address }) => address);
  if (open.length > 0)
    refuseOrder(`The nodes differ about the final, latest or pending count of ${open.join(', ')}: wait.`);
  return counts;
}

async function listFound(since: number, { outflows, clock }: Desk): Promise<FoundTransfer[]> {
  const { transfers } = await outflows.listTransfers(since - OVERLAP_MS, clock.now());
  const disputed = transfers.find(({ nodes, asked }) => nodes < asked);
  if (disputed)
    refuseOrder(`Not every node shows ${disputed.txHash}: wait, or find out which of them is wrong.`);
  return Promise.all(
    transfers.map(async (transfer) => ({ transfer, owner: await ownerOf(transfer, outflows) })),
  );
}

const ownerOf = ({ wallet, nonce }: TransferOut, outflows: Desk['outflows']) =>
  nonce === undefined ? undefined : outflows.findOwner(wallet, nonce);

type UnpaidPurchase = Unpaid & { names: { partnerId: string; clientId: string } };

async function listUnpaid(desk: Desk): Promise<UnpaidPurchase[]> {
  const all = (await listBeingSettled(desk)).map(async (purchase): Promise<UnpaidPurchase[]> => {
    const { id, partnerId, clientId } = purchase;
    const payout = payoutOf(purchase);
    const settlement = await desk.replays.findSettlement(id);
    return isUnsettled(settlement) ? [{ payout, settlement, names: { partnerId, clientId } }] : [];
  });
  return (await Promise.all(all)).flat();
}

function replayLines({ paid, doubtful, unknown }: Replay, counts: Count[]): string[] {
  return [
    ...paid.map(({ payout, transfer }) => `record ${payout.transactionId} as paid by ${transfer.txHash}`),
    ...doubtful.map(
      ({ payout }) => `open a case: ${payout.transactionId} may be paid, and is held until you decide`,
    ),
    ...unknown.map(
      ({ txHash, units, asset, to }) =>
        `open a case: ${txHash} sent ${units} ${asset} to ${to} for no purchase`,
    ),
    ...counts.map(
      ({ address, used }) =>
        `let ${address} continue at nonce ${used}, or at a higher one that it has reached`,
    ),
    'accept the tables as complete: an unpaid purchase in them is paid after the release',
  ];
}

function replayFacts(since: number, { paid, doubtful, unknown }: Replay): Record<string, unknown> {
  const idOf = ({ payout, transfer }: Match) => [payout.transactionId, transfer.txHash];
  return {
    since: instant(since),
    paid: paid.map(idOf),
    doubtful: doubtful.map(idOf),
    unknown: unknown.map(({ txHash }) => txHash),
  };
}

type ReplayRead = { marks: Marks; counts: Count[]; unpaid: UnpaidPurchase[] };

/**
 * Writes what the replay has found. The tables' marks are written last. If the command stops before that, the
 * operator can run it again.
 */
async function writeReplay(
  { paid, doubtful, unknown }: Replay,
  read: ReplayRead,
  desk: Desk,
): Promise<string[]> {
  const { replays, holds, moneyCases, clock } = desk;
  for (const match of paid) if (!(await replays.record(match))) movedOn(match);
  const names = new Map(read.unpaid.map(({ payout, names }) => [payout.transactionId, names]));
  for (const match of doubtful) {
    await moneyCases.open(doubtOf(match, getOf(names, match.payout.transactionId), clock.now()));
    if (!(await replays.doubt(match))) movedOn(match);
  }
  for (const transfer of unknown)
    for (const finding of transferFindings(transfer, {}))
      await moneyCases.open(openMoneyCase({ ...finding, openedAt: clock.now() }));
  for (const count of read.counts) await replays.advance(count);
  if (!(await holds.catchUp(read.marks, clock.now())))
    refuseOrder('The tables have changed meanwhile: replay again.');
  return [`${paid.length} paid, ${doubtful.length} doubtful, ${unknown.length} unknown.`];
}

function movedOn({ payout }: Match): never {
  return refuseOrder(`${payout.transactionId} has changed meanwhile: replay again.`);
}

function doubtOf({ payout, transfer }: Match, names: UnpaidPurchase['names'], openedAt: number) {
  const { transactionId, asset, units, to } = payout;
  const { txHash, wallet, nonce } = transfer;
  return openMoneyCase({
    ...names,
    kind: 'PAYOUT_DOUBTFUL',
    key: transactionId,
    openedAt,
    transactionId,
    txHash,
    facts: { asset, units: String(units), to, wallet, nonce },
  });
}

async function decidePurchase(given: Given, desk: Desk): Promise<Plan> {
  const [transactionId, word] = requireWords(
    given,
    'The transaction’s id',
    'The transfer’s hash, or unpaid,',
  );
  const settlement = await desk.replays.findSettlement(transactionId);
  if (settlement?.state !== 'LOST') refuseOrder(`There is no doubt about ${transactionId}.`);
  // Nothing would pay a purchase that is completed.
  if (settlement.confirmedAt !== undefined)
    refuseOrder(
      `${transactionId} is completed, and its transfer was lost later: see the run-book TransferLost.`,
    );
  const { asset, units, to } = settlement;
  const payout = { transactionId, asset, units, to };
  const transfer = word === 'unpaid' ? undefined : await requireTransfer(word, { payout, settlement }, desk);
  return {
    subject: transactionId,
    will: [transfer ? `record it as paid by ${transfer.txHash}` : `pay ${units} ${asset} to ${to} for it`],
    facts: { transactionId, txHash: transfer?.txHash },
    before: { state: settlement.state },
    after: transfer ? { paidBy: transfer.txHash } : { paidBy: 'none yet' },
    async perform() {
      const isDone = transfer
        ? desk.replays.record({ payout, settlement, transfer })
        : desk.replays.undoubt(settlement);
      if (await isDone) return [transactionId];
      return refuseOrder(
        'The state has changed meanwhile, or the transfer belongs to another purchase: look again.',
      );
    },
  };
}

async function requireTransfer(
  txHash: string,
  unpaid: Unpaid,
  { outflows, replays }: Desk,
): Promise<SentTransfer> {
  const transfers = await outflows.findTransfers(txHash);
  const counts = await replays.listCounts();
  const used = new Map(counts.map((count) => [count.address.toLowerCase(), count.used]));
  const found = transfers.filter(({ nodes, asked }) => nodes === asked).map((transfer) => ({ transfer }));
  const [match] = matchTransfers(found, [{ payout: unpaid.payout }], used).paid;
  if (!match) return refuseOrder(`${txHash} has no transfer that could have paid it.`);
  const { wallet, nonce } = match.transfer;
  const final = used.get(wallet.toLowerCase());
  if (final === undefined || nonce >= final) refuseOrder(`${txHash} is not final at every node: wait.`);
  return match.transfer;
}
