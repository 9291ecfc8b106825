import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fate } from '../support/crash-edge.ts';
import type { Process } from '../support/crash-process.ts';
import { expectSettledOnce, settling } from '../support/crash-recovery.ts';
import { type CrashWorld, type Given, openCrashWorld, PATIENT } from '../support/crash-world.ts';
import { startReceiver } from '../support/receiver.ts';

const QUEUE_DUE = 'schedules/queue-due-deliveries';
const DELIVER = 'queues/deliver-webhook';
/** An event counts as lost without a delivery after two minutes, a queued delivery after five. */
const LATER_MS = 6 * 60_000;

let world: CrashWorld;
let given: Given;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(() => given.stop());
afterAll(() => world.stop());

const told = ({ id }: Given) => `${id}.1`;
const messageOf = (event: Given) => ({
  Records: [{ messageId: 'm1', body: JSON.stringify({ eventId: told(event) }) }],
});

/** The transfer is confirmed. The process dies while it writes COMPLETED with its event, so nothing was announced. */
async function completeAndDie(): Promise<void> {
  given.world.chain.startMining();
  const doomed = await given.process({ when: 'after', at: 'purchase COMPLETED' });
  const { result } = await doomed.run('steps/settle-stablecoin', settling(given));
  await given.world.chain.stopMining();
  const { txHash } = result as { txHash: string };
  const completing = doomed.die('steps/complete-transaction', { transactionId: given.id, txHash });
  expect(await completing).toBe('SIGKILL');
}

/** The sweep of the outbox, and the queue's consumer once the event is in the queue. */
async function sweepAndDeliver(process: Process): Promise<void> {
  await process.later(LATER_MS);
  given.world.cloud.queued.length = 0;
  expect((await process.run(QUEUE_DUE)).error).toBeUndefined();
  expect(given.world.cloud.queued).toContainEqual({ eventId: told(given) });
  expect(await process.run(DELIVER, messageOf(given))).toEqual({ result: { batchItemFailures: [] } });
}

describe('crash point 16: final and written, the webhook not sent', PATIENT, () => {
  test.each<[string, string | undefined, Fate]>([
    ['before anybody queued it', undefined, { when: 'before', at: 'queue SendMessage' }],
    ['as it was queued', QUEUE_DUE, { when: 'after', at: 'queue SendMessage' }],
    ['before its endpoints are noted', DELIVER, { when: 'before', at: 'events Update' }],
    ['before it is posted', DELIVER, { when: 'before', at: 'KMS Decrypt' }],
    ['posted, before that is noted', DELIVER, { when: 'before', at: 'deliveries Put' }],
    ['as the delivery is noted', DELIVER, { when: 'after', at: 'deliveries Put' }],
  ])('%s: the partner gets it under one id', async (_, file, fate) => {
    given = await world.begin('PROCESSING');
    const receiver = await startReceiver();
    await given.hearsAt(receiver.url, `whsec_${randomBytes(24).toString('base64')}`);
    await completeAndDie();
    const doomed = await given.process(fate);
    await doomed.later(LATER_MS);
    if (file) expect(await doomed.die(file, file === DELIVER ? messageOf(given) : undefined)).toBe('SIGKILL');

    await sweepAndDeliver(await given.process());

    await expectSettledOnce(given);
    expect([...receiver.ids()]).toEqual([told(given)]);
    // A delivery that was posted and not recorded is posted again, and nothing else.
    const isUnnoted = fate.at === 'deliveries Put' && fate.when === 'before';
    expect(receiver.received).toHaveLength(isUnnoted ? 2 : 1);
  });
});
