import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Assigned,
  asConfirmed,
  attemptToCast,
  type Confirmed,
  openSettlement,
  type Signed,
  withAttempt,
  withNonce,
} from '../../functions/domain/treasury/settlement.ts';
import {
  type ChainReceipt,
  judgeConfirmed,
  type WatchVerdict,
} from '../../functions/domain/treasury/verdict.ts';
import { NOW, WALLET } from '../support/builders.ts';

const payout = { transactionId: 'T', asset: 'USDC', units: 1n, to: WALLET } as const;
const attempts = [
  { kind: 'pay', hash: '0x1', raw: '0xfirst', at: NOW },
  { kind: 'pay', hash: '0x2', raw: '0xsecond', at: NOW },
  { kind: 'cancel', hash: '0xc', raw: '0xcancel', at: NOW },
] as const;
const assigned = withNonce(openSettlement(payout, 0), '0xwallet', 7);
const signed = attempts.reduce<Assigned | Signed>(withAttempt, assigned) as Signed;
const mined = { hash: '0x1', blockNumber: 10, isFinal: false, at: NOW, lookAt: NOW + 1 };
const confirmed = asConfirmed(signed, mined) as Confirmed;

const shown: ChainReceipt = {
  hash: '0x1',
  succeeded: true,
  transferred: true,
  blockNumber: 10,
  confirmations: 3,
  isFinal: false,
  nodes: 2,
  asked: 2,
};
const final = { ...shown, isFinal: true };
const moved = { ...shown, hash: '0x2' };
const cancel = { hash: '0xc', transferred: false };
const at = { confirmations: 3, isNonceUsed: false };

describe('a confirmed transfer', () => {
  test.each<[string, ChainReceipt[], Parameters<typeof judgeConfirmed>[2], WatchVerdict]>([
    ['that a reorg may undo', [shown], at, 'WAIT'],
    ['that is final', [final], at, { final }],
    ['that is final, as one node of two says', [{ ...shown, isFinal: true, nodes: 1 }], at, 'WAIT'],
    [
      'that is final, as two nodes of three say',
      [{ ...final, asked: 3 }],
      at,
      { final: { ...final, asked: 3 } },
    ],
    ['that nobody shows', [], at, 'CAST'],
    ['that nobody shows, whose nonce is used', [], { ...at, isNonceUsed: true }, 'DOUBT'],
    ['of another attempt', [moved], at, { moved }],
    ['of another attempt, too young', [{ ...shown, hash: '0x2', confirmations: 2 }], at, 'WAIT'],
    ['of another attempt, as one node of two says', [{ ...shown, hash: '0x2', nodes: 1 }], at, 'WAIT'],
    ['that reverts now', [{ ...shown, succeeded: false }], at, 'WAIT'],
    ['that reverts for good', [{ ...shown, succeeded: false, isFinal: true }], at, 'LOST'],
    ['that is cancelled for good', [{ ...shown, ...cancel, isFinal: true }], at, 'LOST'],
    [
      'that is cancelled, as two of three say',
      [{ ...shown, ...cancel, isFinal: true, asked: 3 }],
      at,
      'WAIT',
    ],
    ['of which nodes show two versions', [shown, { ...shown, hash: '0x2' }], at, 'WAIT'],
  ])('%s', (_, receipts, instant, verdict) => {
    expect(judgeConfirmed(confirmed, receipts, instant)).toEqual(verdict);
  });

  test('is never lost on doubt, and sent again only if the chain does not have it', () => {
    const receipt = fc.record({
      hash: fc.constantFrom('0x1', '0x2', '0xc'),
      succeeded: fc.boolean(),
      transferred: fc.boolean(),
      blockNumber: fc.nat(),
      confirmations: fc.nat(100),
      isFinal: fc.boolean(),
      nodes: fc.integer({ min: 1, max: 3 }),
      asked: fc.constant(3),
    });
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 3 }), fc.boolean(), (receipts, isNonceUsed) => {
        const verdict = judgeConfirmed(confirmed, receipts, { ...at, isNonceUsed });
        const [only] = receipts.length === 1 ? receipts : [];
        if (verdict === 'LOST') {
          expect(only).toMatchObject({ isFinal: true, nodes: 3 });
          expect(only!.succeeded && only!.transferred).toBe(false);
        }
        if (typeof verdict === 'object' && 'final' in verdict)
          expect(only).toMatchObject({ hash: '0x1', transferred: true, isFinal: true });
        if (verdict === 'CAST') expect([receipts, isNonceUsed]).toEqual([[], false]);
      }),
    );
  });

  test('is sent again with the confirmed bytes, not with the latest', () => {
    expect(attemptToCast(confirmed).raw).toBe('0xfirst');
    expect(attemptToCast(signed).raw).toBe('0xcancel');
  });

  test('is not watched if it is final already', () => {
    const over = asConfirmed(signed, { ...mined, isFinal: true });

    expect(over).toMatchObject({ state: 'FINAL', txHash: '0x1' });
    expect(over.nextCheckAt).toBeUndefined();
  });
});
