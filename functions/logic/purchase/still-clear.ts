import { StepOutcome, Unavailable } from '../../domain/errors.ts';
import type { Client } from '../../domain/kyc/client.ts';
import { isOverruled, type KycRecord } from '../../domain/kyc/kyc.ts';
import { decideKyc } from '../../domain/kyc/kyc-decision.ts';
import { decideBlock, type PersonBlock } from '../../domain/kyc/person-block.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { hasUndecidedPair } from '../../domain/screening/review-case.ts';
import { findBlockInForce } from '../kyc/person-blocks.ts';
import { newRescreenVisit, RESCREEN_NEEDS, recordAbout, rescreen } from '../kyc/rescreen.ts';
import { getClient, getKycRecord } from '../rows.ts';
import { refuseFor } from './client-refused.ts';

export const STILL_CLEAR_NEEDS = [...RESCREEN_NEEDS, 'kycRecords:read', 'personBlocks:read'] as const;
type Ports = Needs<typeof STILL_CLEAR_NEEDS>;

type PurchaseLooked = Pick<Transaction, 'id' | 'clientId' | 'personId' | 'kycToken' | 'disposition'>;

/**
 * Checks a purchase in PROCESSING: no list may refuse its client. Answers the version of the lists' index that was
 * searched. The client is searched again if the last search used an older index, or if a person has decided since. If
 * the client is refused, the purchase fails. If a person must decide, the purchase waits: docs/decisions.md, "Screening
 * again".
 */
export async function requireClearClient(
  purchase: PurchaseLooked,
  decidedBy: string,
  ports: Ports,
): Promise<{ screenedWith: string }> {
  const [record, client, index, block] = await Promise.all([
    getKycRecord(ports.kycRecords, purchase.kycToken),
    getClient(ports.clients, purchase.clientId),
    ports.sanctions.findIndex(),
    findBlockInForce(purchase.personId, ports),
  ]);
  if (block) return refuseBlocked({ purchase, block, decidedBy }, ports);
  if (record.status === 'REJECTED') return refuseAsDecided({ purchase, record, decidedBy }, ports);
  const { screenedWith } = record;
  if (screenedWith !== undefined && screenedWith >= index.version) {
    const isSettled = record.status === 'APPROVED' && !client.confirmedPairs && !isOverruled(record, client);
    if (isSettled) return { screenedWith };
    // The last search used an index at least as new as this one, and no person has decided yet. Another
    // search would find the same, and would only add evidence.
    if (record.status === 'PENDING' && hasUndecidedPair(record.openPairs, client))
      return holdPurchase(purchase, screenedWith);
  }
  return searchAgain({ purchase, record, decidedBy }, client, ports);
}

/** Refuses a person who is blocked at all partners. The partner gets the same reason as for any KYC rejection. */
async function refuseBlocked(
  { purchase, block, decidedBy }: { purchase: PurchaseLooked; block: PersonBlock; decidedBy: string },
  { evidence, clock }: Ports,
): Promise<never> {
  const { id: subject, clientId } = purchase;
  const { id: personId, state, by, at, until, caseId } = block;
  const findings = { block: { state, by, at, until, caseId }, now: clock.now() };
  await evidence.record({
    subject,
    clientId,
    kind: 'block',
    at: findings.now,
    decidedBy,
    inputs: { personId },
    findings,
    decision: decideBlock(findings),
  });
  return refuseFor(undefined);
}

type Looked = { purchase: PurchaseLooked; record: KycRecord; decidedBy: string };

/**
 * Refuses a client whom the schedule or a reviewer has already rejected. If the facts of that decision are
 * still stored, they are recorded as evidence for this purchase.
 */
async function refuseAsDecided({ purchase, record, decidedBy }: Looked, ports: Ports): Promise<never> {
  const last = await ports.rescreenings.findFacts(record);
  if (last) {
    const decided = { facts: last.facts, decision: decideKyc(last.facts) };
    await recordAbout({ id: purchase.id }, { record, decided, decidedBy }, ports);
  }
  return refuseFor(record.reason);
}

async function searchAgain(looked: Looked, client: Client, ports: Ports): Promise<{ screenedWith: string }> {
  const { purchase, record, decidedBy } = looked;
  const { rejectedAt, rejectedFor } = client;
  const concerned = {
    id: purchase.id,
    ...(isOverruled(record, client) && { overruledBy: { rejectedAt, rejectedFor } }),
  };
  const found = await rescreen(record, { decidedBy, visit: newRescreenVisit(), purchase: concerned }, ports);
  if (!found) throw new Unavailable('the KYC record');
  const { decision, index, openPairs } = found;
  if (decision.status === 'REJECTED') return refuseFor(decision.reason);
  if (concerned.overruledBy) return refuseFor(rejectedFor);
  return openPairs.length > 0 ? holdPurchase(purchase, index.version) : { screenedWith: index.version };
}

/**
 * Makes the purchase wait for a reviewer. A purchase that owns a nonce does not wait, because then only the
 * chain can end it: docs/architecture.md, "Five ideas".
 */
function holdPurchase({ disposition }: PurchaseLooked, screenedWith: string): { screenedWith: string } {
  if (disposition === 'SETTLE') return { screenedWith };
  throw new StepOutcome('ReviewPending', 'a person must decide about the client');
}
