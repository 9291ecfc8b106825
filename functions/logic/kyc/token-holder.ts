import type { Client } from '../../domain/kyc/client.ts';
import type { KycRecord } from '../../domain/kyc/kyc.ts';
import type { Needs } from '../../domain/ports.ts';
import { getClient } from '../rows.ts';
import { hasOpenMedAnywhere, isBlockedEverywhere } from './person-blocks.ts';

export const HOLDER_NEEDS = ['kycRecords:read', 'clients:read', 'personBlocks:read', 'clock'] as const;

/** The record is absent, or may be another partner's. The rest is there if the record is the partner's own. */
export type TokenHolder = {
  record?: KycRecord;
  client?: Client;
  /** Whether the person may buy at no partner. */
  isBlocked?: boolean;
  /** Whether a MED of the person is open at any partner. */
  hasOpenMed?: boolean;
};

/** The record of a KYC token, its client, and what all partners together know of the person. */
export async function findHolder(
  { kycToken, partnerId }: { kycToken: string; partnerId: string },
  ports: Needs<typeof HOLDER_NEEDS>,
): Promise<TokenHolder> {
  const record = await ports.kycRecords.findRecord(kycToken);
  if (record?.partnerId !== partnerId) return { record };
  const [client, isBlocked, hasOpenMed] = await Promise.all([
    // The submission that made the token has stored the client.
    getClient(ports.clients, record.clientId),
    isBlockedEverywhere(record.personId, ports),
    hasOpenMedAnywhere(record.personId, ports),
  ]);
  return { record, client, isBlocked, hasOpenMed };
}
