import type { PersonBlock } from '../../functions/domain/kyc/person-block.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import type { TestPorts } from './ports.ts';

type Active = Extract<PersonBlock, { state: 'ACTIVE' }>;

/** A block that a person has decided, of this CPF. */
export async function aBlock(
  { lookup, clock }: Pick<TestPorts, 'lookup' | 'clock'>,
  cpf: string,
  changes: Partial<Active> = {},
): Promise<Active> {
  const id = await personIdOf(cpf, lookup);
  return {
    id,
    state: 'ACTIVE',
    by: 'ana',
    at: clock.now(),
    reason: 'opened with a stolen document',
    ...changes,
  };
}
