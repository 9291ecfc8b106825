import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { actWorld } from './act-world.ts';
import { aBuyer } from './buyer.ts';
import { aCharge, aReceivedPix, type TestPorts } from './ports.ts';
import { randomCpf } from './sandbox.ts';
import type { Tables } from './tables.ts';

/** A person who is the client of two partners, with a KYC token at each. `correct` notes that a field is wrong. */
export async function correctable() {
  const world = actWorld();
  const cpf = randomCpf();
  const buyer = await aBuyer(world.ports, { cpf });
  const other = await aBuyer(world.ports, { cpf });
  const personId = await personIdOf(cpf, world.ports.lookup);
  const correct = (flags: object = {}, calling: { tables?: Tables; role?: 'operator' } = {}) =>
    world.ops('ana', 'subject correct', { flags: { cpf, field: 'name', ...flags }, ...calling });
  return { ...world, cpf, buyer, other, personId, correct };
}
export type Correctable = Awaited<ReturnType<typeof correctable>>;

/** Pays the charge of a purchase. The provider’s callback follows. */
export async function payFor(id: string, ports: TestPorts): Promise<void> {
  ports.pix.charges.set(id, aCharge({ id }, [aReceivedPix({ id }, { paidAt: ports.clock.now() })]));
  await processCallback({ txids: [id] }, ports);
}
