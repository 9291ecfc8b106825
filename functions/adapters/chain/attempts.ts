/** Signs and sends the transactions of a settlement that owns a nonce: docs/settlement.md, steps 4, 5, 6c and 8. */
import { ALTERED } from '../../domain/treasury/doing.ts';
import {
  type Assigned,
  attemptToCast,
  hasAttempts,
  isCancelDue,
  isOwned,
  type Signed,
  withAttempt,
  withCast,
} from '../../domain/treasury/settlement.ts';
import { buildCancel, buildPayment, bumpFees, type Fees, readFees } from './payment.ts';
import { findSigner } from './signers.ts';
import { holdPayment, type SettlementMove, type SettlementVisit, warn } from './visit.ts';

/**
 * Signs the payment, or its cancel if a cancel was requested, and sends it (docs/settlement.md, steps 4, 5, 6c and 8).
 * The bytes are stored before they are sent. If several visits sign in parallel, only the first one stores its bytes.
 * Each other visit drops its own bytes.
 */
export async function signAttempt(
  visit: SettlementVisit,
  settlement: Assigned | Signed,
  fees?: Fees,
): Promise<SettlementMove> {
  const { rpc, chain, signers, seals, book, clock } = visit;
  const signer = await findSigner(signers, settlement.wallet);
  // Holds the settlement, because the removed wallet's signed bytes may still be mined. A payment from another wallet
  // could then be a second one.
  if (!signer) return holdPayment(visit, settlement, 'wallet was removed');
  const kind = settlement.cancel ? 'cancel' : 'pay';
  // The check of the seals and the build use the same object in memory. A later change of the row therefore
  // cannot change the transaction.
  if (kind === 'pay' && !(await seals.isAsSealed(settlement))) return holdPayment(visit, settlement, ALTERED);
  const build = kind === 'cancel' ? buildCancel : buildPayment;
  const unsigned = build(settlement, chain, fees ?? (await readFees(rpc, chain)));
  const attempt = { kind, ...(await signer.sign(unsigned)), at: clock.now() } as const;
  const isStored = await book.addAttempt(settlement, attempt);
  return isStored ? cast(visit, withAttempt(settlement, attempt)) : 'AGAIN';
}

/**
 * Sends the stored bytes (docs/settlement.md, step 5). The nodes' answer is only a hint. The send is recorded later. A
 * visit that finds no record of the send only sends the same bytes again, which is harmless.
 */
export async function cast(visit: SettlementVisit, settlement: Signed): Promise<SettlementMove> {
  const { rpc, book, clock } = visit;
  const hint = await rpc.broadcast(attemptToCast(settlement).raw);
  const sent = { at: clock.now(), hint };
  if (/insufficient funds/i.test(hint)) warn(visit, settlement, 'treasury gas');
  return { watched: withCast(settlement, sent), note: () => book.noteCast(settlement, sent) };
}

/**
 * Signs the same transaction again with the same nonce and higher fees (docs/settlement.md, step 6c). If the fee cap
 * allows no higher fees, it sends the stored bytes again. If an earlier nonce must be mined first, it calls
 * `unblockWallet` and then sends the stored bytes again.
 */
export async function bump(
  visit: SettlementVisit,
  settlement: Signed,
  latest: number,
): Promise<SettlementMove> {
  const isNext = latest === settlement.nonce;
  const fees = isNext ? await higherFees(visit, settlement) : undefined;
  if (fees) return signAttempt(visit, settlement, fees);
  await unblockWallet(visit, settlement, latest);
  return cast(visit, settlement);
}

/**
 * Signs a cancel, which competes with the payment for the same nonce (docs/settlement.md, step 8). If the fee cap
 * allows no higher fees, it sends nothing, and a person is called.
 */
export async function cancelPayment(visit: SettlementVisit, settlement: Signed): Promise<SettlementMove> {
  const fees = await higherFees(visit, settlement);
  return fees
    ? signAttempt(visit, settlement, fees)
    : holdPayment(visit, settlement, 'no room under the fee cap to cancel');
}

async function higherFees({ rpc, chain }: SettlementVisit, settlement: Signed): Promise<Fees | undefined> {
  return bumpFees(attemptToCast(settlement).raw, await readFees(rpc, chain), chain);
}

/** Records the send of another settlement at once, because this visit does not look at that settlement again. */
async function notedMove(moving: Promise<SettlementMove>): Promise<void> {
  const move = await moving;
  if (typeof move === 'object' && 'watched' in move) await move.note?.();
}

/**
 * Sends the transaction at the wallet's next nonce if another settlement owns that nonce, because all later
 * payments of the wallet wait for it. Signs the transaction first if necessary. The visits of that settlement
 * may have ended, or a reorganisation may have dropped its confirmed transfer. Does nothing if no send of
 * `settlement` itself is known.
 */
export async function unblockWallet(
  visit: SettlementVisit,
  settlement: Signed,
  latest: number,
): Promise<void> {
  if (latest === settlement.nonce || settlement.state === 'SIGNED') return;
  const owner = await visit.book.findOwner(settlement.wallet, latest);
  if (!owner || !isOwned(owner) || owner.nonce !== latest) return;
  if (owner.state === 'ASSIGNED') await notedMove(signAttempt(visit, owner));
  else if ((owner.state === 'SIGNED' || owner.state === 'BROADCAST') && isCancelDue(owner))
    await notedMove(cancelPayment(visit, owner));
  else if (hasAttempts(owner)) await visit.rpc.broadcast(attemptToCast(owner).raw);
}
