import type { Client } from '../../domain/kyc/client.ts';
import type { KycRecord, RiskTier } from '../../domain/kyc/kyc.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import type { Challenge } from '../../domain/purchase/challenge.ts';
import { type LockedQuote, requireQuote } from '../../domain/purchase/locked-quote.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { openTransaction } from '../../domain/purchase/transitions.ts';
import { type Float, hasRoom, requireLiquidity } from '../../domain/treasury/liquidity.ts';
import { ROOM_NEEDS, readUsage, requireOwnRoom } from './claim-charge.ts';
import { linkLiveness } from './link-liveness.ts';
import { PRICE_NEEDS, readMarket } from './market.ts';
import { quoteAt } from './quote-at.ts';
import { rememberWallet, WALLET_NEEDS } from './remember-wallet.ts';
import type { CleanWallet } from './require-clean-wallet.ts';

export const OPEN_NEEDS = [
  ...(['vault', 'destinationSealer', 'identity', 'evidence', 'newPurchases', 'machine'] as const),
  ...ROOM_NEEDS,
  ...PRICE_NEEDS,
  ...WALLET_NEEDS,
] as const;
type Ports = Needs<typeof OPEN_NEEDS>;

/** The part of the partner's request that the purchase takes over. */
type AskedPurchase = {
  externalId?: string;
  metadata?: Record<string, string>;
  returnUrl?: string;
  quoteId?: string;
};

/** A new purchase whose client and whose wallet's form passed the checks. */
type Admitted = {
  float?: Float;
  found?: LockedQuote;
  order: Pick<Transaction, 'id' | 'partnerId' | 'asset' | 'amountCentavos' | 'walletAddress'>;
  partner: Partner;
  client: Client;
  kyc: KycRecord;
  riskTier: RiskTier;
  challenge: Challenge;
  clean: Promise<CleanWallet>;
};

/** Checks price, limits, float and wallet, and stores the purchase. */
export async function openPurchase(
  request: AskedPurchase,
  { order, partner, client, kyc, riskTier, challenge, float, found, clean }: Admitted,
  ports: Ports,
): Promise<Transaction> {
  const { id, asset } = order;
  const now = ports.clock.now();
  const [market, usage, metadataCipher, sealedDestination, { evidence }] = await Promise.all([
    readMarket(asset, ports),
    readUsage(client.id, ports),
    metadataCipherOf(id, request, ports),
    ports.destinationSealer.seal({ ...order, lockedUnits: found?.quote.assetUnits }),
    clean,
  ]);
  const { returnUrl, quoteId } = request;
  const locked = quoteId === undefined ? undefined : requireQuote(found, order, now);
  const { spreadBasisPoints } = partner;
  const quote = quoteAt(market, { ...order, spreadBasisPoints, locked: locked?.quote }, ports);
  // Here limits and stablecoin are only checked. An opened purchase claims no limits and reserves no stablecoin. Both
  // happen after the challenge, when the charge is issued.
  await requireOwnRoom(order.amountCentavos, { riskTier, client, partner }, usage, ports);
  requireLiquidity(hasRoom(float, quote.assetUnits, now));
  const liveness =
    challenge.type === 'LIVENESS' ? await openLiveness({ id, client, returnUrl }, ports) : undefined;
  const { token: kycToken, clientId, personId, model } = kyc;
  return ports.newPurchases.create(
    openTransaction(
      {
        ...order,
        clientId,
        personId,
        kycToken,
        externalId: request.externalId,
        metadataCipher,
        returnUrl,
        model,
        riskTier,
        sealedDestination,
        challenge,
        liveness,
        quote,
        rateLock: locked && { quoteId: locked.id, until: locked.expiresAt },
      },
      instantOf(ports.clock),
    ),
    evidence,
  );
}

/**
 * Starts the state machine of a new purchase, and remembers its wallet. A repeated request does both again,
 * because the first try may have died.
 */
export function followUp(transaction: Transaction, client: Client, ports: Ports) {
  const { id, status, wait } = transaction;
  const isMissing = status === 'AWAITING_MFA' && !wait;
  return Promise.all([
    isMissing && ports.machine.start(id, status, 0),
    rememberWallet(client, transaction, ports),
  ]);
}

async function metadataCipherOf(id: string, { metadata }: AskedPurchase, { vault }: Ports) {
  return metadata && vault.encrypt(JSON.stringify(metadata), id);
}

type OpenedPurchase = { id: string; client: Client; returnUrl?: string };

/**
 * Opens the first liveness attempt. A Model 2 client has no applicant at the identity provider yet, so this creates
 * one.
 */
async function openLiveness({ id, client, returnUrl }: OpenedPurchase, ports: Ports) {
  const { id: clientId, cpfCipher } = client;
  const { identity, vault } = ports;
  await identity.openApplicant({ clientId, cpf: await vault.decrypt(cpfCipher, clientId) });
  return linkLiveness({ transactionId: id, attempt: 1, clientId, returnUrl }, ports);
}
