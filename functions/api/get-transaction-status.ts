import * as z from 'zod';
import { hasAskedDocuments, type Liveness } from '../domain/kyc/identity.ts';
import type { Needs } from '../domain/ports.ts';
import { INSTRUCTIONS } from '../domain/purchase/challenge.ts';
import { isPastDeadline, isPayable, requireOwn, type Transaction } from '../domain/purchase/transaction.ts';
import { isoInstant } from '../domain/time.ts';
import {
  Failure,
  FailureReasons,
  Instant,
  LivenessChallenge,
  namedSchema,
  TotpChallenge,
  TransactionStatus,
} from '../entry/answer-parts.ts';
import { type Asking, type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { purchaseFields, refundFields } from '../entry/purchase-answers.ts';
import { LINK_NEEDS, linkLiveness } from '../logic/purchase/link-liveness.ts';
import { livenessUrlOf } from '../logic/purchase/liveness-link.ts';
import { purchaseView, refundView } from '../logic/purchase/purchase-view.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ id: z.string() });

const Refund = namedSchema('Refund', () => z.object({ ...refundFields(), reason: FailureReasons() }));

/**
 * The challenge, as long as the client must answer it. Only the answer of `initiateTransaction` shows the
 * TOTP secret. `livenessUrl` is absent if no link could be made.
 */
const OpenChallenge = namedSchema('OpenChallenge', () =>
  z.discriminatedUnion('type', [
    TotpChallenge().omit({ enrollment: true }),
    LivenessChallenge().partial({ livenessUrl: true }),
  ]),
);

const Answer = namedSchema('Transaction', () =>
  z.object({
    ...purchaseFields(),
    authChallenge: OpenChallenge().optional(),
    pixPayload: z.string().optional(),
    failure: Failure().optional(),
    refund: Refund().optional(),
    history: z.array(z.object({ status: TransactionStatus(), at: Instant() })),
  }),
);

export const needs = [
  ...GET_NEEDS,
  ...LINK_NEEDS,
  'log',
  'apiUrl',
  'transactions:read',
  'livenessAttempts',
] as const;
type Ports = Needs<typeof needs>;

type Request = z.output<typeof Request>;

const read = async ({ id }: Request, { partner }: Asking, { transactions }: Ports) =>
  requireOwn(await transactions.findTransaction(id), (await partner).id);

/** Answers the status of a purchase: spec, endpoint 5. */
export async function getTransactionStatus(request: Request, caller: Caller<Transaction>, ports: Ports) {
  const transaction = await (caller.early ?? read(request, caller, ports));
  const liveness = await linkFor(transaction, ports);
  const livenessUrl = liveness && livenessUrlOf(ports.apiUrl, transaction.id, liveness);
  return statusAnswer(transaction, { livenessUrl, now: ports.clock.now() });
}

/**
 * The link of the present liveness attempt. If the link has expired, or if a new attempt has begun, a new
 * link is made. Undefined if the purchase does not wait for a liveness check, or if no link could be made
 * now.
 */
async function linkFor(transaction: Transaction, ports: Ports): Promise<Liveness | undefined> {
  const { id, status, clientId, liveness, returnUrl } = transaction;
  const now = ports.clock.now();
  if (status !== 'AWAITING_MFA' || !liveness || isPastDeadline(transaction, now)) return undefined;
  if (now < liveness.urlExpiresAt) return liveness;
  const { attempt } = liveness;
  try {
    const link = await linkLiveness({ transactionId: id, attempt, clientId, returnUrl }, ports);
    const renewed: Liveness = { ...link, ...(hasAskedDocuments(liveness) && { askedDocuments: true }) };
    if (await ports.livenessAttempts.save(id, renewed, liveness)) return renewed;
    // Another call has saved its own new link first. Only that link is valid.
    const present = await ports.transactions.findTransaction(id);
    return present && now < (present.liveness?.urlExpiresAt ?? 0) ? present.liveness : undefined;
  } catch (error) {
    // The status is answered without the link. A later call may get one.
    ports.log.warn('no liveness link', error, { transactionId: id });
    return undefined;
  }
}

/** The answer. Fields that do not apply are absent: docs/decisions.md, "Fields of the answers". */
function statusAnswer(transaction: Transaction, { livenessUrl, now }: { livenessUrl?: string; now: number }) {
  const { status, challenge, pix, refund } = transaction;
  return {
    ...purchaseView(transaction),
    authChallenge:
      status === 'AWAITING_MFA'
        ? { type: challenge.type, instruction: INSTRUCTIONS[challenge.type], livenessUrl }
        : undefined,
    pixPayload: isPayable(transaction, now) ? pix?.payload : undefined,
    failure: transaction.failure,
    refund: refund && { ...refundView(refund), reason: refund.reason },
    history: transaction.history.map((entry) => ({ status: entry.status, at: isoInstant(entry.at) })),
  };
}

export const handler = endpoint(
  routeOf('GetTransactionStatus'),
  { request: Request, answer: Answer, errors: ['TRANSACTION_NOT_FOUND'], needs, read },
  getTransactionStatus,
);
