import { Unavailable } from '../../domain/errors.ts';
import { instantOf, type Log, type Needs } from '../../domain/ports.ts';
import type { PixRefund } from '../../domain/purchase/pix.ts';
import {
  getReturn,
  isTakenAlready,
  type Origin,
  returnIdOf,
  returnIdsOf,
} from '../../domain/purchase/return.ts';
import {
  isRefusedLong,
  type MadeReturn,
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

/**
 * The result of writing the end of a try. `MOVED`: another visit has already written an end. `LATER`: the end cannot be
 * written yet.
 */
export type Saved = 'SAVED' | 'MOVED' | 'LATER';

/**
 * Makes one visit to a return whose row exists. It asks the provider for the return under the id of the present try,
 * and `save` writes how the try ended. `made` names a return that was made. `WAITS`: the try has not ended, or its end
 * is not written yet. If the provider does not answer, or refuses for a reason that may pass, the error is thrown.
 */
export async function driveReturn(
  origin: Origin,
  save: (end: TryEnd, made?: MadeReturn) => Promise<Saved>,
  ports: Ports,
): Promise<'ENDED' | 'WAITS'> {
  const attempt = await attemptReturn(origin, ports);
  const { status: end, made } = attempt;
  if (end === 'PENDING') return 'WAITS';
  const state = stateAfter(getReturn(origin), end, instantOf(ports.clock));
  // The case opens before the row becomes `FAILED`. If the function dies between the two writes, a person still has the
  // case.
  if (state.status === 'FAILED') await openReturnFailed(origin, state.tries ?? 0, ports);
  const saved = await save(end, made);
  if (saved === 'SAVED') ports.log.measure('Refunds', 1, { status: end });
  if (saved === 'SAVED' && end !== 'REFUNDED') reportRefusal(origin, state, attempt, ports.log);
  return saved === 'LATER' ? 'WAITS' : 'ENDED';
}

type ReturnAttempt = { status: PixRefund['status'] | 'IMPOSSIBLE'; refusal?: string; made?: MadeReturn };

/**
 * Requests the return. It first reads each earlier try by its id, because the provider may later show a
 * failed try as made. `IMPOSSIBLE`: the provider itself has taken back money, and less than the return's
 * amount is left. The records "Paid, then failed" and "MED refunds" in docs/decisions.md give the
 * reasons.
 */
async function attemptReturn(origin: Origin, ports: Ports): Promise<ReturnAttempt> {
  const { pix } = ports;
  await requireNotHeld(ports);
  const wanted = getReturn(origin);
  const { endToEndId, amountCentavos } = wanted;
  for (const id of returnIdsOf(wanted).slice(0, -1)) {
    const former = await pix.findRefund({ endToEndId, id, amountCentavos });
    if (former && former.status !== 'FAILED') return attemptOf(former, id);
  }
  // True if the provider itself has taken back so much of the payment that our return is no longer possible.
  // False also if the provider cannot show the payment now. The next refused try then checks again.
  const isGone = async () => {
    const received = await pix.findReceived(endToEndId).catch(() => undefined);
    return received !== undefined && isTakenAlready(origin, received);
  };
  try {
    const id = returnIdOf(wanted);
    const answer = await pix.refund({ endToEndId, id, amountCentavos });
    if (answer.status === 'FAILED' && (await isGone())) return { ...answer, status: 'IMPOSSIBLE' };
    return attemptOf(answer, id);
  } catch (error) {
    if (error instanceof Unavailable || !(await isGone())) throw error;
    return { status: 'IMPOSSIBLE' };
  }
}

function attemptOf(refund: PixRefund, returnId: string): ReturnAttempt {
  if (refund.status !== 'REFUNDED') return refund;
  const { status, rtrId } = refund;
  return { status, made: { returnId, ...(rtrId && { rtrId }) } };
}

/**
 * Logs a refused return. After several refused tries it raises an alarm. An unmatched payment of dust, a tiny
 * amount, raises none. The operators' documents name these messages.
 */
function reportRefusal(origin: Origin, { tries = 0 }: ReturnState, attempt: ReturnAttempt, log: Log): void {
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
