import { begun } from '../../domain/begun.ts';
import type { Unavailable } from '../../domain/errors.ts';
import { instantOf } from '../../domain/ports.ts';
import { ALTERED } from '../../domain/treasury/doing.ts';
import {
  asFailure,
  isOutageATry,
  openSettlement,
  outageNow,
  type Payout,
  type Requested,
  type Settlement,
  type SettlementOutcome,
} from '../../domain/treasury/settlement.ts';
import type { EarlyCalls, Treasury } from '../../domain/treasury/settlement-ports.ts';
import { signAttempt } from './attempts.ts';
import { isSameAddress } from './chain.ts';
import { type ClearedVisit, nonceClaims } from './claim.ts';
import { rest, waitsOf } from './looks.ts';
import type { Fees } from './payment.ts';
import { isOutage, RpcError } from './rpc.ts';
import {
  type DirectTreasury,
  failTry,
  findMoneyHold,
  holdPayment,
  isOverdue,
  pending,
  type SettlementMove,
  type SettlementVisit,
} from './visit.ts';
import { asConfirmation, waitingOutcome, watchPayment } from './watch.ts';

const MAX_STEPS = 60;

/**
 * Runs the settlement protocol of docs/settlement.md, which pays exactly once. A payment keeps its nonce until a fact
 * in a final block takes it away. Bytes are stored before they are sent. If in doubt, the chain is read again. Any
 * number of visits may run at once, and each may die anywhere: every effect is a conditional write or may be repeated.
 */
export function directTreasury(ports: DirectTreasury): Treasury {
  const visit = { ...ports, nonces: nonceClaims(ports) };
  return {
    settle: (payout, early) => settlePayout(visit, payout, early as EarlyReads | undefined),
    begin: (transactionId) => beginVisit(visit, transactionId),
  };
}

type EarlyReads = EarlyCalls & { opened?: Promise<Settlement>; cleared?: Promise<ClearedVisit> };

function beginVisit(visit: SettlementVisit, transactionId: string): EarlyReads {
  // Asks the chain before the purchase's row is read. A payment that owns a nonce does not need the answers, but only
  // the row tells that.
  const asking = begun(visit.nonces.ask());
  const early: EarlyReads = {
    found: begun(visit.book.find(transactionId)),
    clear(payout) {
      early.opened = begun(early.found.then((found) => found ?? openPayment(visit, payout, true)));
      early.cleared = begun(visit.nonces.clear(payout, asking));
      // Only warms the vault's cache with the keys of the seals. The visit asks again, and handles an error then.
      void begun(visit.seals.isAsSealed(payout));
    },
  };
  // This call only fills a cache with the answer whether all money is held. The visit asks again, and handles an error
  // then.
  void begun(visit.findHold());
  return early;
}

async function settlePayout(
  visit: SettlementVisit,
  payout: Payout,
  early?: EarlyReads,
): Promise<SettlementOutcome> {
  const waits = [...(visit.waitsMs ?? waitsOf(visit.chain))];
  const found = await (early?.opened ?? early?.found);
  let settlement = found ?? (await openPayment(visit, payout, early !== undefined));
  let move: SettlementMove = { written: settlement };
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const ready: Ready = steps === 0 ? { cleared: early?.cleared } : readyAfter(move);
    if (needsChecks(settlement, early)) return pending('contended');
    [move] = await Promise.all([movePayment(visit, { settlement, payout }, ready), ready.note?.()]);
    if (move === 'AGAIN') settlement = await openPayment(visit, payout);
    else if ('written' in move) settlement = move.written;
    else if ('state' in move) return move;
    else {
      settlement = move.watched;
      const doing = await rest(visit.chain, move, waits);
      if (doing) {
        await move.note?.();
        return waitingOutcome(visit, move.watched, doing);
      }
    }
  }
  return pending('contended');
}

/**
 * Whether the checks before a nonce must be made again. That is so if the settlement owned a nonce when the visit
 * began, and another visit has taken the nonce away since. The checks before that nonce may be old.
 */
const needsChecks = ({ state, cancel }: Settlement, early: EarlyReads | undefined): boolean =>
  state === 'REQUESTED' && cancel === undefined && early !== undefined && early.cleared === undefined;

/**
 * The results of a step that the next step can use. `cleared` are the checks that are made before a nonce is claimed.
 * `fees` were just read. `note` records that the signed transaction was sent.
 */
type Ready = { cleared?: Promise<ClearedVisit>; fees?: Fees; note?: () => Promise<void> };

function readyAfter(move: SettlementMove): Ready {
  if (move === 'AGAIN' || 'state' in move) return {};
  return 'written' in move ? { fees: move.fees } : { note: move.note };
}

const openPayment = (
  { book, clock }: SettlementVisit,
  payout: Payout,
  wasAbsent = false,
): Promise<Settlement> => book.open(openSettlement(payout, clock.now()), wasAbsent);

type WantedPayment = { settlement: Settlement; payout: Payout };

/**
 * Makes the next step of the settlement. If its terms differ from those of the purchase, a step is made only
 * if the settlement has failed or a cancel was requested.
 */
async function movePayment(
  visit: SettlementVisit,
  { settlement, payout }: WantedPayment,
  ready: Ready,
): Promise<SettlementMove> {
  const isEnding = settlement.state === 'FAILED' || settlement.cancel !== undefined;
  return isEnding || isSamePayout(settlement, payout)
    ? stepPayment(visit, settlement, ready)
    : holdPayment(visit, settlement, ALTERED);
}

async function stepPayment(
  visit: SettlementVisit,
  settlement: Settlement,
  { cleared, fees }: Ready,
): Promise<SettlementMove> {
  switch (settlement.state) {
    case 'REQUESTED':
      return settlement.cancel
        ? failTry(visit, settlement, { reason: 'CANCELLED' })
        : claimNonce(visit, settlement, cleared);
    case 'ASSIGNED':
      return withoutOutage(visit, settlement, () => signAttempt(visit, settlement, fees));
    case 'SIGNED':
    case 'BROADCAST':
      return withoutOutage(visit, settlement, () => watchPayment(visit, settlement));
    case 'CONFIRMED':
    case 'FINAL':
      return asConfirmation(settlement);
    case 'LOST':
      return holdPayment(visit, settlement, 'transfer is lost after it was confirmed');
    case 'FAILED':
      return asFailure(settlement);
  }
}

/** Begins a try. No nonce is owned yet, so an outage that lasts too long counts as a failed try. */
async function claimNonce(
  visit: SettlementVisit,
  settlement: Requested,
  cleared?: Promise<ClearedVisit>,
): Promise<SettlementMove> {
  const { book, clock } = visit;
  try {
    const move = await takeNonceOfWallet(visit, settlement, cleared);
    const isWaiting = move !== 'AGAIN' && 'state' in move && move.state === 'PENDING';
    if (isWaiting && settlement.outage) await book.noteOutage(settlement, undefined);
    return move;
  } catch (error) {
    if (!isOutage(error)) throw error;
    const at = instantOf(clock);
    if (isOutageATry(settlement, at)) return failTry(visit, settlement, { reason: 'OUTAGE' });
    await book.noteOutage(settlement, outageNow(settlement, at));
    return holdForOutage(visit, settlement, error);
  }
}

/** Once a nonce is owned, an outage never counts as a failed try, because the signed bytes may be mined. */
async function withoutOutage(
  visit: SettlementVisit,
  settlement: Settlement,
  work: () => Promise<SettlementMove>,
): Promise<SettlementMove> {
  try {
    return await work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return holdForOutage(visit, settlement, error);
  }
}

function holdForOutage(
  visit: SettlementVisit,
  settlement: Settlement,
  error: Unavailable | RpcError,
): SettlementMove {
  const isAnswer = error instanceof RpcError;
  return holdPayment(visit, settlement, isAnswer ? 'chain RPC answered with an error' : error.message);
}

async function takeNonceOfWallet(
  visit: SettlementVisit,
  settlement: Requested,
  cleared?: Promise<ClearedVisit>,
): Promise<SettlementMove> {
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  // The seals are checked again before each signature. The check here keeps an altered payout from owning a nonce, for
  // which all later payments of the wallet would wait.
  if (!(await visit.seals.isAsSealed(settlement))) return holdPayment(visit, settlement, ALTERED);
  const claimed = await visit.nonces.claim(settlement, cleared);
  if (claimed === 'MOVED') return 'AGAIN';
  if (claimed === 'FORBIDDEN') return { state: 'FAILED', reason: 'NOT_TO_BE_SETTLED', triesLeft: 0 };
  if ('written' in claimed) return claimed;
  if ('hold' in claimed) return holdPayment(visit, settlement, claimed.hold);
  if ('refuse' in claimed) return failTry(visit, settlement, { reason: claimed.refuse });
  if ('wait' in claimed) {
    // A node that has stopped shows mined payments as pending, so the wait would never end. Only this call of
    // `holdPayment` reports that to a person.
    const isLate = isOverdue(visit, settlement.openedAt);
    return isLate ? holdPayment(visit, settlement, claimed.wait) : pending(claimed.wait);
  }
  // The client's address has become one of our wallets or contracts since the purchase was opened.
  const wish = { reason: 'WALLET_RISK_TOO_HIGH', at: visit.clock.now() } as const;
  return failTry(visit, settlement, { reason: claimed.never, cancel: wish });
}

/** True if the purchase's terms are those of the settlement's row. The transfer is built only from that row. */
function isSamePayout({ asset, units, to }: Settlement, payout: Payout): boolean {
  return asset === payout.asset && units === payout.units && isSameAddress(to, payout.to);
}
