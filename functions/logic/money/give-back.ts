import { askedOf, type Origin } from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { PixRefund } from '../../domain/purchase/pix.ts';
import { HOLD_NEEDS, requireNotHeld } from './hold.ts';
import { isTakenAlready } from './taken-back.ts';

const NEEDS = ['pix', ...HOLD_NEEDS] as const;

export type GivenBack = { status: PixRefund['status'] | 'IMPOSSIBLE'; refusal?: string };

/**
 * One visit to the return that a row has asked for: docs/decisions.md, "Refunds that end as not done". Before the present
 * id is used each former one is read again, for what was refused may have been there all the same, and shown late.
 * `IMPOSSIBLE` is what the bank has taken back meanwhile: docs/decisions.md, "MED refunds".
 */
export async function giveBack(origin: Origin, ports: Needs<typeof NEEDS>): Promise<GivenBack> {
  const { pix } = ports;
  await requireNotHeld(ports);
  const { endToEndId, ids, last, amountCentavos } = askedOf(origin)!;
  const wanted = { endToEndId, id: last, amountCentavos };
  for (const id of ids.slice(0, -1)) {
    const former = await pix.findRefund({ ...wanted, id });
    if (former && former.status !== 'FAILED') return former;
  }
  // What cannot be read now is read at the next refusal.
  const isGone = () => isTakenAlready(origin, wanted, { pix }).catch(() => false);
  try {
    const made = await pix.refund(wanted);
    return made.status === 'FAILED' && (await isGone()) ? { ...made, status: 'IMPOSSIBLE' } : made;
  } catch (error) {
    if (error instanceof Unavailable || !(await isGone())) throw error;
    return { status: 'IMPOSSIBLE' };
  }
}
