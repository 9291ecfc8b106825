import * as z from 'zod';
import { assetAmountOf, isAsset } from '../domain/assets.ts';
import { begun, endBesides } from '../domain/begun.ts';
import { getDefined } from '../domain/get.ts';
import { type Client, requireNotBlocked, requireWelcome } from '../domain/kyc/client.ts';
import { laterFacts, requireKycRecord, requireUsable } from '../domain/kyc/kyc.ts';
import { brlOf } from '../domain/money.ts';
import type { Partner } from '../domain/partners/partner.ts';
import type { Needs } from '../domain/ports.ts';
import { type Challenge, challengeFor, INSTRUCTIONS } from '../domain/purchase/challenge.ts';
import type { LockedQuote } from '../domain/purchase/locked-quote.ts';
import { requireAmount, requireAsset } from '../domain/purchase/order.ts';
import { requireListed } from '../domain/purchase/return-url.ts';
import { getDeadline, requireAwaitingMfa, type Transaction } from '../domain/purchase/transaction.ts';
import { requireWalletAddress } from '../domain/purchase/wallet-address.ts';
import { isoInstant } from '../domain/time.ts';
import type { Float } from '../domain/treasury/liquidity.ts';
import {
  Brl,
  DecimalText,
  Instant,
  LivenessChallenge,
  namedSchema,
  TotpChallenge,
  TransactionId,
} from '../entry/answer-parts.ts';
import { type Asking, type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { AmountBrl, ExternalId, Metadata, ReturnUrl } from '../entry/partner-fields.ts';
import { findHolder, HOLDER_NEEDS, type TokenHolder } from '../logic/kyc/token-holder.ts';
import { livenessUrlOf } from '../logic/purchase/liveness-link.ts';
import { followUp, OPEN_NEEDS, openPurchase } from '../logic/purchase/open-purchase.ts';
import { findCleanWallet, keepEvidence } from '../logic/purchase/require-clean-wallet.ts';
import { enrollmentOf, isEnrollmentOf } from '../logic/purchase/totp.ts';
import { getClient, getTransaction } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

/**
 * A text that becomes part of a DynamoDB key. JSON allows half of a surrogate pair, but such a key does
 * not.
 */
const Key = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => text.isWellFormed(), 'is not well-formed text');

const Request = z.object({
  kycToken: Key,
  amountBrl: AmountBrl,
  asset: z.string().max(256),
  walletAddress: z.string().max(256),
  externalId: ExternalId.optional(),
  metadata: Metadata.optional(),
  returnUrl: ReturnUrl.optional(),
  quoteId: Key.optional(),
});
type Request = z.output<typeof Request>;

const Quote = namedSchema('Quote', () =>
  z.object({ rate: DecimalText(), feeBrl: Brl(), assetAmount: DecimalText() }),
);

const AuthChallenge = namedSchema('AuthChallenge', () =>
  z.discriminatedUnion('type', [TotpChallenge(), LivenessChallenge()]),
);

const Answer = () =>
  z.object({
    transactionId: TransactionId(),
    externalId: ExternalId.optional(),
    // Only in this answer the specification calls `AWAITING_MFA` `PENDING_AUTH`.
    status: z.literal('PENDING_AUTH'),
    authChallenge: AuthChallenge(),
    quote: Quote(),
    expiresAt: Instant(),
  });
type Answer = z.output<ReturnType<typeof Answer>>;

export const needs = [
  ...POST_NEEDS,
  ...HOLDER_NEEDS,
  ...OPEN_NEEDS,
  'transactions:read',
  'totpOpener',
  'walletRisk',
  'quotes',
  'apiUrl',
  'floats:read',
] as const;
type Ports = Needs<typeof needs>;

export type PurchaseBasis = TokenHolder & {
  float?: Float;
  found?: LockedQuote;
  /** The number of the chain's newest block. Absent if the rate limit may refuse the request. */
  head?: Promise<bigint>;
};

export async function read(
  { asset, kycToken, quoteId }: Request,
  { partner, hasPlentyLeft }: Asking,
  ports: Ports,
): Promise<PurchaseBasis> {
  const [float, found, holder, begunToo] = await Promise.all([
    isAsset(asset) ? ports.floats.findFloat(asset) : undefined,
    quoteId === undefined ? undefined : ports.quotes.findQuote(quoteId),
    findHolder({ kycToken, partner }, ports),
    hasPlentyLeft?.then((isPlenty) => (isPlenty ? { head: ports.walletRisk.findHead() } : {})),
  ]);
  return { float, found, ...holder, ...begunToo };
}

/** Opens a purchase, and tells the partner how its user must authenticate: spec, endpoint 3. */
export async function initiateTransaction(request: Request, caller: Caller<PurchaseBasis>, ports: Ports) {
  const { partner, ids, besides } = caller;
  const now = ports.clock.now();
  requireListed(request.returnUrl, partner.returnHosts);
  const amountCentavos = requireAmount(request.amountBrl);
  const asset = requireAsset(request.asset);
  const early = await (caller.early ?? read(request, caller, ports));
  const { float, record, client: holder, isBlocked, hasOpenMed, found, head } = early;
  const never = [...ports.walletRisk.listReserved(), ...(float?.hotWallets ?? [])];
  const walletAddress = requireWalletAddress(request.walletAddress, never);
  const kyc = requireKycRecord(record, partner.id);
  const client = getDefined(holder, 'client');
  const riskTier = requireUsable(kyc, laterFacts(client, partner), now);
  requireNotBlocked(client);
  requireWelcome(!isBlocked);
  const challenge = challengeFor(riskTier, client, hasOpenMed);

  const id = ids.transaction();
  const destination = { transactionId: id, clientId: client.id, asset, address: walletAddress, head };
  const clean = begun(findCleanWallet(destination, 'InitiateTransaction', ports));
  const secret = begun(newSecretOf(challenge, client, ports));
  const order = { id, partnerId: partner.id, asset, amountCentavos, walletAddress };
  const admitted = { order, partner, client, kyc, riskTier, challenge, float, found, clean };
  const opening = openPurchase(request, admitted, ports);
  const transaction = await opening.catch((error) => keepEvidence(clean, error, ports));
  // A repeated request gets the purchase of its first try, which may have ended.
  requireAwaitingMfa(transaction, now);
  await endBesides(besides, followUp(transaction, client, ports));
  const enrollment = await enrollmentFor(transaction, { secret, client, partner }, ports);
  return initiationOf(transaction, enrollment, ports);
}

/**
 * The TOTP secret of a client who has not enrolled it yet. It is shown only until the client's first accepted
 * code. After a reset it is shown only once the client has shown their face.
 */
async function newSecretOf({ type }: Challenge, client: Client, { totpOpener }: Ports) {
  if (type !== 'MFA_TOTP' || !isSecretShown(client)) return undefined;
  return totpOpener.decrypt(client.totpCipher, client.id);
}

const isSecretShown = ({ enrolledAt, mustProve }: Client) =>
  enrolledAt === undefined && mustProve === undefined;

type Enrolling = { secret: Promise<string | undefined>; client: Client; partner: Partner };

async function enrollmentFor(
  { challenge }: Transaction,
  { secret, client, partner }: Enrolling,
  ports: Ports,
) {
  if (challenge.type !== 'MFA_TOTP') return undefined;
  // A repeated request has the challenge of its first try, which may differ from the present one.
  const shown = (await secret) ?? (await newSecretOf(challenge, client, ports));
  return shown === undefined ? undefined : enrollmentOf(shown, partner.name);
}

type Enrollment = Awaited<ReturnType<typeof enrollmentFor>>;

/**
 * The answer to a repeated request, within a day. It contains the TOTP secret only until the first accepted code or a
 * reset. After that nobody who knows the idempotency key may read the secret, and nobody may enrol a secret that was
 * replaced.
 */
async function replay(answer: Answer, ports: Ports): Promise<Answer> {
  const { transactions, clients, totpOpener } = ports;
  const transaction = await getTransaction(transactions, answer.transactionId);
  const client = await getClient(clients, transaction.clientId);
  await followUp(transaction, client, ports);
  const { authChallenge } = answer;
  if (authChallenge.type !== 'MFA_TOTP' || !authChallenge.enrollment) return answer;
  const { otpauthUri } = authChallenge.enrollment;
  if (
    isSecretShown(client) &&
    isEnrollmentOf(otpauthUri, await totpOpener.decrypt(client.totpCipher, client.id))
  )
    return answer;
  return { ...answer, authChallenge: { ...authChallenge, enrollment: undefined } };
}

function initiationOf(transaction: Transaction, enrollment: Enrollment, ports: Pick<Ports, 'apiUrl'>) {
  const { id, externalId, asset, quote } = transaction;
  return {
    transactionId: id,
    externalId,
    status: 'PENDING_AUTH' as const,
    authChallenge: challengeOf(transaction, enrollment, ports),
    quote: {
      rate: quote.rate,
      feeBrl: brlOf(quote.feeCentavos),
      assetAmount: assetAmountOf(asset, quote.assetUnits),
    },
    expiresAt: isoInstant(getDeadline(transaction)),
  };
}

function challengeOf(transaction: Transaction, enrollment: Enrollment, { apiUrl }: Pick<Ports, 'apiUrl'>) {
  const { id, challenge, liveness } = transaction;
  const { type } = challenge;
  const instruction = INSTRUCTIONS[type];
  if (type === 'MFA_TOTP') return { type, instruction, enrollment };
  const livenessUrl = livenessUrlOf(apiUrl, id, getDefined(liveness, 'liveness check'));
  return { type, instruction, livenessUrl };
}

export const handler = endpoint(
  routeOf('InitiateTransaction'),
  {
    request: Request,
    answer: Answer,
    errors: [
      'AMOUNT_OUT_OF_RANGE',
      'UNSUPPORTED_ASSET',
      'INVALID_WALLET_ADDRESS',
      'KYC_TOKEN_NOT_FOUND',
      'KYC_TOKEN_EXPIRED',
      'KYC_NOT_APPROVED',
      'CLIENT_BLOCKED',
      'WALLET_RISK_TOO_HIGH',
      'TRANSACTION_EXPIRED',
      'INVALID_TRANSACTION_STATE',
      'QUOTE_NOT_FOUND',
      'QUOTE_MISMATCH',
      'QUOTE_USED',
      'QUOTE_EXPIRED',
      'PRICE_UNAVAILABLE',
      'LIMIT_EXCEEDED',
      'LIQUIDITY_UNAVAILABLE',
      'EXTERNAL_ID_TAKEN',
    ],
    needs,
    read,
    replay,
  },
  initiateTransaction,
);
