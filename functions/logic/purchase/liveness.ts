import { type ErrorCode, Refusal } from '../../domain/errors.ts';
import { hasAskedDocuments, type LivenessCheck, livenessIdOf } from '../../domain/kyc/identity.ts';
import { wasCompared } from '../../domain/kyc/kyc.ts';
import type { Needs } from '../../domain/ports.ts';
import { decideHolder, holderFacts } from '../../domain/purchase/liveness-decision.ts';
import { isPastDeadline, type Transaction } from '../../domain/purchase/transaction.ts';
import { OWED_NEEDS, owedLookUp } from '../kyc/registry-quota.ts';
import { getClient, getPartner } from '../rows.ts';
import { CHARGE_NEEDS, issueCharge } from './issue-charge.ts';
import { noting } from './noting.ts';

export const REVIEW_NEEDS = [
  ...CHARGE_NEEDS,
  'identity',
  ...OWED_NEEDS,
  'cpfRegistry',
  'evidence',
  'livenessAttempts',
  'clients',
  'log',
] as const;
type ReviewPorts = Needs<typeof REVIEW_NEEDS>;

/**
 * Reads the result of the purchase's liveness check at the provider. If the client passed in time, issues
 * the charge. The charge may still be refused for another reason, for example a blocked client or a limit
 * (`PASSES_BY`, `MOVED_ON`). If the client failed, or the check belongs to another person or purchase,
 * begins the next attempt. A check that is still open, or was passed too late, changes nothing. Returns
 * whether it issued the charge.
 */
export async function reviewLiveness(transaction: Transaction, ports: ReviewPorts): Promise<boolean> {
  const { id, status, liveness } = transaction;
  if (status !== 'AWAITING_MFA' || !liveness) return false;
  const { attempt } = liveness;
  const challenged = { ...transaction, livenessId: livenessIdOf(id, attempt) };
  const read = () => findCheck(challenged, ports);
  const check = await noting({ work: 'reading the face check', transaction }, ports, read);
  // The instant at which the client finished the check counts, not the instant at which we read the result.
  const isInTime =
    check?.status === 'PASSED' && !isPastDeadline(transaction, check.reviewedAt ?? ports.clock.now());
  const isPassed =
    isInTime &&
    (await isOfAttempt(challenged, check, ports)) &&
    (await isOfClient(transaction, check, ports));
  if (check?.status === 'FAILED' || (isInTime && !isPassed)) {
    await ports.livenessAttempts.save(id, { attempt: attempt + 1, url: '', urlExpiresAt: 0 }, { attempt });
  }
  return isPassed && clear(transaction, check.reviewedAt, ports);
}

/** A purchase, with the id of the liveness attempt that is read. */
type Challenged = Transaction & { livenessId: string };

async function findCheck(
  { clientId, livenessId, liveness, createdAt }: Challenged,
  { identity, clients }: ReviewPorts,
): Promise<LivenessCheck | undefined> {
  const { spentReviews = [] } = await getClient(clients, clientId);
  const own = spentReviews.find((each) => each.livenessId === livenessId);
  // The provider may repeat a review of the documents by itself, without a new picture of the face. A review
  // therefore counts only if this attempt asked for documents, or has used this review before.
  const isByReview = hasAskedDocuments(liveness) || own !== undefined;
  const check = await identity.findLiveness({
    clientId,
    livenessId,
    ...(isByReview && { documentsSince: createdAt }),
  });
  // A review that this attempt has once used stays valid for it. Neither a new link nor a later review by the
  // provider changes its instant.
  return own && check?.personReviewedAt !== undefined ? { ...check, reviewedAt: own.reviewedAt } : check;
}

/**
 * Uses up the review for this purchase. A review is about the person, but clears only one purchase: docs/decisions.md,
 * "The liveness check".
 */
async function isOfAttempt(
  { id, clientId, livenessId, createdAt: since }: Challenged,
  { personReviewedAt: reviewedAt }: LivenessCheck,
  { clients, log }: ReviewPorts,
): Promise<boolean> {
  if (reviewedAt === undefined) return true;
  const isOurs = await clients.spendReview(clientId, { livenessId, reviewedAt, since });
  if (!isOurs) log.info('the review was spent on another purchase', { transactionId: id });
  return isOurs;
}

/**
 * Whether the document with which the face was compared belongs to the client. If the KYC submission has not compared
 * it with the tax registry, that happens now: docs/decisions.md, "The liveness check".
 */
async function isOfClient(
  transaction: Transaction,
  { holder, reviewedAt, verifiedAt }: LivenessCheck,
  ports: ReviewPorts,
): Promise<boolean> {
  if (wasCompared(transaction, verifiedAt)) return true;
  const { id: subject, clientId, partnerId, model } = transaction;
  const { cpfCipher } = await getClient(ports.clients, clientId);
  const cpf = await ports.vault.decrypt(cpfCipher, clientId);
  const entry = await owedLookUp(partnerId, () => ports.cpfRegistry.findCpf(cpf), ports);
  const findings = holderFacts(holder, entry);
  const decision = decideHolder(findings);
  const isSame = decision.status === 'PASSED';
  await ports.evidence.record({
    subject,
    clientId,
    kind: 'liveness',
    // The archive takes evidence in the order of its instants, so the decision has its own, not that of the check.
    at: ports.clock.now(),
    decidedBy: 'ReviewLiveness',
    inputs: { clientId, model, reviewedAt },
    findings,
    decision,
  });
  // The provider has verified a person who may not be the client. No alarm is raised, because the client's
  // next attempt begins.
  if (!isSame)
    ports.log.warn('liveness of another person', new Error('IDENTITY_MISMATCH'), { transactionId: subject });
  return isSame;
}

/**
 * Refusals of the charge that may pass before the purchase expires:
 *
 * - A person decides: docs/decisions.md, "Screening again", "MED refunds and fraud", "Accounts of partners".
 * - A price is trusted again: docs/decisions.md, "A price that may be sold at".
 * - Promises of other purchases end: docs/decisions.md, "Quotes and open promises".
 * - Another charge of the client ends: docs/decisions.md, "Charge limits of a client".
 * - The treasury is filled: docs/decisions.md, "Quotes and open promises".
 */
const PASSES_BY: readonly ErrorCode[] = [
  'KYC_NOT_APPROVED',
  'CLIENT_BLOCKED',
  'PRICE_UNAVAILABLE',
  'PROMISES_EXHAUSTED',
  'LIMIT_EXCEEDED',
  'LIQUIDITY_UNAVAILABLE',
  'PARTNER_SUSPENDED',
];
/**
 * Refusals that mean that the purchase has moved on: it has ended, it is being settled, or its quote has expired.
 * Nothing is left to do.
 */
const MOVED_ON: readonly ErrorCode[] = ['TRANSACTION_EXPIRED', 'INVALID_TRANSACTION_STATE', 'QUOTE_EXPIRED'];

async function clear(
  transaction: Transaction,
  reviewedAt: number | undefined,
  ports: ReviewPorts,
): Promise<boolean> {
  const { clientId, partnerId } = transaction;
  const client = await getClient(ports.clients, clientId);
  const { spreadBasisPoints, limits } = await getPartner(ports.partners, partnerId);
  // The proof is recorded before the charge, because after a crash the purchase may have moved on. After a
  // reset of the authenticator app, only a later picture of the face proves who asked for the reset. The
  // reset's instant is rounded down, because the provider's instants are whole seconds.
  const { mustProve } = client;
  const isProof =
    mustProve !== undefined && reviewedAt !== undefined && reviewedAt >= Math.floor(mustProve / 1000) * 1000;
  if (isProof) await ports.clients.markProven(clientId, mustProve);
  try {
    const cleared = { trigger: 'liveness completed', client, spreadBasisPoints, limits } as const;
    await issueCharge(transaction, cleared, ports);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || ![...PASSES_BY, ...MOVED_ON].includes(error.code)) throw error;
    ports.log.info('a passed liveness check is not enough', { transactionId: transaction.id });
    return false;
  }
}
