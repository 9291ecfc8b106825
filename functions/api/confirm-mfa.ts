import * as z from 'zod';
import {
  CLIENT_LOCK_MINUTES,
  CLIENT_WRONG_CODES,
  type Client,
  isLocked,
  isReplay,
  MFA_ATTEMPTS,
} from '../domain/challenge.ts';
import { Refusal, refuse, Unavailable } from '../domain/errors.ts';
import { quoteFor } from '../domain/money.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import {
  advance,
  PIX_WINDOW_MINUTES,
  requireAwaitingMfa,
  requireOwn,
  type Transaction,
} from '../domain/transaction.ts';
import { type Caller, endpoint, POST_NEEDS } from '../edge/endpoint.ts';
import { qrCodeOf, stepOf } from '../edge/totp.ts';
import { resumeIfMoved } from '../edge/waits.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({
  id: z.string().max(64),
  totpCode: z.string().regex(/^\d{6}$/, 'must be six digits'),
});
type Request = z.output<typeof Request>;

export const needs = [...POST_NEEDS, 'transactions', 'clients', 'prices', 'pix', 'machine'] as const;
type Ports = Needs<typeof needs>;

/** Clears a TOTP challenge and issues the Pix payload: spec, endpoint 4. */
export async function confirmMfa({ id, totpCode }: Request, { partner }: Caller, ports: Ports) {
  const transaction = requireOwn(await ports.transactions.findTransaction(id), partner.id);
  requireAwaitingMfa(transaction, ports.clock.now());
  if (transaction.challenge.type !== 'MFA_TOTP') refuse('CHALLENGE_TYPE_MISMATCH');
  const client = (await ports.clients.findClient(transaction.clientId))!;
  await requireCode(totpCode, transaction, client, ports);

  try {
    return await answerOf(await issueCharge(transaction, client, partner.spreadBasisPoints, ports));
  } catch (error) {
    // The code was right: what fails behind it, down or broken, must not use up the client's tries.
    if (!(error instanceof Refusal)) await ports.transactions.returnMfaAttempt(id);
    throw error;
  }
}

/** The try is counted before the code is looked at, so parallel guesses cannot outrun the limit. */
async function requireCode(
  code: string,
  transaction: Transaction,
  client: Client,
  ports: Ports,
): Promise<void> {
  const { clients, transactions, vault, clock } = ports;
  const now = clock.now();
  if (isLocked(client, now)) {
    const retryAfterSeconds = Math.ceil((client.lockedUntil! - now) / 1000);
    refuse('MFA_ATTEMPTS_EXCEEDED', { scope: 'client', retryAfterSeconds });
  }
  const attempts = await transactions.countMfaAttempt(transaction.id, MFA_ATTEMPTS);
  if (attempts === undefined) return refuseTry(transaction.id, ports);

  const step = stepOf(code, await vault.decrypt(client.totpCipher, client.id), now);
  const isGood =
    step !== undefined &&
    !isReplay(client, step, transaction.id) &&
    (await clients.acceptCode(client.id, step, transaction.id, now));
  if (isGood) return;
  await clients.countWrongCode(client.id, CLIENT_WRONG_CODES, now + CLIENT_LOCK_MINUTES * clock.minuteMs);
  refuse('MFA_INVALID_CODE', { attemptsRemaining: MFA_ATTEMPTS - attempts });
}

/** No try was counted: they are used up, or a twin of this request has moved the purchase on meanwhile. */
async function refuseTry(id: string, { transactions, clock }: Ports): Promise<never> {
  requireAwaitingMfa((await transactions.findTransaction(id))!, clock.now());
  refuse('MFA_ATTEMPTS_EXCEEDED', { scope: 'transaction' });
}

/** Creates the charge (its txid is the transaction's id, so twice is once), locks the price, moves on. */
async function issueCharge(
  transaction: Transaction,
  client: Client,
  spreadBasisPoints: number,
  ports: Ports,
): Promise<Transaction> {
  const { pix, prices, vault, clock, transactions, machine } = ports;
  const [ask, cpf] = await Promise.all([
    prices.ask(transaction.asset),
    vault.decrypt(client.cpfCipher, client.id),
  ]);
  const expiresInSeconds = Math.round((PIX_WINDOW_MINUTES * clock.minuteMs) / 1000);
  const { id, amountCentavos } = transaction;
  const charge = await pix.createCharge({ txid: id, amountCentavos, payer: { cpf }, expiresInSeconds });

  // Closed by a time-out that was faster: there is nothing to show, and the next look says why.
  if (charge.status !== 'ACTIVE') throw new Unavailable('the Pix charge');
  const facts = {
    pix: { payload: charge.payload, expiresAt: charge.expiresAt },
    quote: quoteFor(amountCentavos, ask, spreadBasisPoints),
  };
  const change = advance(transaction, 'MFA code accepted', instantOf(clock), facts)!;
  if (await transactions.save(change)) {
    const issued = { ...transaction, ...change.set };
    await resumeIfMoved((await transactions.findTransaction(id)) ?? issued, machine);
    return issued;
  }
  return requireIssued((await transactions.findTransaction(id))!, ports);
}

/** Somebody else moved the purchase meanwhile: a twin of this request, or the time-out. */
async function requireIssued(transaction: Transaction, { pix, clock }: Ports): Promise<Transaction> {
  if (transaction.status === 'EXPIRED') await pix.closeCharge(transaction.id);
  if (transaction.status !== 'AWAITING_PIX') requireAwaitingMfa(transaction, clock.now());
  return transaction;
}

async function answerOf({ id, status, pix, model }: Transaction) {
  return {
    transactionId: id,
    status,
    pixPayload: pix!.payload,
    // Spec, "Transaction": the QR code goes with the payload in Model 1.
    pixQrCode: model === 1 ? await qrCodeOf(pix!.payload) : undefined,
    pixExpiresAt: new Date(pix!.expiresAt).toISOString(),
  };
}

export const handler = endpoint(routeOf('ConfirmMfa'), { request: Request, needs }, confirmMfa);
