import { expect, test } from 'vitest';
import { decidePayment, paymentFault } from '../../functions/domain/pix.ts';
import { NOW } from '../support/builders.ts';

const payment = { endToEndId: 'E1', txid: 'T', amountCentavos: 250_00, paidAt: NOW };
const expected = { amountCentavos: 250_00, expiresAt: NOW, payer: 'MATCH' } as const;

test.each([
  ['the client’s exact payment at the last moment', payment, expected, undefined],
  ['a centavo less', { ...payment, amountCentavos: 249_99 }, expected, 'AMOUNT_MISMATCH'],
  ['a centavo more', { ...payment, amountCentavos: 250_01 }, expected, 'AMOUNT_MISMATCH'],
  ['a millisecond late', { ...payment, paidAt: NOW + 1 }, expected, 'PAID_LATE'],
  ['another payer', payment, { ...expected, payer: 'MISMATCH' as const }, 'PAYER_MISMATCH'],
])('judges %s', (_, received, terms, fault) => {
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
] as const)('decides where %s', (_, received, payer, outcome) => {
  expect(decidePayment({ payment: received, expected, payer })).toEqual({ outcome });
});
