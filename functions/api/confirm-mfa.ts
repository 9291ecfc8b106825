import * as z from 'zod';
import { begun } from '../domain/begun.ts';
import { type ErrorCode, Refusal, refuse } from '../domain/errors.ts';
import { type Client, isLocked, isReplay } from '../domain/kyc/client.ts';
import type { Needs } from '../domain/ports.ts';
import {
  CLIENT_LOCK_MINUTES,
  CLIENT_WRONG_CODES,
  MFA_ATTEMPTS,
  requireByCode,
} from '../domain/purchase/challenge.ts';
import {
  getIssued,
  isPayable,
  requireAwaitingMfa,
  requireOwn,
  type Transaction,
} from '../domain/purchase/transaction.ts';
import { isoInstant } from '../domain/time.ts';
import { Instant, PngUri, TransactionId, TransactionStatus } from '../entry/answer-parts.ts';
import { type Asking, type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { CHARGE_NEEDS, type ChargeFacts, issueCharge, readFacts } from '../logic/purchase/issue-charge.ts';
import { noting } from '../logic/purchase/noting.ts';
import { qrCodeOf, totpStep } from '../logic/purchase/totp.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';
import { getClient, getTransaction } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({
  id: z.string(),
  totpCode: z.string().regex(/^\d{6}$/, 'must be six digits'),
});
type Request = z.output<typeof Request>;

const Answer = () =>
  z.object({
    transactionId: TransactionId(),
    status: TransactionStatus(),
    pixPayload: z.string().optional(),
    pixQrCode: PngUri().optional(),
    pixExpiresAt: Instant().optional(),
  });
type Answer = z.output<ReturnType<typeof Answer>>;

export const needs = [...POST_NEEDS, ...CHARGE_NEEDS, 'clients', 'totpOpener'] as const;
type Ports = Needs<typeof needs>;

export type MfaParties = { transaction: Transaction; client: Client };

async function read({ id }: Request, { partner }: Asking, ports: Ports): Promise<MfaParties> {
  const transaction = requireOwn(await ports.transactions.findTransaction(id), (await partner).id);
  return { transaction, client: await getClient(ports.clients, transaction.clientId) };
}

/** Checks the TOTP code and issues the Pix charge: spec, endpoint 4. */
export async function confirmMfa(request: Request, caller: Caller<MfaParties>, ports: Ports) {
  const { id, totpCode } = request;
  const { partner, ids, besides } = caller;
  const { transaction, client } = await (caller.early ?? read(request, caller, ports));
  const requestId = ids.request();
  // An earlier try of this request may have died after its code was accepted. The code is then not checked
  // again: docs/decisions.md, "Codes of a challenge".
  const isAccepted = client.lastTransactionId === id && client.lastRequestId === requestId;
  if (isAccepted && isPayable(transaction, ports.clock.now())) {
    await resumeIfMoved(transaction, ports.machine);
    return confirmationOf(transaction);
  }
  requireAwaitingMfa(transaction, ports.clock.now());
  requireByCode(transaction.challenge);

  const { spreadBasisPoints, limits } = partner;
  const cleared = { trigger: 'MFA code accepted', client, spreadBasisPoints, limits, besides } as const;
  const clear = async (early?: Promise<ChargeFacts>) =>
    confirmationOf(await issueCharge(transaction, { ...cleared, early }, ports));
  if (isAccepted) return clear();
  const tried = { transaction, client, requestId };
  return withTry(tried, ports, async ({ attempts, secret }) => {
    const step = totpStep(totpCode, secret, ports.clock.now());
    // For a wrong code no exchange is asked for a price, and no CPF is decrypted.
    const early = step === undefined ? undefined : begun(readFacts(transaction, client, ports));
    if (await acceptStep(step, tried, ports)) return clear(early);
    await countWrongCode(client, ports);
    refuse('MFA_INVALID_CODE', { attemptsRemaining: MFA_ATTEMPTS - attempts });
  });
}

type MfaTry = { transaction: Transaction; client: Client; requestId: string };
type CountedTry = { attempts: number; secret: string };

/** Refusals that may pass and are not due to the code. Such a refusal uses up no try. */
const PASSES_BY: readonly ErrorCode[] = [
  ...(['PRICE_UNAVAILABLE', 'PROMISES_EXHAUSTED', 'LIMIT_EXCEEDED'] as const),
  ...(['LIQUIDITY_UNAVAILABLE', 'PARTNER_SUSPENDED', 'MFA_ATTEMPTS_EXCEEDED'] as const),
];

/**
 * Counts a try of the purchase and runs the check. The try is counted first, so that parallel guesses cannot exceed
 * the purchase's limit. After an outage or a temporary refusal the count is lowered again.
 */
async function withTry<Answer>(
  { transaction, client }: MfaTry,
  ports: Ports,
  run: (counted: CountedTry) => Promise<Answer>,
): Promise<Answer> {
  const { transactions, totpOpener, clock } = ports;
  const now = clock.now();
  if (isLocked(client, now)) refuseLocked(client.lockedUntil, now);
  const decrypted = begun(totpOpener.decrypt(client.totpCipher, client.id));
  const attempts = await transactions.countMfaAttempt(transaction.id, MFA_ATTEMPTS);
  if (attempts === undefined) return refuseTry(transaction.id, ports);
  try {
    const secret = await noting({ work: 'checking the code', transaction }, ports, () => decrypted);
    return await run({ attempts, secret });
  } catch (error) {
    if (!(error instanceof Refusal) || PASSES_BY.includes(error.code))
      await transactions.returnMfaAttempt(transaction.id);
    throw error;
  }
}

async function acceptStep(
  step: number | undefined,
  { transaction: { id: transactionId }, client, requestId }: MfaTry,
  { clients, clock }: Ports,
): Promise<boolean> {
  if (step === undefined || isReplay(client, step, transactionId)) return false;
  return clients.acceptCode(client, { step, transactionId, requestId, now: clock.now() });
}

/**
 * Counts a wrong code of the client before its result is told. Refuses a locked client instead, whatever the code. A
 * right code is not counted here: the write that accepts it needs a client who is not locked.
 */
async function countWrongCode({ id }: Client, { clients, clock }: Ports): Promise<void> {
  const now = clock.now();
  const lockUntil = now + CLIENT_LOCK_MINUTES * clock.minuteMs;
  const { lockedUntil } = await clients.countWrongCode(id, { limit: CLIENT_WRONG_CODES, now, lockUntil });
  if (lockedUntil !== undefined) refuseLocked(lockedUntil, now);
}

function refuseLocked(lockedUntil: number, now: number): never {
  const retryAfterSeconds = Math.ceil((lockedUntil - now) / 1000);
  refuse('MFA_ATTEMPTS_EXCEEDED', { scope: 'client', retryAfterSeconds });
}

/** Explains why the try was not counted: all tries are used up, or the purchase no longer waits for a code. */
async function refuseTry(id: string, { transactions, clock }: Ports): Promise<never> {
  requireAwaitingMfa(await getTransaction(transactions, id), clock.now());
  refuse('MFA_ATTEMPTS_EXCEEDED', { scope: 'transaction' });
}

async function confirmationOf(transaction: Transaction) {
  const { id, status, model } = transaction;
  const pix = getIssued(transaction);
  return {
    transactionId: id,
    status,
    pixPayload: pix.payload,
    // Spec, "Transaction": in Model 1 the QR code comes with the payload.
    pixQrCode: model === 1 ? await qrCodeOf(pix.payload) : undefined,
    pixExpiresAt: isoInstant(pix.expiresAt),
  };
}

/**
 * The answer to a repeated request, within a day. If the Pix can no longer be paid, it shows only the present status.
 */
async function replay(answer: Answer, { transactions, machine, clock }: Ports): Promise<Answer> {
  const transaction = await getTransaction(transactions, answer.transactionId);
  // The first try of this request may have died before it resumed the state machine.
  await resumeIfMoved(transaction, machine);
  if (isPayable(transaction, clock.now())) return answer;
  return { transactionId: transaction.id, status: transaction.status };
}

export const handler = endpoint(
  routeOf('ConfirmMfa'),
  {
    request: Request,
    answer: Answer,
    errors: [
      'KYC_NOT_APPROVED',
      'CLIENT_BLOCKED',
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_EXPIRED',
      'INVALID_TRANSACTION_STATE',
      'CHALLENGE_TYPE_MISMATCH',
      'MFA_ATTEMPTS_EXCEEDED',
      'MFA_INVALID_CODE',
      'QUOTE_EXPIRED',
      'PRICE_UNAVAILABLE',
      'PROMISES_EXHAUSTED',
      'LIMIT_EXCEEDED',
      'LIQUIDITY_UNAVAILABLE',
    ],
    needs,
    read,
    replay,
  },
  confirmMfa,
);
