import { Unavailable } from '../../domain/errors.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Partners } from '../../domain/partners/partner-ports.ts';
import { getPartner } from '../rows.ts';

/** The most attempts if other changes of the row come between. */
const ROUNDS = 5;

/**
 * Reads the partner, sets the fields that `change` returns, and saves. Repeats that if another change came between.
 * Throws what `change` throws, and `Unavailable` if other changes come between again and again.
 */
export async function changePartner<Set extends Partial<Omit<Partner, 'id' | 'version'>>>(
  partnerId: string,
  change: (partner: Partner) => Set,
  partners: Pick<Partners, 'findPartner' | 'save'>,
): Promise<Set> {
  for (let round = 0; round < ROUNDS; round++) {
    const partner = await getPartner(partners, partnerId);
    const set = change(partner);
    if (await partners.save(partner, set)) return set;
  }
  throw new Unavailable('the partner’s row');
}
