import { describe, expect, test } from 'vitest';
import { openSettlement } from '../../functions/domain/treasury/settlement.ts';
import { type Acts, describeActs, proposedWorld, type World } from '../support/acts-each.ts';
import { newId } from '../support/ports.ts';
import { treasuryDesk, WALLET } from '../support/treasury-desk.ts';

const HELD = { by: 'bia', at: 1, reason: 'a stolen key' };
const TO = `0x${'bb'.repeat(20)}`;

async function aQuarantine({ tables }: World) {
  const { book, wallets } = treasuryDesk(tables);
  await book.openWallet(WALLET.address, WALLET.next);
  const [wallet] = await wallets.listWallets();
  await wallets.quarantine(wallet!, { reason: 'OPERATOR', at: 1, by: 'bia', why: 'a stolen key' });
  const state = async () => (await book.findWallets([WALLET.address])).get(WALLET.address);
  return { words: `treasury release ${WALLET.address}`, state };
}

async function anAllowance({ tables }: World) {
  const { payouts } = treasuryDesk(tables);
  const state = async () => (await payouts.findWindows()).USDC.allowance;
  return { words: 'treasury allow', flags: { asset: 'USDC', amount: '5000' }, state };
}

const ACTS: Acts = {
  async 'treasury cancel'({ tables }) {
    const { book } = treasuryDesk(tables);
    const transactionId = newId();
    const payout = { transactionId, asset: 'USDC', units: 5n, to: TO } as const;
    await book.open(openSettlement(payout, 0));
    return { words: `treasury cancel ${transactionId}`, state: () => book.find(transactionId) };
  },
  'treasury release': aQuarantine,
  async 'treasury release --all'({ tables }) {
    const { holds } = treasuryDesk(tables);
    await holds.hold(HELD);
    return { words: 'treasury release', flags: { all: true }, state: () => holds.findMarks() };
  },
  'treasury allow': anAllowance,
};

describeActs(ACTS);

const HOUR_MS = 60 * 60_000;

describe('an allowance that was approved an hour ago', () => {
  test.each([false, true])(
    'is not given twice, if its run died after the effect of a call: %s',
    async (isAfter) => {
      for (let call = 1; call < 60; call++) {
        const { approve, kinds, state, ports } = await proposedWorld(anAllowance);
        const died = await approve({ call, isAfter });
        if (!(died instanceof Error)) return expect(call).toBeGreaterThan(8);
        const made = await state();
        const isApproved = (await kinds()).includes('APPROVED');
        ports.clock.advance(HOUR_MS);

        await approve();

        if (isApproved) expect(await state()).toEqual(made);
        expect((await kinds()).at(-1)).toBe(isApproved && !made ? 'STALE' : 'DONE');
      }
      throw new Error('more calls than an approval may make');
    },
  );
});
