import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fate } from '../support/crash-edge.ts';
import { expectSettledOnce, recover } from '../support/crash-recovery.ts';
import { type CrashWorld, type Given, openCrashWorld } from '../support/crash-world.ts';

let world: CrashWorld;
let given: Given;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(() => given.stop());
afterAll(() => world.stop());

const settling = ({ id }: Given) => ({ transactionId: id, checkedAt: Date.now() });

/** A process that settles the purchase is killed exactly there. */
async function killSettling(fate: Fate): Promise<void> {
  const doomed = await given.process(fate);
  expect(await doomed.die('steps/settle-stablecoin', settling(given))).toBe('SIGKILL');
}

type Row = { row: number; what: string; fate: Fate };

describe('a process that is killed is followed by one that makes exactly one transfer', () => {
  test.each<Row>([
    { row: 3, what: 'before the nonce is assigned', fate: { when: 'before', at: 'settlement ASSIGNED' } },
    { row: 3, what: 'as the assign write is answered', fate: { when: 'after', at: 'settlement ASSIGNED' } },
    { row: 4, what: 'after assign, before sign', fate: { when: 'before', at: 'KMS Sign' } },
    { row: 5, what: 'signed, not stored', fate: { when: 'before', at: 'settlement SIGNED' } },
    { row: 7, what: 'stored, not sent', fate: { when: 'before', at: 'node eth_sendRawTransaction' } },
    { row: 8, what: 'sent, answer lost', fate: { when: 'after', at: 'node eth_sendRawTransaction' } },
    {
      row: 8,
      what: 'after the send, before it is noted',
      fate: { when: 'before', at: 'settlement BROADCAST' },
    },
  ])('crash point $row: $what', async ({ fate }) => {
    given = await world.begin('PROCESSING');

    await killSettling(fate);
    await recover(given);

    await expectSettledOnce(given);
  });
});
