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
import { KEY } from '../support/stub-psp.ts';

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

const SETTLE = 'steps/settle-stablecoin';
const PROCESS = 'queues/process-callback';
const DETECTED = { when: 'before', at: 'purchase PROCESSING' } as const;

/** The provider's post to our registered address, as API Gateway passes it on. */
function callbackOf({ id, purchase }: Given) {
  const { endToEndId = '' } = given.world.psp.pix.find(({ txid }) => txid === id) ?? purchase.payment ?? {};
  const pix = [{ endToEndId, txid: id, chave: KEY, valor: '250.00', horario: new Date().toISOString() }];
  return {
    pathParameters: { token: 'hush-token' },
    body: JSON.stringify({ pix }),
    requestContext: { requestId: 'r1' },
  };
}

const messageOf = ({ id }: Given) => ({
  Records: [{ messageId: 'm1', attributes: { SentTimestamp: '0' }, body: JSON.stringify({ txids: [id] }) }],
});

describe('crash point 1: the Pix callback, before the write', PATIENT, () => {
  test.each<[string, string, Fate]>([
    ['before it is stored', 'callbacks/pix-received', { when: 'before', at: 'callbacks Put' }],
    ['stored, not queued', 'callbacks/pix-received', { when: 'before', at: 'queue SendMessage' }],
    ['queued, its charge not read', PROCESS, { when: 'before', at: 'PSP GET cob' }],
    ['read, before the write', PROCESS, DETECTED],
    ['as the write is answered', PROCESS, { ...DETECTED, when: 'after' }],
  ])('%s: reconciliation finds the payment', async (_, file, fate) => {
    given = await world.begin('AWAITING_PIX');
    const event = file === PROCESS ? messageOf(given) : callbackOf(given);
    await given.kill(fate, file, event);

    await recover(given);

    await expectSettledOnce(given);
  });

  test('a callback that comes again afterwards changes nothing', async () => {
    given = await world.begin('AWAITING_PIX');
    await given.kill(DETECTED, PROCESS, messageOf(given));
    await recover(given);

    const late = await given.process();
    expect(await late.run('callbacks/pix-received', callbackOf(given))).toMatchObject({
      result: { statusCode: 200 },
    });
    expect(await late.run(PROCESS, messageOf(given))).toEqual({ result: { batchItemFailures: [] } });

    await expectSettledOnce(given);
  });
});

describe('crash point 2: paid, before the execution goes on', PATIENT, () => {
  test('the sweep resumes the waiting execution', async () => {
    given = await world.begin('AWAITING_PIX');
    const { machine } = given.world.cloud;
    machine.running.add(given.id);
    await given.wait('token-2');
    await given.kill({ when: 'before', at: 'machine SendTaskSuccess' }, PROCESS, messageOf(given));

    await recover(given);

    expect(machine.resumed).toContainEqual({
      taskToken: 'token-2',
      transactionId: given.id,
      status: 'PROCESSING',
    });
    await expectSettledOnce(given);
  });

  test('the sweep starts a new execution if there is none, once', async () => {
    given = await world.begin('AWAITING_PIX');
    await given.kill({ ...DETECTED, when: 'after' }, PROCESS, messageOf(given));
    const swept = 'schedules/sweep-stuck-transactions';
    const sweeper = await given.process({ when: 'after', at: 'machine StartExecution' });
    await sweeper.later(3 * 60_000);
    expect(await sweeper.die(swept)).toBe('SIGKILL');

    await recover(given);

    await expectSettledOnce(given);
  });
});

describe('crash point 18: the whole execution is lost', PATIENT, () => {
  test('and each process that continues its work dies too: the tables alone bring it to its end', async () => {
    given = await world.begin('AWAITING_PIX');
    await given.kill({ ...DETECTED, when: 'after' }, PROCESS, messageOf(given));
    const effects = ['settlement ASSIGNED', 'settlement SIGNED', 'node eth_sendRawTransaction'];
    for (const at of effects) await given.kill({ when: 'after', at }, SETTLE, settling(given));
    given.world.chain.startMining();
    await given.kill({ when: 'after', at: 'settlement CONFIRMED' }, SETTLE, settling(given));

    await recover(given);

    await expectSettledOnce(given);
  });
});

describe('crash point 19: refund versus late delivery', PATIENT, () => {
  const FAIL = 'steps/fail-transaction';
  const REFUND = 'steps/refund-pix-payment';

  /** True for a death after the last write. The next process then has nothing left to do. */
  const isOver = ({ when, at }: Fate) => when === 'after' && at === 'purchase refund';

  /** The token refuses the client at one try and three retries, and no nonce is owned. */
  async function exhaust(): Promise<void> {
    await given.world.chain.owner('USDC', 'blacklist', [given.purchase.walletAddress]);
    const settler = await given.process();
    for (let tries = 0; tries < 4; tries++) {
      expect((await settler.run(SETTLE, settling(given))).error?.name).toBe('SettlementFailed');
    }
  }

  test('sent, and the process died: no refund is claimed while the transfer may still be mined', async () => {
    given = await world.begin('PROCESSING');
    await given.kill({ when: 'after', at: 'node eth_sendRawTransaction' }, SETTLE, settling(given));

    const failer = await given.process();
    expect((await failer.run(FAIL, failing(given))).error?.name).toBe('TransferMayLive');
    await recover(given);

    await expectSettledOnce(given);
  });

  test.each<[string, string, Fate]>([
    ['before the refund is claimed', FAIL, { when: 'before', at: 'purchase FAILED' }],
    ['as the claim is answered', FAIL, { when: 'after', at: 'purchase FAILED' }],
    ['before the provider hears of it', REFUND, { when: 'before', at: 'PSP PUT devolucao' }],
    ['as the provider has taken it', REFUND, { when: 'after', at: 'PSP PUT devolucao' }],
    ['before its end is written', REFUND, { when: 'before', at: 'purchase refund' }],
    ['as its end is written', REFUND, { when: 'after', at: 'purchase refund' }],
  ])('failed for good, and the process died %s: one refund, and nothing is sent', async (_, file, fate) => {
    given = await world.begin('PROCESSING');
    await exhaust();
    const doomed = await given.process(fate);
    if (file === REFUND) await doomed.run(FAIL, failing(given));
    if (fate.at === 'purchase refund') {
      await doomed.run(REFUND, { transactionId: given.id });
      for (const made of given.world.psp.refunds.values()) made.status = 'DEVOLVIDO';
    }
    expect(await doomed.die(file, failing(given))).toBe('SIGKILL');

    if (!isOver(fate)) await recover(given);

    await expectRefundedOnce(given);
  });
});
