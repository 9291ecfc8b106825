import type { Client } from '../../domain/kyc/client.ts';
import type { KycRecord } from '../../domain/kyc/kyc.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Needs } from '../../domain/ports.ts';
import { getClient } from '../rows.ts';
import { hasOpenMedAnywhere, isBlockedEverywhere } from './person-blocks.ts';

export const HOLDER_NEEDS = ['kycRecords:read', 'clients:read', 'personBlocks:read', 'clock'] as const;

/**
 * The facts about the holder of a KYC token. `record` may belong to another partner, and is absent if no
 * record has the token. The other fields are present only if the record belongs to the asking partner.
 */
export type TokenHolder = {
  record?: KycRecord;
  client?: Client;
  isBlocked?: boolean;
  /** Whether a MED case of the person is open at any partner. It opens when a bank takes back a Pix. */
  hasOpenMed?: boolean;
};

/**
 * Finds the record of a KYC token, its client, and what all partners together know about the person. Until `partner` is
 * proven, it reads the record alone.
 */
export async function findHolder(
  { kycToken, partner }: { kycToken: string; partner: Partner | Promise<Partner> },
  ports: Needs<typeof HOLDER_NEEDS>,
): Promise<TokenHolder> {
  const record = await ports.kycRecords.findRecord(kycToken);
  if (record?.partnerId !== (await partner).id) return { record };
  const [client, isBlocked, hasOpenMed] = await Promise.all([
    // This client always exists, because the submission that made the token has stored it.
    getClient(ports.clients, record.clientId),
    isBlockedEverywhere(record.personId, ports),
    hasOpenMedAnywhere(record.personId, ports),
  ]);
  return { record, client, isBlocked, hasOpenMed };
}
