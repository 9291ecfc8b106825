/**
 * Outages that a partner requests for its own purchases. An outage is made here if the simulated provider
 * cannot tell for which purchase it is called.
 */
import { begun } from '../../functions/domain/begun.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { WalletRisk } from '../../functions/domain/screening/wallet-ports.ts';
import type { TriggerName } from '../providers/triggers.ts';
import { askSimulators } from '../simulators.ts';

/**
 * The partner's events, of the given ones, that wait for this purchase or client. Each answer uses up one of an
 * event's `times` in `../providers/triggers.ts`.
 */
export async function takeEvents(
  events: readonly TriggerName[],
  subject: string,
): Promise<ReadonlySet<TriggerName>> {
  const { body } = await askSimulators('/triggers/take', { subject, events });
  return new Set((body as { taken: TriggerName[] }).taken);
}

/** True if the partner's event waits for this purchase or client. */
export const takeEvent = async (event: TriggerName, subject: string): Promise<boolean> =>
  (await takeEvents([event], subject)).has(event);

/**
 * The screening of wallets. It throws `Unavailable` if `isDown` is true. It does not wait for `isDown` before it asks,
 * so that the sandbox makes as many calls in a row as the product.
 */
export function screeningOf(walletRisk: WalletRisk, isDown: boolean | Promise<boolean>): WalletRisk {
  return {
    ...walletRisk,
    async check(...asked) {
      const checked = begun(walletRisk.check(...asked));
      if (await isDown) throw new Unavailable('the screening of wallets');
      return checked;
    },
  };
}
