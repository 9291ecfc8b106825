import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asFailure,
  isOutageATry,
  type Open,
  OUTAGE_PATIENCE_MINUTES,
  openSettlement,
  type Requested,
  SETTLEMENT_TRIES,
  type Signed,
  withAttempt,
  withCast,
  withFailedTry,
  withNonce,
} from '../../functions/domain/treasury/settlement.ts';
import {
  BUMP_AFTER_CASTS,
  type ChainReceipt,
  judgePayment,
  RECAST_AFTER_MS,
  type SettlementVerdict,
} from '../../functions/domain/treasury/verdict.ts';
import { NOW, WALLET } from '../support/builders.ts';

const payout = { transactionId: 'T', asset: 'USDC', units: 1n, to: WALLET } as const;
const attempt = { kind: 'pay', hash: '0x1', raw: '0xraw', at: NOW } as const;
const signed = withAttempt(withNonce(openSettlement(payout, 0), '0xwallet', 7), attempt);
const cast = (times: number, at = NOW): Signed =>
  Array.from({ length: times }).reduce<Signed>((each) => withCast(each, { at, hint: '' }), signed);

const cancel = { reason: 'SANCTIONS_HIT', at: NOW } as const;
const unwanted = (settlement: Signed): Signed => ({ ...settlement, cancel });
/** The payment was sent, and then the transfer that outbids it. */
const outbid = withCast(withAttempt(unwanted(cast(1)), { kind: 'cancel', hash: '0xc', raw: '0x', at: NOW }), {
  at: NOW,
  hint: '',
});

const good: ChainReceipt = {
  hash: '0x1',
  succeeded: true,
  transferred: true,
  blockNumber: 10,
  confirmations: 3,
  isFinal: false,
  nodes: 2,
  asked: 2,
};
const alone = { ...good, nodes: 1, asked: 1 };
const twoOfThree = { ...good, asked: 3 };
const final = { ...good, isFinal: true };
const won = { hash: '0xc', transferred: false };
const at = { now: NOW, confirmations: 3 };

describe('judge', () => {
  test.each<[string, Signed, ChainReceipt[], Parameters<typeof judgePayment>[2], SettlementVerdict]>([
    ['bytes that were never sent', signed, [], at, 'CAST'],
    ['silence shortly after a cast', cast(1), [], { ...at, now: NOW + RECAST_AFTER_MS - 1 }, 'WAIT'],
    ['a longer silence', cast(1), [], { ...at, now: NOW + RECAST_AFTER_MS }, 'CAST'],
    ['silence after many casts', cast(BUMP_AFTER_CASTS), [], { ...at, now: NOW + RECAST_AFTER_MS }, 'BUMP'],
    ['a used nonce whose receipt no node shows', cast(1), [], { ...at, isNonceUsed: true }, 'WAIT'],
    ['enough confirmations', cast(1), [good], at, { confirm: good }],
    ['one confirmation too few', cast(1), [{ ...good, confirmations: 2 }], at, 'WAIT'],
    ['a revert that a reorg may undo', cast(1), [{ ...good, succeeded: false }], at, 'WAIT'],
    ['a final revert', cast(1), [{ ...good, succeeded: false, isFinal: true }], at, 'FAIL'],
    ['a success without its transfer', cast(1), [{ ...good, transferred: false, isFinal: true }], at, 'HOLD'],
    ['a transfer that one node of two shows', cast(1), [{ ...good, nodes: 1 }], at, 'WAIT'],
    ['a transfer that the only node shows', cast(1), [alone], at, { confirm: alone }],
    ['a transfer that two of three nodes show', cast(1), [twoOfThree], at, { confirm: twoOfThree }],
    [
      'a final revert that not every node shows',
      cast(1),
      [{ ...good, succeeded: false, isFinal: true, asked: 3 }],
      at,
      'WAIT',
    ],
    ['bytes that were never sent and are not wanted any more', unwanted(signed), [], at, 'CANCEL'],
    ['silence about what is not wanted any more', unwanted(cast(1)), [], at, 'CANCEL'],
    ['a used nonce that is not wanted any more', unwanted(cast(1)), [], { ...at, isNonceUsed: true }, 'WAIT'],
    ['a payment that is not wanted any more, and made', unwanted(cast(1)), [good], at, { confirm: good }],
    ['silence after the cancel', outbid, [], { ...at, now: NOW + RECAST_AFTER_MS }, 'CAST'],
    ['the payment mined though it was outbid, which a reorg may undo', outbid, [good], at, 'WAIT'],
    ['the payment final though it was outbid', outbid, [final], at, { confirm: final }],
    ['a cancel that a reorg may undo', outbid, [{ ...good, ...won }], at, 'WAIT'],
    ['a final cancel', outbid, [{ ...good, ...won, isFinal: true }], at, 'CANCELLED'],
    [
      'a final cancel that not every node shows',
      outbid,
      [{ ...good, ...won, isFinal: true, asked: 3 }],
      at,
      'WAIT',
    ],
    [
      'payment and cancel, each shown by a node',
      outbid,
      [good, { ...good, ...won, isFinal: true }],
      at,
      'WAIT',
    ],
    ['two receipts of one nonce', cast(1), [good, { ...good, hash: '0x2' }], at, 'WAIT'],
  ])('judges %s', (_, settlement, receipts, instant, verdict) => {
    expect(judgePayment(settlement, receipts, instant)).toEqual(verdict);
  });

  test('never ends a payment on doubt', () => {
    const receipt = fc.record({
      hash: fc.constantFrom('0x1', '0xc'),
      succeeded: fc.boolean(),
      transferred: fc.boolean(),
      blockNumber: fc.nat(),
      confirmations: fc.nat(100),
      isFinal: fc.boolean(),
      nodes: fc.integer({ min: 1, max: 3 }),
      asked: fc.constant(3),
    });
    fc.assert(
      fc.property(
        fc.array(receipt, { maxLength: 3 }),
        fc.nat(10),
        fc.nat(60_000),
        fc.boolean(),
        fc.boolean(),
        (receipts, casts, waited, isNonceUsed, isOutbid) => {
          const settlement = isOutbid ? outbid : cast(casts);
          const verdict = judgePayment(settlement, receipts, { ...at, now: NOW + waited, isNonceUsed });
          const [only] = receipts.length === 1 ? receipts : [];
          if (verdict === 'FAIL') expect(only).toMatchObject({ succeeded: false, isFinal: true, nodes: 3 });
          if (typeof verdict === 'object') expect(only).toMatchObject({ succeeded: true, transferred: true });
          if (verdict === 'CANCELLED') expect(only).toMatchObject({ hash: '0xc', isFinal: true, nodes: 3 });
          if (only?.hash === '0xc' && isOutbid) expect(['WAIT', 'CANCELLED']).toContain(verdict);
          if (verdict === 'CAST' || verdict === 'BUMP') expect(receipts).toEqual([]);
        },
      ),
    );
  });
});

describe('the tries of a settlement', () => {
  // Spec, Limits: "Settlement failure: 3 automatic retries before FAILED"
  // docs/decisions.md, "A provider is down"
  test('are one and three retries, each with its reason, and free the nonce', () => {
    let settlement: Open = signed;
    const states: string[] = [];
    const reasons = ['REVERTED', 'OUTAGE', 'TRANSFER_REFUSED', 'NONCE_USED_ELSEWHERE'] as const;
    for (const [index, reason] of reasons.entries()) {
      const failed = withFailedTry(settlement, reason);
      states.push(failed.state);
      expect(failed.nonce).toBeUndefined();
      expect(failed.attempts).toEqual([]);
      expect(asFailure(failed)).toEqual({ state: 'FAILED', reason, triesLeft: SETTLEMENT_TRIES - index - 1 });
      settlement = failed as Requested;
    }

    expect(states).toEqual(['REQUESTED', 'REQUESTED', 'REQUESTED', 'FAILED']);
  });

  test('end with the first if it is to be cancelled, with that reason', () => {
    const over = withFailedTry(outbid, 'CANCELLED');

    expect(over).toMatchObject({ state: 'FAILED', tries: ['CANCELLED'], attempts: [], cancel });
    expect(over.nonce).toBeUndefined();
    expect(asFailure(over)).toEqual({
      state: 'FAILED',
      reason: 'CANCELLED',
      triesLeft: 0,
      cancelledFor: 'SANCTIONS_HIT',
    });
  });

  test('start new casts with new bytes', () => {
    const bumped = withAttempt(cast(3), { ...attempt, hash: '0x2' });

    expect(bumped).toMatchObject({ casts: 0, state: 'SIGNED' });
    expect(bumped.attempts).toHaveLength(2);
    expect(bumped.lastCastAt).toBeUndefined();
  });
});

describe('an outage before a nonce is owned', () => {
  const minuteMs = 1_000;
  const late = NOW + OUTAGE_PATIENCE_MINUTES * minuteMs;
  const silent = { ...openSettlement(payout, NOW - 10 * (late - NOW)), outage: { since: NOW, seenAt: NOW } };

  test.each<[string, Requested, number, boolean]>([
    ['no try as it begins', silent, NOW, false],
    ['no try for thirty minutes, however long the payment had waited before', silent, late - 1, false],
    ['a try from then on', silent, late, true],
    [
      'no try for as long where another try had failed',
      withFailedTry(silent, 'OUTAGE') as Requested,
      late - 1,
      false,
    ],
    [
      'a try at once after a try that it has failed',
      withFailedTry(silent, 'OUTAGE') as Requested,
      late,
      true,
    ],
    ['no try where another try got an answer', withFailedTry(silent, 'REVERTED') as Requested, late, false],
    ['no try where nobody has noted when it began', openSettlement(payout, NOW), late, false],
    ['no try where no visit has found it for longer than that', silent, late + 1, false],
    [
      'a try where visits have found it all the time',
      { ...silent, outage: { since: NOW, seenAt: late } },
      late + 1,
      true,
    ],
  ])('is %s', (_, settlement, now, isTry) => {
    expect(isOutageATry(settlement, { now, minuteMs })).toBe(isTry);
  });
});
