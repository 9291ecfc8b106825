import { clientIdOf } from '../functions/logic/kyc/client-id.ts';
import { personIdOf } from '../functions/logic/kyc/person-blocks.ts';
import type { Desk } from './desk.ts';

/** A person as the tables name them: one id everywhere, and one more at each partner. */
export type DataSubject = { personId: string; clientIds: readonly string[] };

/**
 * The ids of a person. A client's id follows from partner and CPF. The result has one for every partner, even
 * if the partner does not know the person.
 */
export async function readDataSubject(
  cpf: string,
  { register, lookup }: Pick<Desk, 'register' | 'lookup'>,
): Promise<DataSubject> {
  const partners = await register.listPartners();
  const clientIds = partners.map(({ id: partnerId }) => clientIdOf({ partnerId, cpf }, lookup));
  return { personId: await personIdOf(cpf, lookup), clientIds: await Promise.all(clientIds) };
}
