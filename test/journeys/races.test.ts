import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { OnrampError } from '../../client/errors.ts';
import { chargeAtPsp } from '../support/provider-faults.ts';
import { pspAt } from '../support/psp.ts';
import {
  clearMfa,
  eventsOf,
  openPix,
  openPurchase,
  type Purchase,
  refundedEnd,
  SLOW_MS,
  transfersTo,
} from '../support/purchases.ts';
import { eventually, sandbox } from '../support/sandbox.ts';

const ENDS = ['COMPLETED', 'EXPIRED', 'FAILED'] as const;
type End = (typeof ENDS)[number];

const EVENTS: Record<End, string[]> = {
  COMPLETED: ['transaction.processing', 'transaction.completed'],
  FAILED: ['transaction.processing', 'transaction.failed', 'transaction.refunded'],
  EXPIRED: ['transaction.expired'],
};

/** A run that stood still on a busy machine is entered again after a minute, which is not shortened. */
const PATIENCE_MS = 300_000;
/** A dozen purchases are opened one after the other, and wait for their ends. */
const LONG_MS = 900_000;

const psp = () => pspAt(sandbox());

/** Whether the provider still takes money for it: 409 for a closed charge, 404 without a charge. */
const isOpen = async ({ transactionId }: Purchase) => (await psp().pay(transactionId)) === 200;

/** Events, transfers and payments at the provider, as one record. */
async function storyOf(purchase: Purchase) {
  const { client, transactionId, walletAddress } = purchase;
  const seldom = { intervalMs: 1500, timeoutMs: PATIENCE_MS };
  const { status, history } = await client.waitForStatus(transactionId, ENDS, seldom);
  if (status === 'FAILED') await refundedEnd(purchase);
  const events = await eventsOf(purchase, EVENTS[status].length);
  const charge = await returnedIfOver(purchase, status);
  return {
    status,
    ends: history.filter((entry) => ENDS.some((end) => end === entry.status)).map((entry) => entry.status),
    events: events.map(({ type }) => type),
    transfers: (await transfersTo(sandbox().rpcUrl, walletAddress)).length,
    isOpen: await isOpen(purchase),
    pix: (charge?.pix ?? []).map(({ valor, devolucoes = [] }) => ({ valor, devolucoes })),
  };
}

/** The record that each end must have, money included. */
const expectedStory = (status: End, { isPaid }: { isPaid: boolean }) => ({
  status,
  ends: [status],
  events: EVENTS[status],
  transfers: status === 'COMPLETED' ? 1 : 0,
  isOpen: false,
  pix: isPaid ? [{ valor: '250.00', devolucoes: status === 'COMPLETED' ? [] : [isBack] }] : [],
});
const isBack = expect.objectContaining({ valor: '250.00', status: 'DEVOLVIDO' });

type Charge = Awaited<ReturnType<ReturnType<typeof psp>['charge']>>;

/** The charge, once a Pix after EXPIRED has been returned. The end of the purchase does not wait for that. */
async function returnedIfOver({ transactionId }: Purchase, status: End): Promise<Charge> {
  const read = () => psp().charge(transactionId);
  const isReturned = (charge: Charge) =>
    (charge?.pix ?? []).every(({ devolucoes }) => devolucoes?.[0]?.status === 'DEVOLVIDO');
  return status === 'EXPIRED' ? eventually(read, isReturned, SLOW_MS) : read();
}

type Pix = Awaited<ReturnType<typeof openPix>>;

/** Reads the provider's own table, because a call takes longer than the moment lasts. */
async function untilClosed({ transactionId, pixExpiresAt }: Pix): Promise<void> {
  await wait(pixExpiresAt - Date.now());
  const isClosed = (charge: Awaited<ReturnType<typeof chargeAtPsp>>) =>
    charge?.status.startsWith('REMOVIDA') === true;
  await eventually(() => chargeAtPsp(transactionId), isClosed, PATIENCE_MS);
}

async function untilExpired({ client, transactionId, pixExpiresAt }: Pix): Promise<void> {
  await wait(pixExpiresAt - Date.now());
  await client.waitForStatus(transactionId, ['EXPIRED'], { intervalMs: 1500, timeoutMs: PATIENCE_MS });
}

describe('a payment and the time-out of its charge', { timeout: LONG_MS }, () => {
  type Race = {
    when: string;
    moment: (purchase: Pix) => Promise<unknown>;
    force: boolean;
    callback: boolean;
  };

  /** Milliseconds from the end of the charge's life, as the provider sees it. */
  const at = (offsetMs: number, force: boolean) => ({
    when: `${force ? 'late' : 'in time'}, ${offsetMs} ms`,
    moment: ({ pixExpiresAt }: Pix) => wait(pixExpiresAt + offsetMs - Date.now()),
    force,
  });
  /** A bank delivers these payments although the charge is over. */
  const closed = { when: 'as the charge is closed', moment: untilClosed, force: true };
  const expired = { when: 'after EXPIRED', moment: untilExpired, force: true };

  // Every other payment comes without its callback, so that the expiry itself or a sweep must find it.
  const races: Race[] = [
    ...[-8000, -300, -100, -30, 150].map((offsetMs) => at(offsetMs, false)),
    ...[50, 400, 1000].map((offsetMs) => at(offsetMs, true)),
    ...[closed, closed, closed, closed, expired],
  ].map((race, index) => ({ ...race, callback: index % 2 === 0 }));

  test('have one winner, and no money is lost', async () => {
    const stories = await Promise.all(
      races.map(async ({ when, moment, ...payment }) => {
        const purchase = await openPix();
        await moment(purchase);
        const answer = await psp().pay(purchase.transactionId, payment);
        return { when, ...payment, answer, ...(await storyOf(purchase)) };
      }),
    );

    for (const { when, force, callback, answer, ...story } of stories) {
      const what = `${when}, ${callback ? 'told' : 'untold'}: ${answer}`;
      // The answer to the bank may be lost. The provider's books decide.
      const isPaid = story.pix.length > 0;
      expect(story, what).toEqual(expectedStory(story.status, { isPaid }));
      if (answer === 200 || answer === 409) expect(isPaid, what).toBe(answer === 200);
      // A payment that the provider took in time is bought. A payment that a bank delivered too late never is.
      if (isPaid) expect(story.status === 'COMPLETED', what).toBe(!force);
      else expect(story.status, what).toBe('EXPIRED');
    }
    expect(stories[0]).toMatchObject({ answer: 200, status: 'COMPLETED' });
    expect(stories.at(-1)).toMatchObject({ answer: 200, status: 'EXPIRED' });
  });
});

describe('a code and the time-out after 15 minutes', { timeout: LONG_MS }, () => {
  const OFFSETS_MS = [-8000, -700, -450, -300, -200, -100, -50, 0, 300];

  test('have one winner: a payload that can be paid, or no charge that takes money', async () => {
    const stories = await Promise.all(
      OFFSETS_MS.map(async (offsetMs) => {
        const purchase = await openPurchase();
        const { client, transactionId } = purchase;
        const { expiresAt } = await client.getTransactionStatus(transactionId);
        await wait(Date.parse(expiresAt!) + offsetMs - Date.now());
        const refusal = await clearMfa(purchase).then(() => undefined, asCode);
        if (refusal === undefined) await psp().pay(transactionId);
        return { offsetMs, refusal, ...(await storyOf(purchase)) };
      }),
    );

    for (const { offsetMs, refusal, ...story } of stories) {
      const what = `${offsetMs} ms: ${refusal}`;
      const isPaid = story.pix.length > 0;
      expect(story, what).toEqual(expectedStory(isPaid ? 'COMPLETED' : 'EXPIRED', { isPaid }));
      expect(refusal !== undefined && isPaid, what).toBe(false);
      expect([undefined, 'TRANSACTION_EXPIRED', 'INTERNAL_ERROR'], what).toContain(refusal);
    }
    expect(stories[0]).toMatchObject({ refusal: undefined, status: 'COMPLETED' });
    expect(stories.at(-1)).toMatchObject({ refusal: 'TRANSACTION_EXPIRED', status: 'EXPIRED' });
  });

  function asCode(error: unknown): string {
    if (!(error instanceof OnrampError)) throw error;
    return error.code;
  }
});
