import type { OperationEvidence } from '../functions/domain/purchase/evidence.ts';
import { newReservation, reservedIds } from '../functions/logic/ids.ts';
import type { Disclosure, Order, Plan } from './command.ts';
import type { Desk } from './desk.ts';
import type { Shown } from './shown.ts';

type RecordedOrder = { name: string; outcome: Plan | Disclosure; order: Order };

/**
 * Writes the evidence first, so that nothing is changed or shown without it. If the change fails, that is recorded too.
 */
export async function recorded({ name, outcome, order }: RecordedOrder, desk: Desk): Promise<Shown> {
  const { clock, random, evidence } = desk;
  const at = clock.now();
  const reason = order.reason || undefined;
  const record: OperationEvidence = {
    subject: `${outcome.subject}#${reservedIds(newReservation(at, random)).request()}`,
    clientId: outcome.clientId,
    kind: 'operation',
    at,
    decidedBy: order.by,
    inputs: { command: name, ...outcome.facts },
    findings: {},
    decision: { reason, outcome: 'ORDERED' },
  };
  await evidence.record(record);
  try {
    return await outcome.perform(order);
  } catch (error) {
    const decision = { reason, outcome: 'FAILED', error: (error as Error).name } as const;
    await evidence.record({ ...record, at: Math.max(at + 1, clock.now()), decision });
    throw error;
  }
}
