import { expect, test } from 'vitest';
import { ordinary, StepOutcome, Unavailable } from '../../functions/domain/errors.ts';
import { reportStep } from '../../functions/entry/step.ts';
import { stubLog } from '../support/stub-log.ts';

const raisedBy = (error: unknown) => {
  const log = stubLog();
  reportStep(error, { transactionId: '01JD' }, log);
  return log.raised;
};

test.each([
  new StepOutcome('NotYetConfirmed', 'awaiting confirmations'),
  new StepOutcome('WALLET_RISK_TOO_HIGH', 'the wallet is listed'),
  new StepOutcome('RefundPending', 'the provider is still working on it'),
  ordinary(new Unavailable('the end of a return')),
])('an error that the machine expects calls nobody: %s', (error) => {
  expect(raisedBy(error)).toEqual([]);
});

test.each([
  ['PurchaseWaitsForReviewer', new StepOutcome('ReviewPending', 'a person must decide about the client')],
  ['SettlementTryFailed', new StepOutcome('SettlementFailed', 'REVERTED, 3 tries left')],
  ['StepWaits', new Unavailable('the payment of the charge')],
  ['StepFailed', new TypeError('undefined is not a function')],
  ['StepFailed', 'a thrown text'],
])('%s is raised by %s', (condition, error) => {
  expect(raisedBy(error)).toEqual([condition]);
});
