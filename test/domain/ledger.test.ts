import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import {
  balancesOf,
  isBalanced,
  type Posting,
  postingsAdded,
  recovered,
  takenBack,
} from '../../functions/domain/ledger.ts';
import { postingsOf, postingsOfUnmatched } from '../../functions/domain/purchase/postings.ts';
import { recordRefund, recordReturn } from '../../functions/domain/purchase/return.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import {
  advance,
  type PurchaseChange,
  TRANSITIONS,
  type Trigger,
  withChange,
} from '../../functions/domain/purchase/transitions.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { AT, aTransaction, failing, issued, MINUTE_MS, NOW } from '../support/builders.ts';

const ID = '01JD4G0000000000000000000A';
const payment = { endToEndId: 'E1', paidAt: NOW - 1000, amountCentavos: 250_00 };
const later = (minutes: number) => ({ now: NOW + minutes * MINUTE_MS, minuteMs: MINUTE_MS });

const after = (transaction: Transaction, change: PurchaseChange | undefined) =>
  withChange(transaction, change!);
const paid = (amountCentavos = payment.amountCentavos): Transaction => {
  const awaiting = aTransaction({ status: 'AWAITING_PIX' });
  const facts = { payment: { ...payment, amountCentavos } };
  return after(awaiting, advance(awaiting, 'Pix payment detected', later(1), facts));
};
const refund = { ...payment, status: 'PENDING', reason: 'AMOUNT_MISMATCH' } as const;

/** Debits and credits as an accountant writes them. */
const linesOf = ({ entries }: Posting) =>
  entries.map(({ account, currency, amount }) => `${account} ${currency} ${amount}`);
const nothingLeft = (postings: Posting[], account: string) =>
  (balancesOf(postings).get(`${account} BRL`) ?? 0n) === 0n;

describe('a purchase', () => {
  test('posts nothing before it is paid', () => {
    expect(postingsOf(aTransaction())).toEqual([]);
    expect(advance(aTransaction(), 'MFA code accepted', AT, issued())?.postings).toEqual([]);
  });

  test('owes the client what was received, from the instant of the bank’s booking', () => {
    const awaiting = aTransaction({ status: 'AWAITING_PIX' });
    const facts = { payment: { ...payment, amountCentavos: 249_99 } };

    const change = advance(awaiting, 'Pix payment detected', later(1), facts);

    expect(change?.postings).toEqual([
      {
        id: 'E1#RECEIVED',
        kind: 'PAYMENT_RECEIVED',
        day: '2026-11-20',
        at: payment.paidAt,
        partnerId: 'demo',
        transactionId: ID,
        endToEndId: 'E1',
        entries: [
          { account: 'pix', currency: 'BRL', amount: 249_99n },
          { account: 'clients', currency: 'BRL', amount: -249_99n },
        ],
      },
    ]);
  });

  test('is settled by tokens of the treasury, named by the hash of their transfer', () => {
    const change = advance(paid(), 'stablecoin settled on-chain', later(2), { txHash: '0xabc' });

    expect(change?.postings).toMatchObject([
      { id: `${ID}#SETTLED`, at: later(2).now, endToEndId: 'E1', txHash: '0xabc' },
    ]);
    expect(change?.postings.map(linesOf)).toEqual([
      [
        'clients BRL 25000',
        'sales BRL -25000',
        'sales BRL 247',
        'margin BRL -247',
        'delivered:USDC USDC 45566968',
        'treasury:USDC USDC -45566968',
      ],
    ]);
  });

  test('still owes its money after a failure, until the provider has returned it', () => {
    const change = advance(paid(), 'settlement error', later(2), failing(refund));
    const failed = after(paid(), change);
    const refused = recordRefund(failed, 'FAILED', later(3));
    const returned = recordRefund(failed, 'REFUNDED', later(4));

    expect(change?.postings).toEqual([]);
    expect(refused?.postings).toEqual([]);
    expect(returned?.postings).toMatchObject([{ id: `${ID}#REFUNDED`, at: later(4).now, endToEndId: 'E1' }]);
    expect(returned?.postings.map(linesOf)).toEqual([['clients BRL 25000', 'pix BRL -25000']]);
  });

  test('belongs to the day in Brasília, where midnight is three hours later', () => {
    const paidAt = Date.UTC(2026, 10, 21, 2, 59, 59);

    const days = [paidAt, paidAt + 1000].map(
      (at) => postingsOf(aTransaction({ ...paid(), payment: { ...payment, paidAt: at } }))[0]?.day,
    );

    expect(days).toEqual(['2026-11-20', '2026-11-21']);
  });
});

describe('the postings of any run of moves', () => {
  const triggers = [...new Set(TRANSITIONS.map((row) => row.trigger))];
  const failures: readonly Trigger[] = [
    'settlement error',
    'wallet refused',
    'client refused',
    'payment refused',
  ];
  const Step = fc.record({
    move: fc.constantFrom(...triggers, 'refund sent' as const, 'refund not sent' as const),
    minutes: fc.nat(3000),
  });
  const Purchase = fc.record({
    asset: fc.constantFrom(...ASSET_NAMES),
    units: fc.bigInt(1n, 10n ** 18n),
    received: fc.integer({ min: 1, max: 10_000_000 }),
    steps: fc.array(Step, { maxLength: 25 }),
  });

  function moved(
    transaction: Transaction,
    move: (typeof triggers)[number] | string,
    now: number,
    received: number,
  ) {
    const at = { now, minuteMs: MINUTE_MS };
    if (move === 'refund sent') return recordRefund(transaction, 'REFUNDED', at);
    if (move === 'refund not sent') return recordRefund(transaction, 'FAILED', at);
    const trigger = move as Trigger;
    if (trigger === 'Pix payment detected')
      return advance(transaction, trigger, at, { payment: { ...payment, amountCentavos: received } });
    if (trigger === 'stablecoin settled on-chain')
      return advance(transaction, trigger, at, { txHash: '0xabc' });
    if (!failures.includes(trigger)) return advance(transaction, trigger, at);
    return advance(transaction, trigger, at, failing({ ...refund, amountCentavos: received }));
  }

  // docs/decisions.md, "The books"
  test('balance, are posted once, and follow from the row alone', () => {
    fc.assert(
      fc.property(Purchase, ({ asset, units, received, steps }) => {
        let row = aTransaction({ asset, quote: { rate: '5', feeCentavos: 0, assetUnits: units } });
        const posted: Posting[] = [];
        let now = NOW;
        for (const step of steps) {
          now += step.minutes * MINUTE_MS;
          const change = moved(row, step.move, now, received);
          if (!change) continue;
          posted.push(...change.postings);
          row = after(row, change);
          // Each step can be computed again from the row.
          expect(postingsOf(row)).toEqual(posted);
        }

        expect(posted.every(isBalanced)).toBe(true);
        expect(new Set(posted.map(({ id }) => id)).size).toBe(posted.length);
        const balances = balancesOf(posted);
        const isOver = row.status === 'COMPLETED' || row.refund?.status === 'REFUNDED' || !row.payment;
        expect(nothingLeft(posted, 'clients')).toBe(isOver);
        expect(balances.get(`treasury:${asset} ${asset}`) ?? 0n).toBe(
          row.status === 'COMPLETED' ? -units : 0n,
        );
        const kept = row.payment && row.refund?.status !== 'REFUNDED' ? BigInt(received) : 0n;
        expect(balances.get('pix BRL') ?? 0n).toBe(kept);
      }),
    );
  });
});

describe('an unmatched Pix', () => {
  const pix = { endToEndId: 'E2', amountCentavos: 10_00, paidAt: NOW };
  const unmatched = newUnmatchedPayment(pix, { mayReturn: true }, NOW + 5000);

  test('is owed to its payer until it is returned', () => {
    const refused = recordReturn(unmatched, 'FAILED', later(1));
    const change = recordReturn(unmatched, 'REFUNDED', later(2));

    expect(postingsOfUnmatched(unmatched)).toMatchObject([{ id: 'E2#RECEIVED', at: NOW, endToEndId: 'E2' }]);
    expect(postingsOfUnmatched(unmatched).map(linesOf)).toEqual([['pix BRL 1000', 'unmatched BRL -1000']]);
    expect(refused?.postings).toEqual([]);
    expect(change?.postings).toMatchObject([{ id: 'E2#UNMATCHED_RETURNED', at: later(2).now }]);
    expect(change?.postings.map(linesOf)).toEqual([['unmatched BRL 1000', 'pix BRL -1000']]);
    const all = postingsOfUnmatched(change!.next);
    expect(all).toEqual([...postingsOfUnmatched(unmatched), ...change!.postings]);
    expect(nothingLeft(all, 'unmatched')).toBe(true);
  });

  test('is posted as unmatched after its purchase expired, and names the purchase', () => {
    const expired = aTransaction({ status: 'EXPIRED' });
    const late = newUnmatchedPayment(
      { ...pix, txid: expired.id },
      { transaction: expired, mayReturn: true },
      NOW,
    );

    expect(postingsOf(expired)).toEqual([]);
    expect(postingsOfUnmatched(late)).toMatchObject([{ kind: 'UNMATCHED_RECEIVED', transactionId: ID }]);
  });
});

describe('money that the provider takes back', () => {
  test('is a loss, with one posting for each return', () => {
    const back = {
      endToEndId: 'E1',
      transactionId: ID,
      amountCentavos: 100_00,
      at: NOW,
      from: 'losses',
    } as const;

    const postings = ['D1', 'D2'].map((returnId) => takenBack({ ...back, returnId }));

    expect(postings.map(({ id }) => id)).toEqual(['E1#TAKEN_BACK#D1', 'E1#TAKEN_BACK#D2']);
    expect(postings[0]).toMatchObject({ transactionId: ID, endToEndId: 'E1' });
    expect(postings[0]).not.toHaveProperty('returnId');
    expect(postings.map(linesOf)[0]).toEqual(['losses BRL 10000', 'pix BRL -10000']);
  });
});

describe('money that came back after the provider had taken it', () => {
  // docs/decisions.md, "The books"
  test.each(['losses', 'clients', 'unmatched'] as const)('is credited to %s, which had lost it', (from) => {
    const back = {
      returnId: 'D1',
      endToEndId: 'E1',
      transactionId: ID,
      amountCentavos: 99_99,
      at: NOW,
      from,
    };

    const posting = recovered(back);

    expect(posting).toMatchObject({ id: 'E1#RECOVERED#D1', endToEndId: 'E1', transactionId: ID, at: NOW });
    expect(linesOf(posting)).toEqual(['pix BRL 9999', `${from} BRL -9999`]);
    expect(nothingLeft([takenBack(back), posting], from)).toBe(true);
  });
});

describe('isBalanced', () => {
  test('requires that each currency balances by itself', () => {
    const [received] = postingsOf(paid());
    const entries = [
      { account: 'pix', currency: 'BRL', amount: 5n },
      { account: 'delivered:USDC', currency: 'USDC', amount: -5n },
    ] as const;

    expect(isBalanced(received!)).toBe(true);
    expect(isBalanced({ entries: received!.entries.slice(1) })).toBe(false);
    expect(isBalanced({ entries: [...entries] })).toBe(false);
  });
});

describe('postingsAdded', () => {
  test('names each new posting by its id', () => {
    const before = postingsOf(paid());

    expect(postingsAdded(before, before)).toEqual([]);
    expect(postingsAdded([], before)).toEqual(before);
  });
});
