import * as z from 'zod';
import { assetAmountOf, isAsset } from '../domain/assets.ts';
import { getDefined } from '../domain/get.ts';
import { type Client, requireNotBlocked, requireWelcome } from '../domain/kyc/client.ts';
import { higherTier, requireKycRecord, requireUsable } from '../domain/kyc/kyc.ts';
import { brlOf } from '../domain/money.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { challengeFor, INSTRUCTIONS } from '../domain/purchase/challenge.ts';
import { type LockedQuote, requireQuote } from '../domain/purchase/locked-quote.ts';
import { requireAmount, requireAsset } from '../domain/purchase/order.ts';
import { requireListed } from '../domain/purchase/return-url.ts';
import { getDeadline, requireAwaitingMfa, type Transaction } from '../domain/purchase/transaction.ts';
import { openTransaction } from '../domain/purchase/transitions.ts';
import { requireRoom } from '../domain/purchase/usage.ts';
import { requireWalletAddress } from '../domain/purchase/wallet-address.ts';
import { type Float, hasRoom, requireLiquidity } from '../domain/treasury/liquidity.ts';
import {
  Brl,
  DecimalText,
  Instant,
  LivenessChallenge,
  named,
  TotpChallenge,
  TransactionId,
} from '../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { AmountBrl, ExternalId, Metadata, ReturnUrl } from '../entry/partner-fields.ts';
import { findHolder, HOLDER_NEEDS, type TokenHolder } from '../logic/kyc/token-holder.ts';
import { limitsOf, readUsage } from '../logic/purchase/claim-charge.ts';
import { linkLiveness } from '../logic/purchase/link-liveness.ts';
import { livenessUrlOf } from '../logic/purchase/liveness-link.ts';
import { PRICE_NEEDS, readMarket } from '../logic/purchase/market.ts';
import { quoteAt } from '../logic/purchase/quote-at.ts';
import { rememberWallet, WALLET_NEEDS } from '../logic/purchase/remember-wallet.ts';
import { requireCleanWallet } from '../logic/purchase/require-clean-wallet.ts';
import { enrollmentOf, isEnrollmentOf } from '../logic/purchase/totp.ts';
import { getClient, getTransaction } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

/** A text as part of a DynamoDB key. JSON allows half of a surrogate pair, but a key does not. */
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

const Quote = named('Quote', () =>
  z.object({ rate: DecimalText(), feeBrl: Brl(), assetAmount: DecimalText() }),
);

const AuthChallenge = named('AuthChallenge', () =>
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
  'vault',
  'totpOpener',
  'destinationSealer',
  'identity',
  'walletRisk',
  'evidence',
  'transactions',
  'quotes',
  'machine',
  'apiUrl',
  'floats:read',
  ...PRICE_NEEDS,
  ...WALLET_NEEDS,
  'usages:read',
  'chargeLimits',
] as const;
type Ports = Needs<typeof needs>;

export type Early = TokenHolder & { float?: Float; found?: LockedQuote };

export async function read(
  { asset, kycToken, quoteId }: Request,
  { partner }: Pick<Caller, 'partner'>,
  ports: Ports,
): Promise<Early> {
  const [float, found, holder] = await Promise.all([
    isAsset(asset) ? ports.floats.findFloat(asset) : undefined,
    quoteId === undefined ? undefined : ports.quotes.findQuote(quoteId),
    findHolder({ kycToken, partnerId: partner.id }, ports),
  ]);
  return { float, found, ...holder };
}

/** Opens a purchase, and tells the partner how its user must authenticate: spec, endpoint 3. */
export async function initiateTransaction(request: Request, caller: Caller<Early>, ports: Ports) {
  const { partner, ids } = caller;
  const now = ports.clock.now();
  requireListed(request.returnUrl, partner.returnHosts);
  const amountCentavos = requireAmount(request.amountBrl);
  const asset = requireAsset(request.asset);
  const head = ports.walletRisk.findHead();
  const early = await (caller.early ?? read(request, caller, ports));
  const { float, record, client: holder, isBlocked, hasOpenMed, found } = early;
  const never = [...ports.walletRisk.listReserved(), ...(float?.hotWallets ?? [])];
  const walletAddress = requireWalletAddress(request.walletAddress, never);
  const kyc = requireKycRecord(record, partner.id);
  const client = getDefined(holder, 'client');
  const riskTier = requireUsable(kyc, client, now);
  requireNotBlocked(client);
  requireWelcome(!isBlocked);
  const challenge = challengeFor(hasOpenMed ? higherTier(riskTier, 'HIGH') : riskTier, client);

  const id = ids.transaction();
  const order = { id, partnerId: partner.id, asset, amountCentavos };
  const [market, usage, metadataCipher, sealedDestination] = await Promise.all([
    readMarket(asset, ports),
    readUsage(client.id, ports),
    metadataCipherOf(id, request, ports),
    ports.destinationSealer.seal({ ...order, walletAddress, lockedUnits: found?.quote.assetUnits }),
    requireCleanWallet(
      { transactionId: id, clientId: client.id, asset, address: walletAddress, head },
      'InitiateTransaction',
      ports,
    ),
  ]);
  const { returnUrl, quoteId } = request;
  const locked = quoteId === undefined ? undefined : requireQuote(found, order, now);
  const { spreadBasisPoints } = partner;
  const quote = quoteAt(market, { ...order, spreadBasisPoints, locked: locked?.quote }, ports);
  // Here limits and stablecoin are only checked. An opened purchase claims no limits and reserves no stablecoin. Both
  // happen after the challenge, when the charge is issued.
  requireRoom(limitsOf({ riskTier, client, partner }, usage, ports), amountCentavos, now);
  requireLiquidity(hasRoom(float, quote.assetUnits, now));
  const liveness =
    challenge.type === 'LIVENESS' ? await openLiveness({ id, client, returnUrl }, ports) : undefined;
  const { token: kycToken, clientId, personId, model } = kyc;
  const transaction = await ports.transactions.create(
    openTransaction(
      {
        id,
        partnerId: partner.id,
        clientId,
        personId,
        kycToken,
        externalId: request.externalId,
        metadataCipher,
        returnUrl,
        model,
        riskTier,
        asset,
        amountCentavos,
        walletAddress,
        sealedDestination,
        challenge,
        liveness,
        quote,
        rateLock: locked && { quoteId: locked.id, until: locked.expiresAt },
      },
      instantOf(ports.clock),
    ),
  );
  // A repeated request gets the purchase of its first try, which may have ended.
  requireAwaitingMfa(transaction, now);
  const [enrollment] = await Promise.all([
    enrollmentFor(transaction, client, partner.name, ports),
    ports.machine.start(transaction.id, 'AWAITING_MFA', 0),
    rememberWallet(client, walletAddress, ports),
  ]);
  return answerOf(transaction, enrollment, ports);
}

async function metadataCipherOf(id: string, { metadata }: Request, { vault }: Ports) {
  return metadata && vault.encrypt(JSON.stringify(metadata), id);
}

type Opened = { id: string; client: Client; returnUrl?: string };

/**
 * Opens the first liveness attempt. A Model 2 client has no applicant at the identity provider yet, so this creates
 * one.
 */
async function openLiveness({ id, client, returnUrl }: Opened, ports: Ports) {
  const { id: clientId, cpfCipher } = client;
  const { identity, vault } = ports;
  await identity.openApplicant({ clientId, cpf: await vault.decrypt(cpfCipher, clientId) });
  return linkLiveness({ transactionId: id, attempt: 1, clientId, returnUrl }, ports);
}

/** The enrolment with the client's TOTP secret. It is shown only until the client's first accepted code. */
async function enrollmentFor(
  { challenge }: Transaction,
  { id, totpCipher, enrolledAt }: Client,
  partnerName: string,
  { totpOpener }: Ports,
) {
  if (challenge.type !== 'MFA_TOTP' || enrolledAt !== undefined) return undefined;
  return enrollmentOf(await totpOpener.decrypt(totpCipher, id), partnerName);
}

type Enrollment = Awaited<ReturnType<typeof enrollmentFor>>;

/**
 * The answer to a repeated request, within a day. It contains the TOTP secret only until the first accepted code or a
 * reset. After that nobody who knows the idempotency key may read the secret, and nobody may enrol a secret that was
 * replaced.
 */
async function replay(answer: Answer, { transactions, clients, totpOpener }: Ports): Promise<Answer> {
  const { authChallenge } = answer;
  if (authChallenge.type !== 'MFA_TOTP' || !authChallenge.enrollment) return answer;
  const { clientId } = await getTransaction(transactions, answer.transactionId);
  const client = await getClient(clients, clientId);
  const isOpen = client.enrolledAt === undefined && !client.mustProve;
  const { otpauthUri } = authChallenge.enrollment;
  if (isOpen && isEnrollmentOf(otpauthUri, await totpOpener.decrypt(client.totpCipher, client.id)))
    return answer;
  return { ...answer, authChallenge: { ...authChallenge, enrollment: undefined } };
}

function answerOf(transaction: Transaction, enrollment: Enrollment, ports: Pick<Ports, 'apiUrl'>) {
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
    expiresAt: new Date(getDeadline(transaction)).toISOString(),
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
