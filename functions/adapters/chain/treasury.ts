import type { Unavailable } from '../../domain/errors.ts';
import {
  asFailure,
  isOutageATry,
  openSettlement,
  type Payout,
  type Requested,
  type Settlement,
  type SettlementOutcome,
} from '../../domain/treasury/settlement.ts';
import type { EarlyReads, Treasury } from '../../domain/treasury/settlement-ports.ts';
import { sign } from './attempts.ts';
import { isSameAddress } from './chain.ts';
import { type Cleared, nonceClaims } from './claim.ts';
import { rest, waitsOf } from './looks.ts';
import type { Fees } from './payment.ts';
import { isOutage, RpcError } from './rpc.ts';
import {
  type DirectTreasury,
  failTry,
  findMoneyHold,
  hold,
  isOverdue,
  type Move,
  pending,
  type Visit,
} from './visit.ts';
import { asConfirmation, waiting, watch } from './watch.ts';

const MAX_STEPS = 60;

/**
 * Runs the exactly-once settlement protocol with plain accounts. A payment keeps its nonce until a final fact takes
 * it away. Nothing is sent before its bytes are stored. In doubt the chain is asked again. Any number of visits of
 * one payout may run at once. Each may die anywhere, because every effect is a conditional write or may be repeated.
 */
export function directTreasury(ports: DirectTreasury): Treasury {
  const visit = { ...ports, nonces: nonceClaims(ports) };
  return {
    settle: (payout, early) => settle(visit, payout, early as Early | undefined),
    begin: (transactionId) => begin(visit, transactionId),
  };
}

type Early = EarlyReads & { cleared?: Promise<Cleared> };

function begin(visit: Visit, transactionId: string): Early {
  const early: Early = {
    found: visit.book.find(transactionId),
    clear(payout) {
      early.cleared = visit.nonces.clear(payout);
      early.cleared.catch(() => undefined);
    },
  };
  early.found.catch(() => undefined);
  // The visit asks again. The answer is kept for some seconds.
  visit.findHold().catch(() => undefined);
  return early;
}

async function settle(visit: Visit, payout: Payout, early?: Early): Promise<SettlementOutcome> {
  const waits = [...(visit.waitsMs ?? waitsOf(visit.chain))];
  const found = await early?.found;
  let settlement = found ? requireSamePayout(found, payout) : await open(visit, payout, early !== undefined);
  let move: Move = { written: settlement };
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const ready: Ready = steps === 0 ? { cleared: early?.cleared } : readyAfter(move);
    [move] = await Promise.all([step(visit, settlement, ready), ready.note?.()]);
    if (move === 'AGAIN') settlement = await open(visit, payout);
    else if ('written' in move) settlement = move.written;
    else if ('state' in move) return move;
    else {
      settlement = move.watched;
      const doing = await rest(visit.chain, move, waits);
      if (doing) {
        await move.note?.();
        return waiting(visit, move.watched, doing);
      }
    }
  }
  return pending('contended');
}

/** The things that a step leaves to the next one: what it has read, and the note of its send. */
type Ready = { cleared?: Promise<Cleared>; fees?: Fees; note?: () => Promise<void> };

function readyAfter(move: Move): Ready {
  if (move === 'AGAIN' || 'state' in move) return {};
  return 'written' in move ? { fees: move.fees } : { note: move.note };
}

async function open({ book, clock }: Visit, payout: Payout, wasAbsent = false): Promise<Settlement> {
  return requireSamePayout(await book.open(openSettlement(payout, clock.now()), wasAbsent), payout);
}

async function step(visit: Visit, settlement: Settlement, { cleared, fees }: Ready): Promise<Move> {
  switch (settlement.state) {
    case 'REQUESTED':
      return settlement.cancel
        ? failTry(visit, settlement, { reason: 'CANCELLED' })
        : claim(visit, settlement, cleared);
    case 'ASSIGNED':
      return withoutOutage(visit, settlement, () => sign(visit, settlement, fees));
    case 'SIGNED':
    case 'BROADCAST':
      return withoutOutage(visit, settlement, () => watch(visit, settlement));
    case 'CONFIRMED':
    case 'FINAL':
      return asConfirmation(settlement);
    case 'LOST':
      return hold(visit, settlement, 'transfer is lost after it was confirmed');
    case 'FAILED':
      return asFailure(settlement);
  }
}

/** Begins a try. An outage here is a failed try once the patience is over, because no nonce is owned. */
async function claim(visit: Visit, settlement: Requested, cleared?: Promise<Cleared>): Promise<Move> {
  const { clock } = visit;
  try {
    return await takeNonce(visit, settlement, cleared);
  } catch (error) {
    if (!isOutage(error)) throw error;
    const isTry = isOutageATry(settlement, { now: clock.now(), minuteMs: clock.minuteMs });
    return isTry ? failTry(visit, settlement, { reason: 'OUTAGE' }) : holdForOutage(visit, settlement, error);
  }
}

/** Once a nonce is owned, an outage is never a failed try: the bytes may be out. */
async function withoutOutage(visit: Visit, settlement: Settlement, work: () => Promise<Move>): Promise<Move> {
  try {
    return await work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return holdForOutage(visit, settlement, error);
  }
}

function holdForOutage(visit: Visit, settlement: Settlement, error: Unavailable | RpcError): Move {
  const isAnswer = error instanceof RpcError;
  return hold(visit, settlement, isAnswer ? 'chain RPC answered with an error' : error.message);
}

async function takeNonce(visit: Visit, settlement: Requested, cleared?: Promise<Cleared>): Promise<Move> {
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  const claimed = await visit.nonces.claim(settlement, cleared);
  if (claimed === 'MOVED') return 'AGAIN';
  if (claimed === 'FORBIDDEN') return { state: 'FAILED', reason: 'NOT_TO_BE_SETTLED', triesLeft: 0 };
  if ('written' in claimed) return claimed;
  if ('hold' in claimed) return hold(visit, settlement, claimed.hold);
  if ('refuse' in claimed) return failTry(visit, settlement, { reason: claimed.refuse });
  if ('wait' in claimed) {
    // A node that stands still shows mined payments as open. Nothing else would report that.
    const isLate = isOverdue(visit, settlement.openedAt);
    return isLate ? hold(visit, settlement, claimed.wait) : pending(claimed.wait);
  }
  // The address of the client became one of ours, or of a contract, after the purchase was opened.
  const wish = { reason: 'WALLET_RISK_TOO_HIGH', at: visit.clock.now() } as const;
  return failTry(visit, settlement, { reason: claimed.never, cancel: wish });
}

/** Throws if the caller's terms differ from the row. The transfer is built from the row alone. */
function requireSamePayout(settlement: Settlement, payout: Payout): Settlement {
  const isSame =
    settlement.asset === payout.asset &&
    settlement.units === payout.units &&
    isSameAddress(settlement.to, payout.to);
  if (!isSame) throw new Error(`another payout was opened for ${payout.transactionId}`);
  return settlement;
}
