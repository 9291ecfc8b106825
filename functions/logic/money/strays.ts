import { Unavailable } from '../../domain/errors.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import type { ReceivedPix } from '../../domain/purchase/pix.ts';
import { isRefusedLong } from '../../domain/purchase/refund.ts';
import {
  isChargeTxid,
  isDust,
  isTellable,
  newStray,
  nextAfterFault,
  recordReturn,
  type StrayPix,
} from '../../domain/purchase/stray.ts';
import { isStray, type Transaction } from '../../domain/purchase/transaction.ts';
import { type GivenBack, giveBack } from './give-back.ts';
import { HOLD_NEEDS } from './hold.ts';
import { openStrayLeft } from './money-cases.ts';

export const STRAY_NEEDS = [
  ...(['strays', 'moneyCases', 'transactions:read', 'pix', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;
type Ports = Needs<typeof STRAY_NEEDS>;

const NEXT_LOOK_MINUTES = 2;
/** A purchase that is over may still tell of its refund meanwhile. */
const ROUNDS = 5;

/**
 * Writes down a Pix that is no purchase's payment, and asks for its return once that is done: whatever dies here,
 * `return-strays` goes on. A Pix that an open purchase may still take, or that is its payment, is none.
 */
export async function receiveStray(
  pix: ReceivedPix,
  transaction: Transaction | undefined,
  ports: Ports,
): Promise<void> {
  if (transaction && !isStray(transaction, pix.endToEndId)) return;
  const known = await ports.strays.findStray(pix.endToEndId);
  if (known) return driveStray(known, ports);
  const mayReturn =
    (transaction !== undefined || (await isNobodys(pix, ports))) && !(await isOfLostTime(pix, ports));
  const found = newStray(pix, { transaction, mayReturn }, ports.clock.now());
  if (!mayReturn) await openStrayLeft(found, 0, ports);
  const made = await ports.strays.create(found);
  const { id: endToEndId, reason, amountCentavos } = made.stray;
  // Counted (`infra/logs.ts`), and no alarm: what goes back by itself needs nobody, and anybody may send it.
  if (made.isNew) ports.log.info('stray Pix found', { endToEndId, reason, isDust: isDust(amountCentavos) });
  await driveStray(made.stray, ports);
}

/**
 * Paid to our own key (adapters show no other's), under a txid that is no charge of ours. A charge without its purchase
 * means that we have lost a row, and perhaps settled it: that is a person's to find out.
 */
async function isNobodys({ key, txid, endToEndId }: ReceivedPix, { pix, log }: Ports): Promise<boolean> {
  if (key === undefined) return false;
  if (!isChargeTxid(txid)) return true;
  try {
    if ((await pix.findCharge(txid)) === undefined) return true;
    log.error('charge without its purchase', new Error('a row is lost'), { endToEndId, txid });
    return false;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    // Refused, as for another receiver's charge: that proves nothing, and asking again would not either.
    return false;
  }
}

/** Its purchase's rows may have been lost, or taken back, and the tokens sent: docs/decisions.md, "Tables that were restored". */
async function isOfLostTime({ paidAt }: ReceivedPix, { holds }: Ports): Promise<boolean> {
  if (await holds.findHold()) return true;
  return paidAt <= ((await holds.findReplayedAt()) ?? 0);
}

/** One visit, where it is time for one. What fails is planned again, never thrown: the row is there. */
export async function driveStray(stray: StrayPix, ports: Ports): Promise<void> {
  const { strays, clock, log } = ports;
  const at = instantOf(clock);
  if (stray.nextCheckAt === undefined || at.now < stray.nextCheckAt) return;
  const fields = { endToEndId: stray.id };
  try {
    const made = await giveBack({ stray }, ports);
    if (made.status === 'PENDING' || !(await record(stray, made, ports))) {
      log.info('stray Pix being returned', fields);
      await strays.postpone(stray, { nextCheckAt: at.now + NEXT_LOOK_MINUTES * at.minuteMs });
    }
  } catch (error) {
    if (error instanceof Unavailable) {
      log.info('stray Pix waits for the provider', fields);
      await strays.postpone(stray, { nextCheckAt: at.now + NEXT_LOOK_MINUTES * at.minuteMs });
      return;
    }
    const faults = (stray.faults ?? 0) + 1;
    // Whether the provider did it is not known, so it keeps its id, however often.
    if (isDust(stray.amountCentavos)) log.info('stray Pix not returned', { ...fields, faults });
    else log.error('stray Pix not returned', error, { ...fields, faults });
    await strays.postpone(stray, { nextCheckAt: nextAfterFault(faults, at), faults });
  }
}

/** False where the end cannot be written yet: the purchase that it is told of still moves. */
async function record(stray: StrayPix, made: GivenBack, ports: Ports): Promise<boolean> {
  if (made.status !== 'REFUNDED') return recordRefusal(stray, made, ports);
  for (let round = 0; round < ROUNDS; round++) {
    const { transactionId } = stray;
    const transaction = transactionId ? await ports.transactions.findTransaction(transactionId) : undefined;
    if (!isTellable(transaction)) return false;
    const change = recordReturn(stray, 'REFUNDED', instantOf(ports.clock), transaction)!;
    if (await ports.strays.save(change)) {
      ports.log.info('stray Pix returned', { endToEndId: stray.id, reason: stray.reason });
      return true;
    }
    // A twin has written it, or the purchase has told something else.
    const { refund } = (await ports.strays.findStray(stray.id))!;
    if (refund.status !== 'PENDING' || refund.tries !== stray.refund.tries) return true;
  }
  return false;
}

async function recordRefusal(stray: StrayPix, made: GivenBack, ports: Ports): Promise<boolean> {
  const { strays, clock, log } = ports;
  const outcome = made.status === 'IMPOSSIBLE' ? 'IMPOSSIBLE' : 'FAILED';
  const change = recordReturn(stray, outcome, instantOf(clock))!;
  const { status, tries = 0 } = change.set.refund!;
  if (status === 'FAILED') await openStrayLeft(stray, tries, ports);
  // A twin that saw the same end has told it.
  if (!(await strays.save(change))) return true;
  const why = outcome === 'FAILED' ? (made.refusal ?? 'NAO_REALIZADO') : 'taken back by the provider';
  const fields = { endToEndId: stray.id, tries };
  if (isRefusedLong(tries) && !isDust(stray.amountCentavos))
    log.error('stray Pix not returned', new Error(why), fields);
  else log.info('stray Pix not returned', { ...fields, why });
  return true;
}
