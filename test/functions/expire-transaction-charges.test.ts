import { describe, expect, test } from 'vitest';
import { Refusal, Unavailable } from '../../functions/domain/errors.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aClient } from '../support/builders.ts';
import { eventsOf, MFA_UNTIL, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { type InTurns, ordersOf, raceIn } from '../support/turns.ts';

const CPF = '52998224725';
/**
 * The most calls of each racer. The accepted code makes a charge, saves, reads and closes. The time-out reads, saves,
 * closes and reads.
 */
const CALLS = 4;

/** A code is accepted at the last moment while the time-out expires the purchase. Their calls happen in `order`. */
async function race(order: string) {
  const world = openPorts();
  const purchase = await putPurchaseIn(world, 'AWAITING_MFA');
  const { clientId } = purchase;
  const cpfCipher = await world.vault.encrypt(CPF, clientId);
  const client = await world.clients.create(aClient({ id: clientId, cpfCipher }));
  world.clock.advance(MFA_UNTIL - START_AT);
  const cleared = { trigger: 'MFA code accepted', client, spreadBasisPoints: 100 } as const;
  const inTurnsOf = (inTurns: InTurns) => ({
    ...world,
    pix: inTurns(world.pix),
    transactions: inTurns(world.transactions),
  });

  const { C: answer } = await raceIn(order, {
    C: (inTurns) => issueCharge(purchase, cleared, inTurnsOf(inTurns)).catch((error: unknown) => error),
    E: (inTurns) => expireTransaction({ transactionId: purchase.id }, inTurnsOf(inTurns)),
  });
  const { status, history } = await reread(world, purchase);
  return {
    order,
    answer: answerOf(answer),
    status,
    moves: history.length - purchase.history.length,
    events: (await eventsOf(world, purchase)).map(({ type }) => type),
    charge: world.pix.charges.get(purchase.id)?.status,
  };
}

function answerOf(answer: unknown): string {
  if (answer instanceof Refusal) return answer.code;
  if (answer instanceof Unavailable) return 'REPEAT';
  if (answer instanceof Error) throw answer;
  return 'PAYLOAD';
}

describe('a code and the time-out of its purchase', () => {
  test('end in every order of their calls with a payload and an open charge, or as EXPIRED with none', async () => {
    const ends = [];
    for (const order of ordersOf({ C: CALLS, E: CALLS })) ends.push(await race(order));

    for (const { order, answer, charge, ...end } of ends) {
      const isCleared = answer === 'PAYLOAD';
      const cleared = { status: 'AWAITING_PIX', moves: 1, events: [] };
      const expired = { status: 'EXPIRED', moves: 1, events: ['transaction.expired'] };
      expect(end, order).toEqual(isCleared ? cleared : expired);
      expect(isCleared ? ['ACTIVE'] : ['CLOSED', undefined], order).toContain(charge);
      expect(['PAYLOAD', 'TRANSACTION_EXPIRED', 'REPEAT'], order).toContain(answer);
    }
    expect(ends).toHaveLength(70);
    expect(new Set(ends.map(({ answer }) => answer)).size).toBeGreaterThan(1);
  });
});
