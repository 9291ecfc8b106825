import { expect, test } from 'vitest';
import {
  decidePayment,
  isMed,
  mergedReturns,
  type PixReturn,
  paymentFault,
  takenBackOf,
} from '../../functions/domain/purchase/pix.ts';
import { NOW } from '../support/builders.ts';

const payment = { endToEndId: 'E1', txid: 'T', amountCentavos: 250_00, paidAt: NOW };
const expected = { amountCentavos: 250_00, expiresAt: NOW, payer: 'MATCH' } as const;

test.each([
  ['the client’s exact payment at the last moment', payment, expected, undefined],
  ['a centavo less', { ...payment, amountCentavos: 249_99 }, expected, 'AMOUNT_MISMATCH'],
  ['a centavo more', { ...payment, amountCentavos: 250_01 }, expected, 'AMOUNT_MISMATCH'],
  ['a millisecond late', { ...payment, paidAt: NOW + 1 }, expected, 'PAID_LATE'],
  ['another payer', payment, { ...expected, payer: 'MISMATCH' as const }, 'PAYER_MISMATCH'],
])('a Pix is judged: %s', (_, received, terms, fault) => {
  expect(paymentFault(received, terms)).toBe(fault);
});

test.each([
  ['the client paid', payment, 'MATCH', 'PAID'],
  ['somebody else paid', payment, 'MISMATCH', 'PAYER_MISMATCH'],
  ['nobody can name the payer', payment, 'UNKNOWN', 'UNDECIDED'],
  [
    'a wrong amount came from nobody knows whom',
    { ...payment, amountCentavos: 1 },
    'UNKNOWN',
    'AMOUNT_MISMATCH',
  ],
] as const)('the payment of two Pix is decided: %s', (_, received, payer, outcome) => {
  expect(decidePayment({ payment: received, expected, payer })).toEqual({ outcome });
});

const back = (changes: Partial<PixReturn> = {}): PixReturn => ({
  id: 'D1',
  amountCentavos: 100_00,
  status: 'REFUNDED',
  nature: 'MED_FRAUDE',
  ...changes,
});

test.each([
  ['the provider took it back', [back()], 'PAYMENT_TAKEN_BACK'],
  ['the provider took a part of it back', [back({ amountCentavos: 1 })], 'PAYMENT_TAKEN_BACK'],
  ['somebody gave it back by hand', [back({ nature: 'ORIGINAL' })], 'PAYMENT_TAKEN_BACK'],
  ['it may be taken back yet', [back({ status: 'PENDING' })], 'UNDECIDED'],
  ['how much is gone cannot be read', [back({ amountCentavos: undefined })], 'UNDECIDED'],
  ['it could not be taken back', [back({ status: 'FAILED' })], 'PAID'],
] as const)('nothing is paid out that may have been taken back: %s', (_, returns, outcome) => {
  expect(decidePayment({ payment, expected, payer: 'MATCH', returns: [...returns] })).toEqual({ outcome });
});

test('the returned amount is a sum, and unknown while a part is unknown', () => {
  expect(takenBackOf([])).toBe(0);
  expect(takenBackOf([back(), back({ id: 'D2', amountCentavos: 50_50 }), back({ status: 'FAILED' })])).toBe(
    150_50,
  );
  expect(takenBackOf([back(), back({ status: 'PENDING' })])).toBeUndefined();
});

test('two views of a Pix are merged by the ids of its returns, and the larger return counts', () => {
  const [done, underWay, failed] = (['REFUNDED', 'PENDING', 'FAILED'] as const).map((status) =>
    back({ status }),
  );
  expect(mergedReturns()).toEqual([]);
  expect(mergedReturns(undefined, [done!])).toEqual([done]);
  for (const [one, other] of [
    [done, underWay],
    [underWay, done],
    [done, failed],
    [failed, done],
  ])
    expect(mergedReturns([one!], [other!])).toEqual([done]);
  expect(mergedReturns([failed!], [underWay!])).toEqual([underWay]);
  const others = [back({ id: 'D2' }), back({ id: 'D3' })];
  expect(mergedReturns([done!, others[0]!], others)).toEqual([done, ...others]);
});

test('the MED is recognized by each of its names', () => {
  expect(['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO'].every((nature) => isMed({ nature }))).toBe(
    true,
  );
  expect(isMed({ nature: 'ORIGINAL' })).toBe(false);
});
