import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../domain/ports.ts';
import { HOLD_WORDS, type Hold } from '../../domain/treasury/hold.ts';
import {
  asConfirmed,
  asFailure,
  bytesOf,
  type Cancellation,
  isCancelDue,
  isOutageATry,
  isOver,
  judge,
  openSettlement,
  type Payout,
  type Receipt,
  type Settlement,
  type SettlementOutcome,
  withAttempt,
  withCast,
} from '../../domain/treasury/settlement.ts';
import type { Treasury } from '../../domain/treasury/settlement-ports.ts';
import { isSameAddress } from './chain.ts';
import { type ClaimPorts, nonceClaims } from './claim.ts';
import { isUsedByOthers } from './foreign-use.ts';
import { buildCancel, buildPayment, bumpFees, type Fees, readFees } from './payment.ts';
import { readNonce } from './preflight.ts';
import { readReceipts } from './receipts.ts';
import { isOutage, RpcError } from './rpc.ts';
import { findSigner } from './signers.ts';

export type DirectTreasury = ClaimPorts & {
  clock: Clock;
  /** Waits between the looks at the chain within one visit: a fast chain confirms in the first. */
  waitsMs?: readonly number[];
  /** Whether no payment may take a nonce, and none be given up: docs/decisions.md, "Tables that were restored". */
  findHold: () => Promise<Hold | undefined>;
};

/**
 * `AGAIN`: the row has moved, read it again. `written`: the row as our own write left it, so it need not be read; were
 * it moved since, the next write would be dropped. `watched` likewise, where only the chain can move it now.
 */
type Move = SettlementOutcome | 'AGAIN' | { written: Settlement } | { watched: Settlement };

const WAITS_MS = [150, 250, 400, 600, 1000];
const MAX_STEPS = 60;
/** A used nonce without a receipt is a node that lags; for longer than this a person is called. */
const OVERDUE_MS = 60_000;
/** Of a payment that waits: longer than any chain takes to make a block final. */
const OVERDUE_AFTER_MS = 30 * 60_000;
/** So long no node that is any good lags: from then on what all of them show counts. */
const QUARANTINE_AFTER_MS = 10 * 60_000;

/**
 * The exactly-once settlement protocol with plain accounts. A payment owns its nonce for life; nothing is sent
 * before its bytes are stored; doubt is asked again. Any number of visits of one payout may run at once, and each
 * may die anywhere: every effect is a conditional write or may be repeated.
 */
export function directTreasury(ports: DirectTreasury): Treasury {
  const { rpc, signers, book, chain, clock, log } = ports;
  const claimNonce = nonceClaims(ports);

  return { settle };

  async function settle(payout: Payout): Promise<SettlementOutcome> {
    const waits = [...(ports.waitsMs ?? WAITS_MS)];
    let settlement = await read(payout);
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const move = await step(settlement);
      if (move === 'AGAIN') settlement = await read(payout);
      else if ('written' in move) settlement = move.written;
      else if ('state' in move) return move;
      else {
        settlement = move.watched;
        const waitMs = waits.shift();
        if (waitMs === undefined) return waiting(settlement);
        await wait(waitMs);
      }
    }
    return pending('contended');
  }

  async function read(payout: Payout): Promise<Settlement> {
    const settlement = await book.open(openSettlement(payout, clock.now()));
    requireSamePayout(settlement, payout);
    return settlement;
  }

  async function step(settlement: Settlement): Promise<Move> {
    const { state } = settlement;
    if (state === 'CONFIRMED' || state === 'FINAL') return asConfirmation(settlement);
    if (state === 'LOST') return hold(settlement, 'transfer is lost after it was confirmed');
    if (state === 'FAILED') return asFailure(settlement);
    const isOwner = settlement.nonce !== undefined;
    if (!isOwner && settlement.cancel) return failTry(settlement, 'CANCELLED');
    try {
      if (!isOwner) return await claim(settlement);
      return settlement.attempts.length === 0 ? await sign(settlement) : await watch(settlement);
    } catch (error) {
      if (!isOutage(error)) throw error;
      // Once a nonce is owned, trouble is never a failed try: the bytes may be out.
      const isTry = !isOwner && isOutageATry(settlement, { now: clock.now(), minuteMs: clock.minuteMs });
      if (isTry) return failTry(settlement, 'OUTAGE');
      return hold(settlement, error instanceof RpcError ? 'chain RPC answered with an error' : error.message);
    }
  }

  async function claim(settlement: Settlement): Promise<Move> {
    const held = await ports.findHold();
    if (held) return hold(settlement, HOLD_WORDS[held]);
    const claimed = await claimNonce(settlement);
    if (claimed === 'MOVED') return 'AGAIN';
    if (claimed === 'FORBIDDEN') return { state: 'FAILED', reason: 'NOT_TO_BE_SETTLED', triesLeft: 0 };
    if ('written' in claimed) return claimed;
    // A node that stands still takes what is long mined for what is on its way: nothing else would tell.
    const { openedAt } = settlement;
    if ('wait' in claimed)
      return isOverdue(openedAt) ? hold(settlement, claimed.wait) : pending(claimed.wait);
    if ('hold' in claimed) return hold(settlement, claimed.hold);
    if ('refuse' in claimed) return failTry(settlement, claimed.refuse);
    // What is ours, or a contract's, was no such address yet when the purchase was opened.
    return failTry(settlement, claimed.never, { reason: 'WALLET_RISK_TOO_HIGH', at: clock.now() });
  }

  /** Steps 4, 5 and 8. The bytes are stored before they are sent; the loser of a race throws his away. */
  async function sign(settlement: Settlement, fees?: Fees): Promise<Move> {
    const signer = await findSigner(signers, settlement.wallet ?? '');
    // Another wallet would pay it twice: what was signed with this one may be out.
    if (!signer) return hold(settlement, 'wallet was removed');
    const kind = settlement.cancel ? 'cancel' : 'pay';
    const build = kind === 'cancel' ? buildCancel : buildPayment;
    const unsigned = build(settlement, chain, fees ?? (await readFees(rpc, chain)));
    const attempt = { kind, ...(await signer.sign(unsigned)), at: clock.now() } as const;
    const isStored = await book.addAttempt(settlement, attempt);
    return isStored ? cast(withAttempt(settlement, attempt)) : 'AGAIN';
  }

  /** Steps 6 and 7: the receipts of all bytes of this nonce decide. */
  async function watch(settlement: Settlement): Promise<Move> {
    const receipts = await readReceipts(rpc, chain, settlement);
    const nonce = settlement.nonce ?? 0;
    const latest = receipts.length === 0 ? await readNonce(rpc, settlement.wallet ?? '') : nonce;
    const at = { now: clock.now(), confirmations: chain.confirmations, isNonceUsed: latest > nonce };
    switch (judge(settlement, receipts, at)) {
      case 'WAIT':
        return at.isNonceUsed ? doubt(settlement, at.now) : { watched: settlement };
      case 'CAST':
        await unblock(settlement, latest);
        return cast(settlement);
      case 'BUMP':
        return bump(settlement, latest);
      case 'CANCEL':
        return cancel(settlement);
      case 'HOLD':
        return hold(settlement, 'held: mined without its transfer');
      case 'FAIL':
        return failTry(settlement, 'REVERTED');
      case 'CANCELLED':
        return failTry(settlement, 'CANCELLED');
      case 'CONFIRM':
        return confirm(settlement, receipts[0] as Receipt);
    }
  }

  /** Step 7, ii: a used nonce without a receipt. Only what every node shows as final, and long after, is somebody else's. */
  async function doubt(settlement: Settlement, now: number): Promise<Move> {
    const silentMs = silence(settlement, now);
    if (silentMs <= OVERDUE_MS) return { watched: settlement };
    const isProven = silentMs > QUARANTINE_AFTER_MS && (await isUsedByOthers(rpc, chain, settlement));
    if (!isProven) return hold(settlement, 'nonce used, no receipt seen');
    // Our own bytes, that restored tables do not know, look the same.
    const held = await ports.findHold();
    if (held) return hold(settlement, HOLD_WORDS[held]);
    const { wallet = '', nonce, transactionId } = settlement;
    const reason = 'NONCE_USED_ELSEWHERE';
    const failed = await book.fail(settlement, reason, { quarantine: { reason, at: now, nonce } });
    if (!failed) return 'AGAIN';
    log.error('wallet is in quarantine', undefined, { address: wallet, nonce: nonce ?? 0, transactionId });
    return asFailure(failed);
  }

  /** Step 5: the stored bytes, and whatever the nodes say is only noted. */
  async function cast(settlement: Settlement): Promise<Move> {
    const hint = await rpc.broadcast(settlement.attempts.at(-1)?.raw ?? '');
    await book.noteCast(settlement, { at: clock.now(), hint });
    if (/insufficient funds/i.test(hint)) warn(settlement, 'treasury gas');
    return { watched: withCast(settlement, { at: clock.now(), hint }) };
  }

  /** Step 6c: the same payment at the same nonce with higher fees, unless an earlier nonce is what it waits for. */
  async function bump(settlement: Settlement, latest: number): Promise<Move> {
    const last = settlement.attempts.at(-1)?.raw ?? '';
    const isNext = latest === settlement.nonce;
    const fees = isNext ? bumpFees(last, await readFees(rpc, chain), chain) : undefined;
    if (fees) return sign(settlement, fees);
    await unblock(settlement, latest);
    return cast(settlement);
  }

  /**
   * Casts what an earlier nonce of the wallet waits for: its visitor may be gone, or a reorg may have dropped its
   * transfer after it was confirmed. Without it all later payments of the wallet would wait too.
   */
  async function unblock(settlement: Settlement, latest: number): Promise<void> {
    if (latest === settlement.nonce || !settlement.wallet || settlement.lastCastAt === undefined) return;
    const owner = await book.findOwner(settlement.wallet, latest);
    if (owner?.nonce !== latest) return;
    const raw = bytesOf(owner);
    if (!raw) await sign(owner);
    else if (isCancelDue(owner) && !isOver(owner)) await cancel(owner);
    else await rpc.broadcast(raw);
  }

  /** Step 8: what outbids the payment at its nonce. Until it can, the payment is not pushed any more. */
  async function cancel(settlement: Settlement): Promise<Move> {
    const last = settlement.attempts.at(-1)?.raw ?? '';
    const fees = bumpFees(last, await readFees(rpc, chain), chain);
    return fees ? sign(settlement, fees) : hold(settlement, 'no room under the fee cap to cancel');
  }

  /** Reported as completed; unless it is final already, it is watched until it is (step 9). */
  async function confirm(settlement: Settlement, { hash, blockNumber, isFinal }: Receipt): Promise<Move> {
    const at = clock.now();
    const mined = { hash, blockNumber, isFinal, at, lookAt: at + clock.minuteMs };
    const isWritten = await book.confirm(settlement, mined);
    return isWritten ? asConfirmation(asConfirmed(settlement, mined)) : 'AGAIN';
  }

  /** Not while money is held: restored tables may not know what paid it since, and what is over is not replayed. */
  async function failTry(settlement: Settlement, reason: string, cancel?: Cancellation): Promise<Move> {
    const held = await ports.findHold();
    if (held) return hold(settlement, HOLD_WORDS[held]);
    const failed = await book.fail(settlement, reason, { cancel });
    return failed ? asFailure(failed) : 'AGAIN';
  }

  /** Nothing tells us why: one of two nodes is out, nodes differ for good, or fees went above the cap after it was signed. */
  function waiting(settlement: Settlement): SettlementOutcome {
    if (!isOverdue(settlement.attempts[0]?.at)) return pending('awaiting confirmations');
    return hold(settlement, 'not confirmed for half an hour');
  }

  function isOverdue(since = clock.now()): boolean {
    return clock.now() - since > OVERDUE_AFTER_MS;
  }

  function hold(settlement: Settlement, doing: string): SettlementOutcome {
    warn(settlement, doing);
    return pending(doing);
  }

  function warn(settlement: Settlement, doing: string): void {
    const { transactionId, asset } = settlement;
    log.error('settlement needs attention', undefined, { transactionId, asset, doing });
  }
}

function pending(doing: string): SettlementOutcome {
  return { state: 'PENDING', doing };
}

/** Milliseconds since it was last sent, or signed. */
function silence({ lastCastAt, attempts }: Settlement, now: number): number {
  return now - (lastCastAt ?? attempts.at(-1)?.at ?? now);
}

function asConfirmation({ txHash = '', blockNumber = 0 }: Settlement): SettlementOutcome {
  return { state: 'CONFIRMED', txHash, blockNumber };
}

/** The row rules: what is sent is built from it alone, so a caller who means something else is wrong. */
function requireSamePayout(settlement: Settlement, payout: Payout): void {
  const isSame =
    settlement.asset === payout.asset &&
    settlement.units === payout.units &&
    isSameAddress(settlement.to, payout.to);
  if (!isSame) throw new Error(`another payout was opened for ${payout.transactionId}`);
}
