import { Unavailable } from '../../domain/errors.ts';
import { instantOf, type Log, type Needs } from '../../domain/ports.ts';
import type { PixRefund } from '../../domain/purchase/pix.ts';
import { getReturn, idOf, idsOf, isTakenAlready, type Origin } from '../../domain/purchase/return.ts';
import {
  isRefusedLong,
  type ReturnState,
  stateAfter,
  type TryEnd,
} from '../../domain/purchase/return-state.ts';
import { isDust } from '../../domain/purchase/unmatched-payment.ts';
import { CONDITIONS } from '../../domain/watching/conditions.ts';
import { HOLD_NEEDS, requireNotHeld } from './hold.ts';
import { openReturnFailed } from './money-cases.ts';

export const RETURN_NEEDS = ['moneyCases', 'pix', 'clock', 'log', ...HOLD_NEEDS] as const;
type Ports = Needs<typeof RETURN_NEEDS>;

/** `MOVED`: another visit has written an end. `LATER`: the end cannot be written yet. */
export type Saved = 'SAVED' | 'MOVED' | 'LATER';

/**
 * One visit to a return whose row is written: asks the provider under the id of the present try, and writes how
 * that try ended. `save` writes it to the row. `WAITS`: the try has not ended, or its end is not written yet. A
 * provider that does not answer, or that refuses in a way that may pass, is thrown.
 */
export async function driveReturn(
  origin: Origin,
  save: (end: TryEnd) => Promise<Saved>,
  ports: Ports,
): Promise<'ENDED' | 'WAITS'> {
  const attempt = await attemptReturn(origin, ports);
  const { status: end } = attempt;
  if (end === 'PENDING') return 'WAITS';
  const state = stateAfter(getReturn(origin), end, instantOf(ports.clock));
  // Before the row says that nothing tries it any more, so that a crash in between leaves nobody without a case.
  if (state.status === 'FAILED') await openReturnFailed(origin, state.tries ?? 0, ports);
  const saved = await save(end);
  if (saved === 'SAVED') ports.log.measure('Refunds', 1, { status: end });
  if (saved === 'SAVED' && end !== 'REFUNDED') reportRefusal(origin, state, attempt, ports.log);
  return saved === 'LATER' ? 'WAITS' : 'ENDED';
}

type Attempt = { status: PixRefund['status'] | 'IMPOSSIBLE'; refusal?: string };

/**
 * Each former id is read before the present one is used: a try that was recorded as ended may be shown as made later.
 * `IMPOSSIBLE`: the provider has itself taken back so much that the rest is too small. docs/decisions.md, "Refunds
 * that end as not done" and "MED refunds".
 */
async function attemptReturn(origin: Origin, ports: Ports): Promise<Attempt> {
  const { pix } = ports;
  await requireNotHeld(ports);
  const wanted = getReturn(origin);
  const { endToEndId, amountCentavos } = wanted;
  for (const id of idsOf(wanted).slice(0, -1)) {
    const former = await pix.findRefund({ endToEndId, id, amountCentavos });
    if (former && former.status !== 'FAILED') return former;
  }
  // If the payment cannot be read now, the next refusal reads it again.
  const isGone = async () => {
    const received = await pix.findReceived(endToEndId).catch(() => undefined);
    return received !== undefined && isTakenAlready(origin, received);
  };
  try {
    const made = await pix.refund({ endToEndId, id: idOf(wanted), amountCentavos });
    return made.status === 'FAILED' && (await isGone()) ? { ...made, status: 'IMPOSSIBLE' } : made;
  } catch (error) {
    if (error instanceof Unavailable || !(await isGone())) throw error;
    return { status: 'IMPOSSIBLE' };
  }
}

/** The operators' documents name these messages. Dust raises no alarm, unless it is what is left of a refund. */
function reportRefusal(origin: Origin, { tries = 0 }: ReturnState, attempt: Attempt, log: Log): void {
  const why =
    attempt.status === 'FAILED' ? (attempt.refusal ?? 'NAO_REALIZADO') : 'taken back by the provider';
  const isRefund = origin.kind === 'PURCHASE';
  const condition = isRefund ? 'RefundRefused' : 'ReturnRefused';
  const id: Record<string, string> = isRefund
    ? { transactionId: origin.transaction.id }
    : { endToEndId: origin.payment.id };
  const isQuiet = !isRefund && isDust(origin.payment.amountCentavos);
  if (isRefusedLong(tries) && !isQuiet) log.raise(condition, new Error(why), { ...id, tries });
  else log.info(CONDITIONS[condition], { ...id, tries, why });
}
