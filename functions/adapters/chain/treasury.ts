import { setTimeout as wait } from 'node:timers/promises';
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
import type { Treasury } from '../../domain/treasury/settlement-ports.ts';
import { sign } from './attempts.ts';
import { isSameAddress } from './chain.ts';
import { nonceClaims } from './claim.ts';
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

const WAITS_MS = [150, 250, 400, 600, 1000];
const MAX_STEPS = 60;
/**
 * Runs the exactly-once settlement protocol with plain accounts. A payment keeps its nonce until a final fact takes
 * it away. Nothing is sent before its bytes are stored. In doubt the chain is asked again. Any number of visits of
 * one payout may run at once. Each may die anywhere, because every effect is a conditional write or may be repeated.
 */
export function directTreasury(ports: DirectTreasury): Treasury {
  const visit = { ...ports, claimNonce: nonceClaims(ports) };
  return { settle: (payout) => settle(visit, payout) };
}

async function settle(visit: Visit, payout: Payout): Promise<SettlementOutcome> {
  const waits = [...(visit.waitsMs ?? WAITS_MS)];
  let settlement = await read(visit, payout);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const move = await step(visit, settlement);
    if (move === 'AGAIN') settlement = await read(visit, payout);
    else if ('written' in move) settlement = move.written;
    else if ('state' in move) return move;
    else {
      settlement = move.watched;
      if (isDepthFar(visit, move.blocksLeft, waits)) return waiting(visit, move.watched, 'awaiting depth');
      const waitMs = waits.shift();
      if (waitMs === undefined) return waiting(visit, move.watched, 'awaiting confirmations');
      await wait(waitMs);
    }
  }
  return pending('contended');
}

/**
 * Whether this visit should end, and a later one look when the depth can be there. More than half of the depth is
 * missing, and the waits of this visit are too short for it.
 */
function isDepthFar({ chain }: Visit, blocksLeft = 0, waits: readonly number[]): boolean {
  const waitsLeftMs = waits.reduce((sum, waitMs) => sum + waitMs, 0);
  return blocksLeft * 2 >= chain.confirmations && blocksLeft * chain.blockSeconds * 1000 > waitsLeftMs;
}

async function read({ book, clock }: Visit, payout: Payout): Promise<Settlement> {
  const settlement = await book.open(openSettlement(payout, clock.now()));
  requireSamePayout(settlement, payout);
  return settlement;
}

async function step(visit: Visit, settlement: Settlement): Promise<Move> {
  switch (settlement.state) {
    case 'REQUESTED':
      return settlement.cancel
        ? failTry(visit, settlement, { reason: 'CANCELLED' })
        : begin(visit, settlement);
    case 'ASSIGNED':
      return withoutOutage(visit, settlement, () => sign(visit, settlement));
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
async function begin(visit: Visit, settlement: Requested): Promise<Move> {
  const { clock } = visit;
  try {
    return await claim(visit, settlement);
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

async function claim(visit: Visit, settlement: Requested): Promise<Move> {
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  const claimed = await visit.claimNonce(settlement);
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
function requireSamePayout(settlement: Settlement, payout: Payout): void {
  const isSame =
    settlement.asset === payout.asset &&
    settlement.units === payout.units &&
    isSameAddress(settlement.to, payout.to);
  if (!isSame) throw new Error(`another payout was opened for ${payout.transactionId}`);
}
