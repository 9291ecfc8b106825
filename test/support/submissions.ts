import { submitKyc } from '../../functions/api/submit-kyc.ts';
import type { DocumentHolder, IdentityReview } from '../../functions/domain/kyc/identity.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { aPartner } from './builders.ts';
import { newId, START_AT, type TestPorts } from './ports.ts';
import { randomCpf } from './sandbox.ts';

type Request = Parameters<typeof submitKyc>[0];
type Answered = Awaited<ReturnType<typeof submitKyc>>;

/** The person whom `stubRegistry` knows, as a document shows them. */
export const HOLDER: DocumentHolder = { name: 'Maria Aparecida Teste', birthDate: '1980-01-01' };

export const aRequest = (changes: Partial<Request> = {}): Request => ({
  cpf: randomCpf(),
  biometricHash: `sha256:${'ab'.repeat(32)}`,
  personType: 'PF',
  ...changes,
});

/** A new partner. Each of its submissions is a new request, never a repetition. */
export function partnerOf(ports: TestPorts, changes: Parameters<typeof aPartner>[0] = {}) {
  const partner = aPartner({ id: newId().toLowerCase(), ...changes });
  const ids = () => reservedIds(newReservation(START_AT, ports.random));
  const submit = (request: Request): Promise<Answered> =>
    submitKyc(request, { partner, keyId: 'key1', ids: ids() }, ports);
  return { partner, submit };
}

export const clientIdOf = ({ lookup }: TestPorts, partnerId: string, cpf: string) =>
  lookup.fingerprint(`${partnerId}:${cpf}`);

/** Sets the identity provider's review of the client. Returns the client's id. */
export async function reviewIs(
  ports: TestPorts,
  { partnerId, cpf }: { partnerId: string; cpf: string },
  status: IdentityReview['status'],
  holder: DocumentHolder | undefined = HOLDER,
): Promise<string> {
  const clientId = await clientIdOf(ports, partnerId, cpf);
  ports.identity.reviews.set(clientId, { applicantId: `applicant-${clientId}`, status, holder });
  return clientId;
}
