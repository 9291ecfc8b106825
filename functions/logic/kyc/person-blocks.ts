import { isBlockInForce, type PersonBlock } from '../../domain/kyc/person-block.ts';
import type { Lookup, Needs } from '../../domain/ports.ts';

/** The id of a person, which is the same at all partners. No partner ever gets it. */
export function personIdOf(cpf: string, lookup: Lookup): Promise<string> {
  return lookup.fingerprint(`person ${cpf}`);
}

const BLOCK_NEEDS = ['personBlocks:read', 'clock'] as const;
type Ports = Needs<typeof BLOCK_NEEDS>;

/**
 * The block that forbids this person to buy at any partner now. Undefined if no block is in force.
 */
export async function findBlockInForce(
  personId: string,
  { personBlocks, clock }: Ports,
): Promise<PersonBlock | undefined> {
  const block = await personBlocks.findBlock(personId);
  return isBlockInForce(block, clock.now()) ? block : undefined;
}

export async function isBlockedEverywhere(personId: string, ports: Ports): Promise<boolean> {
  return (await findBlockInForce(personId, ports)) !== undefined;
}

/**
 * Whether the person has an open MED case at any partner. A MED case opens when a bank takes back a Pix
 * payment.
 */
export async function hasOpenMedAnywhere(
  personId: string,
  { personBlocks }: Needs<readonly ['personBlocks:read']>,
): Promise<boolean> {
  return (await personBlocks.listOpenMeds(personId)).length > 0;
}
