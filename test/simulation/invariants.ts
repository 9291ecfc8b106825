import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { RETURN_RETRY_MINUTES } from '../../functions/domain/purchase/return-state.ts';
import { hasEndedUnpaid, TERMINAL } from '../../functions/domain/purchase/status.ts';
import type { Refund, Transaction } from '../../functions/domain/purchase/transaction.ts';
import { TRANSITIONS } from '../../functions/domain/purchase/transitions.ts';
import { centavos, type PixRecord } from '../../sandbox/providers/psp/received-pix.ts';
import { judgeCoins } from './coins.ts';
import { endOf, isExpected, judgeTaken } from './ends.ts';
import type { Evidence } from './evidence.ts';
import { judgeLimits } from './limits.ts';
import { chain, topicOf } from './node.ts';
import { judgePromises } from './risk/promise-guard.ts';
import type { Violation } from './violation.ts';

/**
 * Returns all broken invariants of docs/security.md, "Invariants of money". It uses only the facts that are found at
 * the end.
 */
export function judge(found: Evidence): Violation[] {
  const violations: Violation[] = [];
  const ends = found.pix.map((pix) => ({ pix, end: endOf(pix, found) }));
  for (const transaction of found.transactions) {
    const scope = found.scopeOf(transaction.id);
    const say = (invariant: number, says: string) =>
      violations.push({ invariant, says: `${transaction.id}: ${says}`, scope });
    judgeTransfers(transaction, found, say);
    judgeEvents(transaction, found, say);
    judgeInTime(transaction, found, say);
    judgeCancel(transaction, found, say);
  }
  for (const { pix, end } of ends) {
    if (end.length === 1) continue;
    const says = `Pix ${pix.endToEndId} of ${pix.valor} has ended in ${end.join(' and ') || 'nothing'}`;
    const scope = pix.txid === undefined ? undefined : found.scopeOf(pix.txid);
    violations.push({ invariant: 2, says, scope });
  }
  for (const { id, kind, facts, transactionId } of found.cases) {
    if (isExpected({ id, kind, facts }, found.pix, found.now)) continue;
    const scope = transactionId === undefined ? undefined : found.scopeOf(transactionId);
    violations.push({ invariant: 6, says: `reconciliation opened the case ${id}`, scope });
  }
  return [
    ...violations,
    ...judgeTaken(found),
    ...judgeSums(found, ends),
    ...judgeLimits(found),
    ...judgePromises(found.promises),
    ...judgeCoins(found.coins),
  ];
}

type Say = (invariant: number, says: string) => void;

/**
 * Invariant 1: a completed purchase has exactly one transfer, of exactly its tokens and with its hash. Any other
 * purchase has none.
 */
function judgeTransfers(transaction: Transaction, { transfers }: Evidence, say: Say): void {
  const { status, asset, quote, walletAddress, txHash } = transaction;
  if (!TERMINAL.includes(status)) say(1, `has not ended but is ${status}`);
  const own = transfers.filter(({ topics }) => topics[2] === topicOf(walletAddress));
  const wanted = status === 'COMPLETED' ? 1 : 0;
  if (own.length !== wanted) say(1, `is ${status} with ${own.length} transfers`);
  for (const { address, data, transactionHash } of status === 'COMPLETED' ? own : []) {
    const isToken = address.toLowerCase() === chain.tokens[asset].address.toLowerCase();
    if (!isToken || BigInt(data) !== BigInt(quote.assetUnits))
      say(1, `was sent ${BigInt(data)} of ${address}`);
    if (transactionHash !== txHash) say(1, `names ${txHash}, but ${transactionHash} is in the chain`);
  }
}

/**
 * Invariant 7. A Pix is in time until the deadline that the client was shown, or until the provider closed the charge
 * for a cancel. The invariant does not apply when the provider itself gave an outdated answer; then the money goes
 * back.
 */
function judgeInTime(transaction: Transaction, { pix, wasOutdated, closedAt }: Evidence, say: Say): void {
  const { id, status, pix: shown } = transaction;
  if (!hasEndedUnpaid(status) || !shown || wasOutdated(id)) return;
  const until = status === 'CANCELED' ? (closedAt(id) ?? Number.POSITIVE_INFINITY) - 1 : shown.expiresAt;
  const inTime = pix.find(({ txid, horario }) => txid === id && Date.parse(horario) <= until);
  if (inTime) say(7, `is ${status}, but ${inTime.endToEndId} was paid at ${inTime.horario}, in time`);
}

/** Invariant 7. The answers to the partner's cancel are true, and no purchase is canceled without a request. */
function judgeCancel({ id, status }: Transaction, { cancelOf }: Evidence, say: Say): void {
  const cancel = cancelOf(id);
  const isCanceled = status === 'CANCELED';
  if (cancel?.isConfirmed && !isCanceled) say(7, `is ${status}, but its cancel was confirmed`);
  if (cancel?.isRefused && isCanceled) say(7, 'is CANCELED, but its cancel was refused');
  if (!cancel && isCanceled) say(7, 'is CANCELED, but nobody asked for that');
}

/** Events about a Pix or a return, which no move of the purchase announces. */
const BESIDE_MOVES = ['transaction.pix_returned', 'transaction.med_opened', 'transaction.med_closed'];

/** Invariant 5: each change of status has announced its events exactly once, and each event has reached the partner. */
function judgeEvents(
  transaction: Transaction,
  { events, acceptedEvents, endedAt }: Evidence,
  say: Say,
): void {
  const { id, history, sequence, refund } = transaction;
  const own = events.filter(({ data }) => data.transactionId === id);
  const moves = history.slice(1).map(({ status }, at) => [history[at]!.status, status] as const);
  const announced = moves.flatMap(([from, to]) => announcedBy(from, to));
  if (refund) announced.push(...announcedByRefund(refund));
  const told = own.map(({ type }) => type).filter((type) => !BESIDE_MOVES.includes(type));
  if (told.toSorted().join() !== announced.toSorted().join())
    say(5, `announced ${told.toSorted()} for ${moves.map((each) => each.join(' to '))}`);
  const numbers = own.map((event) => event.sequence).toSorted((a, b) => a - b);
  if (numbers.some((number, at) => number !== at + 1) || numbers.length !== sequence)
    say(5, `numbered its ${sequence} events ${numbers}`);
  // The comparison of the end may write an event, and nothing runs after it.
  for (const event of own)
    if (event.at < endedAt && !acceptedEvents.has(event.id))
      say(5, `event ${event.id} never reached the partner`);
}

/** The events of a refund: one for each try that the provider refused, and one for its end. */
function announcedByRefund({ status, tries = 0 }: Refund): string[] {
  const delays = Array<string>(Math.min(tries, RETURN_RETRY_MINUTES.length)).fill(
    'transaction.refund_delayed',
  );
  if (status === 'PENDING') return delays;
  return [...delays, status === 'REFUNDED' ? 'transaction.refunded' : 'transaction.refund_failed'];
}

function announcedBy(from: string, to: string): string[] {
  const row = TRANSITIONS.find((each) => each.from === from && each.to === to);
  // The request with the code answers this change itself. Only a liveness check announces it, and that is not
  // simulated.
  if (from === 'AWAITING_MFA' && to === 'AWAITING_PIX') return [];
  return [...(row?.events ?? [])];
}

/**
 * Invariant 6: all received centavos are settled, refunded, taken back or in a case. The token units that went out are
 * those of the completed purchases.
 */
function judgeSums(found: Evidence, ends: { pix: PixRecord; end: string[] }[]): Violation[] {
  const sum = (words: RegExp) =>
    ends
      .filter(({ end }) => words.test(end.join()))
      .reduce((total, { pix }) => total + centavos(pix.valor), 0n);
  const received = sum(/^/);
  const accounted = sum(/^(settlement|refund|taken back|case)$/);
  const units = (asset: string) =>
    found.transactions
      .filter((each) => each.status === 'COMPLETED' && each.asset === asset)
      .reduce((total, { quote }) => total + BigInt(quote.assetUnits), 0n);
  return [
    ...(received === accounted
      ? []
      : [{ invariant: 6, says: `${received} centavos came, ${accounted} are accounted for` }]),
    ...ASSET_NAMES.filter((asset) => found.unitsOut[asset] !== units(asset)).map((asset) => ({
      invariant: 6,
      says: `${found.unitsOut[asset]} units of ${asset} went out, ${units(asset)} were bought`,
    })),
  ];
}
