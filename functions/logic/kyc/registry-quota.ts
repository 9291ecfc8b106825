import { Unavailable } from '../../domain/errors.ts';
import type { PersonType } from '../../domain/kyc/kyc.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import {
  hasPlentyOfLookUps,
  mostForSubmissions,
  refuseLookUps,
} from '../../domain/partners/registry-quota.ts';
import type { Needs, Ports } from '../../domain/ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';

export const QUOTA_NEEDS = ['registryQuotas', 'registryQuota', 'clock'] as const;
type QuotaPorts = Needs<typeof QUOTA_NEEDS>;

const perDayOf = (partner: Partner | undefined, { registryQuota }: QuotaPorts) =>
  partner?.registryQuota?.perDay ?? registryQuota;

/** Whether the partner has many look-ups left today. */
export async function findPlenty(partner: Partner, ports: QuotaPorts): Promise<boolean> {
  const used = await ports.registryQuotas.findUsed(partner.id, dayInBrasilia(ports.clock.now()));
  return hasPlentyOfLookUps(perDayOf(partner, ports), used);
}

/**
 * Counts the look-ups of a submission in the CPF and CNPJ registries. Refuses the submission if too few
 * of today's look-ups for submissions are left (`mostForSubmissions`). A submission that is repeated after a crash is
 * counted again, because it asks the registries again.
 */
export async function requireQuota(
  { personType, cnpj }: { personType: PersonType; cnpj?: string },
  partner: Partner,
  ports: QuotaPorts,
): Promise<void> {
  const now = ports.clock.now();
  const day = dayInBrasilia(now);
  const maximum = mostForSubmissions(perDayOf(partner, ports));
  const count = personType === 'PJ' && cnpj !== undefined ? 2 : 1;
  const counted = await ports.registryQuotas.count({ partnerId: partner.id, day, count }, maximum);
  if (counted !== 'COUNTED') refuseLookUps({ day, maximum, ...counted }, now);
}

export const OWED_NEEDS = [...QUOTA_NEEDS, 'partners:read'] as const;
type OwedPorts = Needs<typeof OWED_NEEDS>;
type Registries = Pick<Ports, 'cpfRegistry' | 'companyRegistry'>;

/**
 * The registries for look-ups that the service makes by itself after a submission. Each look-up counts in the
 * partner's quota.
 */
export function countedRegistries(partnerId: string, ports: OwedPorts & Registries): Registries {
  const { cpfRegistry, companyRegistry } = ports;
  return {
    cpfRegistry: { findCpf: (cpf) => owedLookUp(partnerId, () => cpfRegistry.findCpf(cpf), ports) },
    companyRegistry: {
      findCnpj: (cnpj) => owedLookUp(partnerId, () => companyRegistry.findCnpj(cnpj), ports),
    },
  };
}

/**
 * Counts and makes a look-up that the service makes by itself after a submission. If the quota is used up, it
 * throws `Unavailable`, so the client waits as in an outage. A look-up without an answer is not counted,
 * because the service asks a silent registry many times.
 */
export async function owedLookUp<Answer>(
  partnerId: string,
  ask: () => Promise<Answer>,
  ports: OwedPorts,
): Promise<Answer> {
  const lookUp = { partnerId, day: dayInBrasilia(ports.clock.now()), count: 1 };
  const maximum = perDayOf(await ports.partners.findPartner(partnerId), ports);
  const counted = await ports.registryQuotas.count(lookUp, maximum);
  if (counted !== 'COUNTED') throw new Unavailable('the quota of paid look-ups');
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unavailable) await ports.registryQuotas.giveBack(lookUp);
    throw error;
  }
}
