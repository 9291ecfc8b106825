import * as z from 'zod';
import { challengeFor, INSTRUCTIONS } from '../domain/challenge.ts';
import { type Details, refuse, Unavailable } from '../domain/errors.ts';
import { type KycRecord, requireUsable } from '../domain/kyc.ts';
import {
  AMOUNT_LIMITS_CENTAVOS,
  brlOf,
  centavosOf,
  decimalOf,
  quoteFor,
  TOKEN_DECIMALS,
} from '../domain/money.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import {
  ASSETS,
  type Asset,
  openTransaction,
  requireAwaitingMfa,
  type Transaction,
} from '../domain/transaction.ts';
import { requireWalletAddress } from '../domain/wallet-address.ts';
import { type Caller, endpoint, POST_NEEDS } from '../edge/endpoint.ts';
import { enrollmentOf } from '../edge/totp.ts';
import { routeOf } from '../routes.ts';
import { requireCleanWallet } from '../steps/check-wallet-risk.ts';

const Request = z.object({
  // Half a surrogate pair is valid JSON, but no key that DynamoDB takes.
  kycToken: z
    .string()
    .min(1)
    .max(256)
    .refine((text) => text.isWellFormed(), 'is not well-formed text'),
  amountBrl: z.number().refine((amount) => centavosOf(amount) !== undefined, 'has more than two decimals'),
  asset: z.string().max(256),
  walletAddress: z.string().max(256),
});
type Request = z.output<typeof Request>;

export const needs = [
  ...POST_NEEDS,
  'kycRecords:read',
  'clients:read',
  'walletRisk',
  'evidence',
  'prices',
  'transactions',
  'machine',
] as const;
type Ports = Needs<typeof needs>;

/** Opens a purchase and tells the partner how its user must authenticate: spec, endpoint 3. */
export async function initiateTransaction(request: Request, { partner, ids }: Caller, ports: Ports) {
  const now = ports.clock.now();
  const amountCentavos = requireAmount(request.amountBrl);
  const asset = requireAsset(request.asset);
  const walletAddress = requireWalletAddress(request.walletAddress, ports.walletRisk.listReserved());
  const kyc = requireUsable(await ports.kycRecords.findRecord(request.kycToken), partner.id, now);
  const challenge = challengeFor(kyc.riskTier);
  // Not built yet: docs/decisions.md, "Liveness challenges".
  if (challenge.type === 'LIVENESS') throw new Unavailable('identity verification');

  const id = ids.transaction();
  const [ask] = await Promise.all([
    ports.prices.ask(asset),
    requireCleanWallet(
      { transactionId: id, address: walletAddress, decidedBy: 'InitiateTransaction' },
      ports,
    ),
  ]);
  const { token: kycToken, clientId, model, riskTier } = kyc;
  const transaction = await ports.transactions.create(
    openTransaction(
      {
        ...{ id, partnerId: partner.id, clientId, kycToken, model, riskTier },
        ...{ asset, amountCentavos, walletAddress, challenge },
        quote: quoteFor(amountCentavos, ask, partner.spreadBasisPoints),
      },
      instantOf(ports.clock),
    ),
  );
  // A retry finds the purchase of its first try, whose time may be over.
  requireAwaitingMfa(transaction, now);
  await ports.machine.start(transaction.id, transaction.status, 0);
  return answerOf(transaction, await enrollmentFor(kyc, partner.name, ports));
}

/** Spec, "Limits". Centavos; the request's form has already been checked. */
function requireAmount(amountBrl: number): number {
  const centavos = centavosOf(amountBrl)!;
  const { minimum, maximum } = AMOUNT_LIMITS_CENTAVOS;
  if (centavos < minimum || centavos > maximum) {
    refuse('AMOUNT_OUT_OF_RANGE', { minimum: brlOf(minimum), maximum: brlOf(maximum) });
  }
  return centavos;
}

function requireAsset(text: string): Asset {
  const asset = ASSETS.find((each) => each === text);
  if (!asset) refuse('UNSUPPORTED_ASSET', { supported: ASSETS });
  return asset;
}

/** The client's TOTP secret, until the first accepted code; never again afterwards. */
async function enrollmentFor(kyc: KycRecord, partnerName: string, { clients, vault }: Ports) {
  const client = await clients.findClient(kyc.clientId);
  if (!client || client.enrolledAt !== undefined) return undefined;
  return enrollmentOf(await vault.decrypt(client.totpCipher, client.id), partnerName);
}

/**
 * A stored answer is shown for a day, the secret in it only until the first accepted code: afterwards nobody who
 * knows the keys of a request may read what a client's codes are made of.
 */
async function replay(data: Details, { transactions, clients }: Ports): Promise<Details> {
  const answer = data as Awaited<ReturnType<typeof initiateTransaction>>;
  const { clientId } = (await transactions.findTransaction(answer.transactionId))!;
  const client = await clients.findClient(clientId);
  if (client && client.enrolledAt === undefined) return answer;
  return { ...answer, authChallenge: { ...answer.authChallenge, enrollment: undefined } };
}

function answerOf(transaction: Transaction, enrollment: Awaited<ReturnType<typeof enrollmentFor>>) {
  const { id, challenge, quote, expiresAt } = transaction;
  return {
    transactionId: id,
    // The specification's name of AWAITING_MFA in this answer, and only in this one.
    status: 'PENDING_AUTH',
    authChallenge: { type: challenge.type, instruction: INSTRUCTIONS[challenge.type], enrollment },
    quote: {
      rate: quote.rate,
      feeBrl: brlOf(quote.feeCentavos),
      assetAmount: decimalOf(quote.assetUnits, TOKEN_DECIMALS),
    },
    expiresAt: new Date(expiresAt!).toISOString(),
  };
}

export const handler = endpoint(
  routeOf('InitiateTransaction'),
  { request: Request, needs, replay },
  initiateTransaction,
);
