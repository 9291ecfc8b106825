import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Balance, balancesIn, marginIn } from '../../functions/domain/books/balances.ts';
import { move, type Posting, postingOf } from '../../functions/domain/ledger.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import type { Period } from '../../functions/domain/time.ts';
import { aTransaction } from '../support/builders.ts';

const MOVES = [
  { currency: 'BRL', debit: 'pix', credit: 'clients' },
  { currency: 'BRL', debit: 'clients', credit: 'sales' },
  { currency: 'BRL', debit: 'clients', credit: 'margin' },
  { currency: 'BRL', debit: 'losses', credit: 'pix' },
  { currency: 'USDC', debit: 'delivered:USDC', credit: 'treasury:USDC' },
] as const;

const Moved = fc.record({
  by: fc.constantFrom(...MOVES),
  amount: fc.bigInt(1n, 10n ** 20n),
  at: fc.integer({ min: 0, max: 100 }),
  partnerId: fc.constantFrom('acme', 'other', undefined),
});
const Moves = fc.array(Moved, { maxLength: 40 }).map((moves) =>
  moves.map(({ by: { currency, ...accounts }, amount, at, partnerId }, index): Posting => {
    const entries = move(currency, amount, accounts);
    return postingOf(String(index), 'SETTLED', at, { entries, ...(partnerId && { partnerId }) });
  }),
);
const Bounds = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100))
  .map((bounds) => bounds.toSorted((a, b) => a - b) as [number, number, number]);

function listOf(postings: Posting[], period: Period, byPartner = false): Balance[] {
  const books = balancesIn(period, { byPartner });
  books.add(postings);
  return books.list();
}

const accountOf = ({ account, currency }: Balance) => `${account} ${currency}`;
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

// docs/decisions.md, "The books"
test('the opening balance and the movements make the closing balance, with which the next period opens', () => {
  fc.assert(
    fc.property(Moves, Bounds, (postings, [from, middle, to]) => {
      const [first, second, both] = [
        { from, to: middle },
        { from: middle, to },
        { from, to },
      ].map((period) => new Map(listOf(postings, period).map((each) => [accountOf(each), each]))) as [
        Map<string, Balance>,
        Map<string, Balance>,
        Map<string, Balance>,
      ];

      for (const { opening, debit, credit, closing } of both.values())
        expect(closing).toBe(opening + debit - credit);
      for (const [name, whole] of both) {
        expect(second.get(name)?.opening ?? 0n).toBe(first.get(name)?.closing ?? 0n);
        expect(first.get(name)?.opening ?? 0n).toBe(whole.opening);
        expect(second.get(name)?.closing ?? 0n).toBe(whole.closing);
        expect((first.get(name)?.debit ?? 0n) + (second.get(name)?.debit ?? 0n)).toBe(whole.debit);
      }
    }),
  );
});

test('the balances of each currency add up to zero, those of each partner too', () => {
  fc.assert(
    fc.property(Moves, Bounds, (postings, [from, , to]) => {
      const all = listOf(postings, { from, to }, true);
      const groups = Map.groupBy(all, ({ partnerId, currency }) => `${partnerId} ${currency}`);
      for (const group of groups.values()) {
        expect(sum(group.map(({ opening }) => opening))).toBe(0n);
        expect(sum(group.map(({ closing }) => closing))).toBe(0n);
        expect(sum(group.map(({ debit }) => debit))).toBe(sum(group.map(({ credit }) => credit)));
      }
    }),
  );
});

test('partners together have the balances of all, in whatever parts the postings come', () => {
  fc.assert(
    fc.property(Moves, Bounds, (postings, [from, , to]) => {
      const each = Map.groupBy(listOf(postings, { from, to }, true), accountOf);
      const parts = balancesIn({ from, to });
      for (const posting of postings.toReversed()) parts.add([posting]);

      for (const { closing, debit, ...account } of parts.list()) {
        const ofPartners = each.get(accountOf({ closing, debit, ...account })) ?? [];
        expect(sum(ofPartners.map((one) => one.closing))).toBe(closing);
        expect(sum(ofPartners.map((one) => one.debit))).toBe(debit);
      }
    }),
  );
});

test('the margin is our spread of what was sold in the period', () => {
  const sold = (paidAt: number) =>
    postingsOf(
      aTransaction({
        status: 'COMPLETED',
        payment: { endToEndId: 'E1', paidAt, amountCentavos: 250_00 },
        history: [{ status: 'COMPLETED', at: paidAt }],
      }),
    );
  const { feeCentavos } = aTransaction().quote;

  expect(feeCentavos).toBeGreaterThan(0);
  expect(marginIn(listOf([...sold(1), ...sold(5), ...sold(6)], { from: 5, to: 7 }))).toBe(
    2n * BigInt(feeCentavos),
  );
});
