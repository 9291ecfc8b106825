import type { PersonType } from '../../domain/kyc/kyc.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { refuseLookUps } from '../../domain/partners/registry-quota.ts';
import type { Needs } from '../../domain/ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';

export const QUOTA_NEEDS = ['registryQuotas', 'registryQuota', 'clock'] as const;

/**
 * Counts the look-ups of a submission before they are made. A repetition after a crash counts again, because it asks
 * the registries again.
 */
export async function requireQuota(
  { personType, cnpj }: { personType: PersonType; cnpj?: string },
  partner: Partner,
  { registryQuotas, registryQuota, clock }: Needs<typeof QUOTA_NEEDS>,
): Promise<void> {
  const now = clock.now();
  const day = dayInBrasilia(now);
  const maximum = partner.registryQuota?.perDay ?? registryQuota;
  const count = personType === 'PJ' && cnpj !== undefined ? 2 : 1;
  const counted = await registryQuotas.count({ partnerId: partner.id, day, count }, maximum);
  if (counted !== 'COUNTED') refuseLookUps({ day, maximum, ...counted }, now);
}
