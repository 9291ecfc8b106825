import { type Besides, begun, endBesides } from '../../domain/begun.ts';
import { Unavailable } from '../../domain/errors.ts';
import { type Client, requireNotBlocked, requireWelcome } from '../../domain/kyc/client.ts';
import { kycStanding, laterFacts, requireApproved } from '../../domain/kyc/kyc.ts';
import type { Quote } from '../../domain/money.ts';
import { type Partner, requireNotSuspended } from '../../domain/partners/partner.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { challengeFor, requireByCode } from '../../domain/purchase/challenge.ts';
import { requireRateHeld } from '../../domain/purchase/locked-quote.ts';
import { hasEndedUnpaid } from '../../domain/purchase/status.ts';
import {
  PIX_WINDOW_MINUTES,
  requireAwaitingMfa,
  type Transaction,
} from '../../domain/purchase/transaction.ts';
import { getChange, type Trigger, withChange } from '../../domain/purchase/transitions.ts';
import { hasOpenMedAnywhere, isBlockedEverywhere, personIdOf } from '../kyc/person-blocks.ts';
import { getKycRecord, getTransaction } from '../rows.ts';
import { PRICE_NEEDS, readMarket } from './market.ts';
import { noting } from './noting.ts';
import { quoteAt } from './quote-at.ts';
import { TAKE_NEEDS, takeCharge } from './take-charge.ts';
import { resumeIfMoved, resumeMoved } from './waits.ts';

export const CHARGE_NEEDS = [
  ...(['transactions', 'kycRecords:read', 'pix', 'vault', 'lookup', 'machine', 'clock'] as const),
  'personBlocks:read',
  'unitsSealer',
  ...PRICE_NEEDS,
  ...TAKE_NEEDS,
] as const;
type Ports = Needs<typeof CHARGE_NEEDS>;

/**
 * How the client cleared the challenge, with the client's row and the partner's terms. `trigger` is the
 * trigger of the move in `TRANSITIONS`.
 */
type ClearedBuyer = {
  trigger: Extract<Trigger, 'MFA code accepted' | 'liveness completed'>;
  client: Client;
  /** The facts that the caller began to read while it checked the client's code. */
  early?: Promise<ChargeFacts>;
  /**
   * `issueCharge` leaves the resumption of the state machine here. The resumption must end before the
   * answer is sent.
   */
  besides?: Besides;
} & Pick<Partner, 'spreadBasisPoints' | 'limits'>;

export type ChargeFacts = Awaited<ReturnType<typeof readFacts>>;

/** Reads the facts that decide whether a charge is issued, and at which price. Changes nothing. */
export async function readFacts({ asset, kycToken, personId }: Transaction, client: Client, ports: Ports) {
  const [market, { cpf, person }, record, isBlocked, hasOpenMed] = await Promise.all([
    readMarket(asset, ports),
    readPerson(client, ports),
    getKycRecord(ports.kycRecords, kycToken),
    isBlockedEverywhere(personId, ports),
    hasOpenMedAnywhere(personId, ports),
  ]);
  return { market, cpf, person, record, isBlocked, hasOpenMed };
}

/**
 * Moves a purchase from AWAITING_MFA to AWAITING_PIX after its challenge was cleared. It claims the
 * client's limits, opens the promise of the price, reserves the tokens and creates the charge. Then it
 * saves the move with the price, and resumes the machine. The charge's txid is the purchase's id, so a
 * repeated call makes no second charge. Answers the purchase as it is then. After these refusals the caller
 * may try again: `PRICE_UNAVAILABLE`, `PROMISES_EXHAUSTED`, `LIMIT_EXCEEDED`, `LIQUIDITY_UNAVAILABLE`,
 * `PARTNER_SUSPENDED`.
 */
export const issueCharge = (
  transaction: Transaction,
  cleared: ClearedBuyer,
  ports: Ports,
): Promise<Transaction> =>
  noting({ work: 'making the Pix charge', transaction }, ports, () => charged(transaction, cleared, ports));

async function charged(
  transaction: Transaction,
  { trigger, client, early, besides, spreadBasisPoints, limits }: ClearedBuyer,
  ports: Ports,
): Promise<Transaction> {
  const { pix, clock, transactions } = ports;
  requireRateHeld(transaction, clock.now());
  const facts = await (early ?? readFacts(transaction, client, ports));
  const { market, cpf, person, record } = facts;
  // The client may have been rejected since the purchase began, by the lists or by a later submission.
  requireApproved(record, client);
  requireNotBlocked(client);
  requireWelcome(!facts.isBlocked);
  const { riskTier } = kycStanding(record, client);
  // Since the challenge was chosen, the client's tier may have been raised, or a bank may have taken back a
  // payment. The client must then pass a liveness check.
  if (trigger === 'MFA code accepted') requireByCode(challengeFor(riskTier, client, facts.hasOpenMed));
  const { id, asset, amountCentavos } = transaction;
  const locked = transaction.rateLock && transaction.quote;
  const quote = quoteAt(market, { asset, amountCentavos, spreadBasisPoints, locked }, ports);
  const claimant = { riskTier, client, partner: { limits }, person };
  const sealing = begun(sealUnits(transaction, quote, ports));
  // `takeCharge` is awaited before `sealing`. If sealing fails, the writes of `takeCharge` have therefore
  // ended.
  const { claimed, partner } = await takeCharge(transaction, { claimant, units: quote.assetUnits }, ports);
  const sealedUnits = await sealing;
  // The last checks before the charge: docs/decisions.md, "Accounts of partners", "Partner KYC tokens (Model 2)".
  requireNotSuspended(partner);
  requireApproved(record, laterFacts(client, partner));
  requireRateHeld(transaction, clock.now());
  const expiresInSeconds = Math.round((PIX_WINDOW_MINUTES * clock.minuteMs) / 1000);
  const charge = await pix.createCharge({ txid: id, amountCentavos, payer: { cpf }, expiresInSeconds });

  // A time-out or a cancel has closed the charge, or the client has already paid it. The caller reads the purchase
  // again and retries.
  if (charge.status !== 'ACTIVE') throw new Unavailable('the Pix charge');
  const issuing = {
    pix: { payload: charge.payload, expiresAt: charge.expiresAt },
    quote,
    sealedUnits,
  };
  const change = getChange(claimed, trigger, instantOf(clock), issuing);
  if (await transactions.save(change)) {
    const issued = withChange(claimed, change);
    await endBesides(besides, resumeMoved(issued, ports));
    return issued;
  }
  return requireIssued(await getTransaction(transactions, id), ports);
}

function sealUnits(
  { id, asset, amountCentavos, rateLock }: Transaction,
  { assetUnits: units }: Quote,
  { unitsSealer }: Ports,
) {
  return unitsSealer.seal({ id, asset, amountCentavos, units, isLocked: rateLock !== undefined });
}

/** The client's CPF in clear, and the keyed hash that names the person at all partners. */
async function readPerson({ id, cpfCipher }: Client, { vault, lookup }: Ports) {
  const cpf = await vault.decrypt(cpfCipher, id);
  return { cpf, person: await personIdOf(cpf, lookup) };
}

/**
 * Finds out why the move was not saved. A parallel request, the time-out or a cancel was faster, or the answer to our
 * own write was lost.
 */
async function requireIssued(transaction: Transaction, { pix, clock, machine }: Ports): Promise<Transaction> {
  if (hasEndedUnpaid(transaction.status)) await pix.closeCharge(transaction.id);
  if (transaction.status !== 'AWAITING_PIX') requireAwaitingMfa(transaction, clock.now());
  await resumeIfMoved(transaction, machine);
  return transaction;
}
