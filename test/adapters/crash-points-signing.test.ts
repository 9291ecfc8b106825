import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fate } from '../support/crash-edge.ts';
import { expectSettledOnce, recover, settling } from '../support/crash-recovery.ts';
import { type CrashWorld, type Given, openCrashWorld, PATIENT } from '../support/crash-world.ts';

let world: CrashWorld;
let given: Given;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(() => given.stop());
afterAll(() => world.stop());

type Row = { row: number; what: string; fate: Fate };

describe('a killed process is followed by one that makes exactly one transfer', PATIENT, () => {
  test.each<Row>([
    { row: 3, what: 'before the nonce is assigned', fate: { when: 'before', at: 'settlement ASSIGNED' } },
    { row: 3, what: 'as the assign write is answered', fate: { when: 'after', at: 'settlement ASSIGNED' } },
    { row: 4, what: 'after assign, before sign', fate: { when: 'before', at: 'KMS Sign' } },
    { row: 7, what: 'stored, not sent', fate: { when: 'before', at: 'node eth_sendRawTransaction' } },
    { row: 8, what: 'sent, answer lost', fate: { when: 'after', at: 'node eth_sendRawTransaction' } },
    {
      row: 8,
      what: 'after the send, before it is noted',
      fate: { when: 'before', at: 'settlement BROADCAST' },
    },
  ])('crash point $row: $what', async ({ fate }) => {
    given = await world.begin('PROCESSING');

    await given.kill(fate, 'steps/settle-stablecoin', settling(given));
    await recover(given);

    await expectSettledOnce(given);
  });
});

describe('crash point 5: signed, not stored', PATIENT, () => {
  test('the bytes are lost unsent, and those of another signature are sent under the same nonce', async () => {
    given = await world.begin('PROCESSING');
    const doomed = await given.process({ when: 'before', at: 'settlement SIGNED' });
    expect(await doomed.die('steps/settle-stablecoin', settling(given))).toBe('SIGKILL');
    expect(doomed.seen).toContain('KMS Sign');

    await recover(given);

    await expectSettledOnce(given);
    expect(await given.settlement()).toMatchObject({ nonce: 0, attempts: [{}] });
  });
});

describe('crash point 6: two signers at once', PATIENT, () => {
  test('keep the bytes that were stored first, whoever sends them, and both may die', async () => {
    given = await world.begin('PROCESSING');
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const gate = { at: 'settlement SIGNED', reached: reached.resolve, until: opened.promise };
    const slow = await given.process({ when: 'before', at: 'node eth_sendRawTransaction' }, gate);
    const slowDies = slow.die('steps/settle-stablecoin', settling(given));
    await reached.promise;

    const stored = { when: 'after', at: 'settlement SIGNED' } as const;
    await given.kill(stored, 'steps/settle-stablecoin', settling(given));
    const { attempts } = (await given.settlement())!;
    opened.resolve();
    expect(await slowDies).toBe('SIGKILL');
    await recover(given);

    expect(slow.seen).toContain('KMS Sign');
    expect((await given.settlement())!.attempts).toEqual(attempts);
    await expectSettledOnce(given);
  });
});
