import { Unavailable } from '../../domain/errors.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Partners } from '../../domain/partners/partner-ports.ts';
import { getPartner } from '../rows.ts';

/** The most tries to write the partner's row while other requests change it. */
const ROUNDS = 5;

/**
 * Reads the partner, sets the fields that `change` returns, and saves the row. If the row has changed meanwhile, it
 * starts again. Throws `Unavailable` if that happens too often. Errors of `change` are thrown.
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
