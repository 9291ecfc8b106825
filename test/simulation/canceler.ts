import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import { diceOf } from './dice.ts';
import { type Bought, request, type Shop } from './shop.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

/** `CANCELED` is a share of all purchases. The other two are shares of the canceled ones. */
const CANCELED = 0.2;
const SOON = 0.5;
const TWICE = 0.4;

/** Cancels some purchases once or twice, at a random moment and whatever else happens to the purchase. */
export function cancelSometimes(bought: Bought, shop: Shop): void {
  const { scope } = bought.plan;
  const dice = diceOf(shop.seed, scope, 'cancel');
  if (!dice.isBelow(CANCELED)) return;
  // A cancel within 90 seconds meets the code and the charge. A later cancel meets the payment and the time-outs.
  const afterMs = dice.within(0, dice.isBelow(SOON) ? 90 * SECOND_MS : 35 * MINUTE_MS);
  const times = dice.isBelow(TWICE) ? 2 : 1;
  for (let time = 1; time <= times; time++) {
    const waitMs = afterMs + (time - 1) * dice.within(0, 3 * SECOND_MS);
    shop.kernel.act(`cancel ${scope} ${time}`, scope, async () => {
      await shop.kernel.wait(waitMs);
      await cancel(`CancelTransaction ${time}`, bought, shop);
    });
  }
}

/** Cancels while the charge is made: the two requests meet at each of their writes. */
export function cancelDuringCharge(bought: Bought, shop: Shop): void {
  const { scope } = bought.plan;
  const now = shop.kernel.now();
  const waitMs = diceOf(shop.seed, scope, 'cancel during', now).within(0, SECOND_MS);
  shop.kernel.act(`cancel ${scope} at its charge`, scope, async () => {
    await shop.kernel.wait(waitMs);
    await cancel(`CancelTransaction ${now}`, bought, shop);
  });
}

/**
 * Cancels with a key until the service answers. The answer is kept, because the invariants compare it with the end.
 */
async function cancel(name: string, bought: Bought, shop: Shop): Promise<void> {
  const { transactionId: id = '' } = bought;
  bought.cancel ??= {};
  const answer = await request(name, bought, shop, (ports, ids) =>
    cancelTransaction({ id }, { partner: shop.partnerOf(bought.plan), ids }, ports).catch(
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'TRANSACTION_NOT_CANCELABLE')
          bought.cancel = { ...bought.cancel, isRefused: true };
        throw error;
      },
    ),
  );
  if (answer) bought.cancel = { ...bought.cancel, isConfirmed: true };
}
