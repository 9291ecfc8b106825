import type { KycEvidence } from '../../functions/domain/kyc/kyc-decision.ts';
import type { KycFacts } from '../../functions/domain/kyc/kyc-facts.ts';
import type { Ports } from '../../functions/domain/ports.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { LIST_EFFECTS } from '../../functions/domain/screening/lists.ts';
import type { IndexInUse } from '../../functions/domain/screening/screening.ts';
import { aKycRecord, type KycRecordChanges, MINUTE_MS } from './builders.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The person whom the lists were searched for. */
export const SCREENED = { name: 'MARIA APARECIDA TESTE', birthDate: '1980-01-01' };

type ApprovingPorts = Pick<Ports, 'vault' | 'kycRecords'> & { sanctions: { index: IndexInUse } };
type Bought = Pick<Transaction, 'kycToken' | 'partnerId' | 'clientId' | 'model' | 'createdAt'>;

/** Stores the KYC record of a purchase: approved when the purchase began, with its evidence. */
export async function putApproved(ports: ApprovingPorts, purchase: Bought, changes: KycRecordChanges = {}) {
  const { kycToken: token, partnerId, clientId, model, createdAt: issuedAt } = purchase;
  const { index } = ports.sanctions;
  const record = aKycRecord({
    token,
    partnerId,
    clientId,
    model,
    issuedAt,
    expiresAt: issuedAt + DAY_MS,
    identityCipher: await ports.vault.encrypt(JSON.stringify(SCREENED), clientId),
    screenedWith: index.version,
    ...changes,
  });
  const findings: KycFacts = {
    model,
    personHash: 'cd'.repeat(32),
    registry: { situation: 'REGULAR', isAdult: true },
    screening: { index, lists: [], candidates: [] },
    review: { applicantId: 'a1', status: 'APPROVED', holder: 'SAME' },
    refusedWallets: [],
    unavailable: [],
    effects: LIST_EFFECTS,
  };
  const evidence: KycEvidence = {
    subject: token,
    clientId,
    kind: 'kyc',
    at: issuedAt,
    decidedBy: 'SubmitKyc',
    inputs: { clientId, model },
    findings,
    decision: { status: 'APPROVED', riskTier: 'STANDARD', rules: ['tier: STANDARD'] },
  };
  return (await ports.kycRecords.create(record, evidence))!;
}
