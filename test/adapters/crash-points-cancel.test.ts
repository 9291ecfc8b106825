import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fate } from '../support/crash-edge.ts';
import {
  expectRefundedOnce,
  expectSettledOnce,
  failing,
  recover,
  settling,
} from '../support/crash-recovery.ts';
import { type CrashWorld, type Given, openCrashWorld, PATIENT } from '../support/crash-world.ts';

const SETTLE = 'steps/settle-stablecoin';
const FAIL = 'steps/fail-transaction';
const REFUSED = 'WALLET_RISK_TOO_HIGH';
const NOTED: Fate = { when: 'after', at: 'settlement BROADCAST' };
const WISHED: Fate = { when: 'after', at: 'settlements Update' };

let world: CrashWorld;
let given: Given;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(async () => {
  await given.world.chain.stopMining();
  await given.stop();
});
afterAll(() => world.stop());

/** The payment is on its way when its wallet is refused, and this process requests the cancel. */
async function sendAndRefuse(fate: Fate): Promise<void> {
  given = await world.begin('PROCESSING');
  await given.kill(NOTED, SETTLE, settling(given));
  await given.kill(fate, FAIL, failing(given, REFUSED));
}

describe('a cancel before the refund', PATIENT, () => {
  test.each<[string, Fate]>([
    ['before the wish is written', { when: 'before', at: 'settlements Update' }],
    ['as the wish is answered', WISHED],
  ])('is made after a process died %s: one refund, and nothing is paid', async (_, fate) => {
    await sendAndRefuse(fate);

    await recover(given, REFUSED);

    await expectRefundedOnce(given, { nonces: 1 });
    expect(await given.find()).toMatchObject({ failure: { reason: REFUSED } });
  });

  test.each<[string, Fate]>([
    ['signed, not stored', { when: 'before', at: 'settlement SIGNED' }],
    ['stored, not sent', { when: 'after', at: 'settlement SIGNED' }],
    ['sent, its answer lost', { when: 'after', at: 'node eth_sendRawTransaction' }],
    ['final, before that is written', { when: 'before', at: 'settlement try 1 failed' }],
    ['final, as that is answered', { when: 'after', at: 'settlement try 1 failed' }],
  ])('is completed if it was %s when its process died', async (_, fate) => {
    await sendAndRefuse(WISHED);
    if (fate.at === 'settlement try 1 failed') {
      await given.kill({ when: 'after', at: 'node eth_sendRawTransaction' }, SETTLE, settling(given));
      await given.world.chain.mine(4);
    }
    await given.kill(fate, SETTLE, settling(given));

    await recover(given, REFUSED);

    await expectRefundedOnce(given, { nonces: 1 });
  });

  test('refunds nothing if it comes too late: the payment was mined, and the purchase is completed', async () => {
    await sendAndRefuse(WISHED);
    await given.world.chain.mine(4);

    await recover(given, REFUSED);

    await expectSettledOnce(given);
  });
});
