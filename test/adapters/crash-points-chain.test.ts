import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, say } from '../../sandbox/chain/node-words.ts';
import type { Fate } from '../support/crash-edge.ts';
import { expectSettledOnce, recover, settling } from '../support/crash-recovery.ts';
import { type CrashWorld, type Given, openCrashWorld, PATIENT } from '../support/crash-world.ts';

const SETTLE = 'steps/settle-stablecoin';
const SENT: Fate = { when: 'after', at: 'node eth_sendRawTransaction' };
const NOTED: Fate = { when: 'after', at: 'settlement BROADCAST' };

let world: CrashWorld;
let given: Given;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(async () => {
  given.world.node.heal();
  await given.world.chain.stopMining();
  await given.stop();
});
afterAll(() => world.stop());

type Stored = {
  wallet?: string;
  nonce?: number;
  tries: string[];
  attempts: { hash: string; raw: string }[];
  txHash?: string;
};
const settlement = async () => (await given.settlement()) as Stored;

const POOL_FULL = { code: -32000, message: 'txpool is full' };
const refusals = [
  ['too little gas money', say('insufficientFunds', 'geth')],
  ['too low a fee', say('replacementUnderpriced', 'nethermind' satisfies Client)],
  ['its pool being full', POOL_FULL],
] as const;

describe('crash point 9: the node refused', PATIENT, () => {
  test.each(refusals)(
    'for %s: the nonce is kept, and a process after the crash sends again',
    async (_, error) => {
      given = await world.begin('PROCESSING');
      given.world.node.faults.refuseSends = error;
      await given.kill(SENT, SETTLE, settling(given));
      const { attempts } = await settlement();
      given.world.node.heal();

      await recover(given);

      await expectSettledOnce(given);
      expect((await settlement()).attempts).toEqual(attempts);
    },
  );
});

test('crash point 10: the pool evicted it, and the same bytes are sent again', PATIENT, async () => {
  given = await world.begin('PROCESSING');
  await given.kill(NOTED, SETTLE, settling(given));
  const { attempts } = await settlement();
  await given.world.chain.node('anvil_dropTransaction', [attempts[0]!.hash]);
  await given.world.chain.mine(2);

  await recover(given);

  await expectSettledOnce(given);
  expect(await settlement()).toMatchObject({ attempts, txHash: attempts[0]!.hash });
});

describe('crash point 11: mined, and the process died', PATIENT, () => {
  test.each<[string, Fate]>([
    ['before the send was noted', { when: 'before', at: 'settlement BROADCAST' }],
    ['before it was recorded', { when: 'before', at: 'settlement CONFIRMED' }],
    ['as the record was answered', { when: 'after', at: 'settlement CONFIRMED' }],
  ])('%s: the transfer is found by its stored hash', async (_, fate) => {
    given = await world.begin('PROCESSING');
    given.world.chain.startMining();
    await given.kill(fate, SETTLE, settling(given));
    const { attempts } = await settlement();

    await recover(given);

    await expectSettledOnce(given);
    expect(await settlement()).toMatchObject({ attempts, txHash: attempts[0]!.hash });
  });

  test.each(['before', 'after'] as const)(
    '%s the purchase is COMPLETED: it is announced once',
    async (when) => {
      given = await world.begin('PROCESSING');
      given.world.chain.startMining();
      const doomed = await given.process({ when, at: 'purchase COMPLETED' });
      const { result } = await doomed.run(SETTLE, settling(given));
      const { txHash } = result as { txHash: string };
      const death = doomed.die('steps/complete-transaction', { transactionId: given.id, txHash });
      expect(await death).toBe('SIGKILL');

      if (when === 'before') await recover(given);

      await expectSettledOnce(given);
    },
  );
});

describe('crash point 12: a provider lags', PATIENT, () => {
  test.each([
    ['shows no receipt', { nullReceipts: true }],
    ['answers nothing when it is asked for one', { dropAnswers: ['eth_getTransactionReceipt'] }],
    ['is blocks behind', { staleBlocks: 30 }],
  ])('and %s: no process takes another nonce, and all wait for it', async (_, faults) => {
    given = await world.begin('PROCESSING', { nodes: ['node', 'honest'] });
    await given.kill({ when: 'before', at: 'node eth_getTransactionReceipt' }, SETTLE, settling(given));
    Object.assign(given.world.node.faults, faults);
    await given.world.chain.mine(4);
    const { attempts } = await settlement();

    const second = await given.process({ when: 'before', at: 'node eth_getTransactionReceipt', nth: 5 });
    expect(await second.die(SETTLE, settling(given))).toBe('SIGKILL');
    expect(await settlement()).toMatchObject({ nonce: 0, attempts, tries: [] });
    given.world.node.heal();
    await recover(given);

    await expectSettledOnce(given);
    expect((await settlement()).attempts).toEqual(attempts);
  });
});

test(
  'crash point 13: a reorganisation removes the transfer, and the same bytes are sent again',
  PATIENT,
  async () => {
    given = await world.begin('PROCESSING', { confirmations: 3 });
    const { chain } = given.world;
    await given.kill(NOTED, SETTLE, settling(given));
    await chain.mine();
    await given.kill({ when: 'after', at: 'node eth_getTransactionReceipt' }, SETTLE, settling(given));
    const { attempts } = await settlement();
    expect(await chain.countTransfers(given.treasury, given.purchase.walletAddress)).toBe(1);
    await chain.node('anvil_reorg', [1, []]);
    expect(await chain.countTransfers(given.treasury, given.purchase.walletAddress)).toBe(0);

    await recover(given);

    await expectSettledOnce(given);
    expect(await settlement()).toMatchObject({ attempts, txHash: attempts[0]!.hash });
  },
);

describe('crash point 14: reverted', PATIENT, () => {
  test.each(['before', 'after'] as const)(
    'and the process died %s the try is counted: it counts once',
    async (when) => {
      given = await world.begin('PROCESSING');
      const { chain } = given.world;
      const { walletAddress } = given.purchase;
      await given.kill({ when: 'after', at: 'settlement ASSIGNED' }, SETTLE, settling(given));
      await chain.owner('USDC', 'blacklist', [walletAddress]);
      chain.startMining();
      await given.kill({ when, at: 'settlement try 1 failed' }, SETTLE, settling(given));
      await chain.stopMining();
      await chain.owner('USDC', 'unBlacklist', [walletAddress]);

      await recover(given);

      await expectSettledOnce(given, { nonces: 2 });
      expect((await settlement()).tries).toEqual(['REVERTED']);
    },
  );
});

describe('crash point 15: bump and original are both valid', PATIENT, () => {
  test.each([
    ['the bump', 1],
    ['the original', 0],
  ])('after the crash %s is mined, and is the only transfer', async (_, mined) => {
    given = await world.begin('PROCESSING');
    const { chain } = given.world;
    await given.kill(NOTED, SETTLE, settling(given));
    // The visits cast the same bytes a second and a third time, and then other bytes at the same nonce.
    const doomed = await given.process({ ...SENT, nth: 3 });
    for (const _visit of ['cast again', 'and again']) {
      await doomed.later(5_000);
      expect((await doomed.run(SETTLE, settling(given))).error?.name).toBe('NotYetConfirmed');
    }
    await doomed.later(5_000);
    expect(await doomed.die(SETTLE, settling(given))).toBe('SIGKILL');
    const { attempts } = await settlement();
    expect(attempts).toHaveLength(2);

    if (mined === 0) {
      await chain.node('anvil_dropTransaction', [attempts[1]!.hash]);
      await chain.node('eth_sendRawTransaction', [attempts[0]!.raw]);
    }
    await recover(given);

    await expectSettledOnce(given);
    expect(await settlement()).toMatchObject({ attempts, txHash: attempts[mined]!.hash });
  });
});

describe('crash point 17: the key is used elsewhere', PATIENT, () => {
  test.each(['before', 'after'] as const)(
    'and the process died %s the wallet is in quarantine: the other wallet pays, once',
    async (when) => {
      given = await world.begin('PROCESSING', { wallets: 2 });
      await given.kill({ when: 'after', at: 'settlement ASSIGNED' }, SETTLE, settling(given));
      const { wallet } = await settlement();
      await given.treasuries.find(({ address }) => address === wallet)!.spend(0);
      await given.world.chain.mine(4);
      await given.kill(SENT, SETTLE, settling(given));
      expect(await settlement()).toMatchObject({ nonce: 0, tries: [], attempts: [{}] });

      const doomed = await given.process({ when, at: 'settlement try 1 failed' });
      await doomed.later(15 * 60_000);
      expect(await doomed.die(SETTLE, settling(given, doomed.now()))).toBe('SIGKILL');
      await recover(given);

      // One nonce was used elsewhere, the other is the transfer's.
      await expectSettledOnce(given, { nonces: 2 });
      expect((await settlement()).tries).toHaveLength(1);
      expect((await settlement()).wallet).not.toBe(wallet);
    },
  );
});
