import type { Vault } from '../domain/ports.ts';

/** A partner's client by the CPF, which is not stored in a form that can be searched. */
export function clientIdOf(
  { partnerId, cpf }: { partnerId: string; cpf: string },
  vault: Pick<Vault, 'fingerprint'>,
): Promise<string> {
  return vault.fingerprint(`${partnerId}:${cpf}`);
}
