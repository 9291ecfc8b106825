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
 * True if the partner's event waits for this purchase or client. Each true answer uses up one of the event's
 * `times` in `../providers/triggers.ts`.
 */
export async function takeEvent(event: TriggerName, subject: string): Promise<boolean> {
  const { body } = await askSimulators(`/triggers/${event}/take`, { subject });
  return (body as { isTaken: boolean }).isTaken;
}

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
