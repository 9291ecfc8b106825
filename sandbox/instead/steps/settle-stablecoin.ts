import { Unavailable } from '../../../functions/domain/errors.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import type { Treasury } from '../../../functions/domain/treasury/settlement-ports.ts';
import { type Checked, step } from '../../../functions/entry/step.ts';
import { needs as ports, settleStablecoin } from '../../../functions/steps/settle-stablecoin.ts';
import { takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;

/**
 * Runs the product's step. No node of the chain answers if the partner requested the event `CHAIN_OUTAGE`.
 */
async function settleScenario(input: Checked, ports: Ports) {
  const isDown = takeEvent('CHAIN_OUTAGE', input.transactionId);
  // `isDown` may reject before the product uses it. Without this handler that rejection would end the
  // process.
  isDown.catch(() => undefined);
  return settleStablecoin(input, { ...ports, treasury: treasuryOf(ports.treasury, isDown) });
}

const treasuryOf = (treasury: Treasury, isDown: Promise<boolean>): Treasury => ({
  ...treasury,
  async settle(payout, early) {
    if (await isDown) throw new Unavailable('the chain');
    return treasury.settle(payout, early);
  },
});

export const handler = step({ needs: ports }, settleScenario);
