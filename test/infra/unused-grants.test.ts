import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyNeed } from '../../infra/sources.ts';
import { readNeeds } from '../support/grant-report.ts';
import { gives } from '../support/rights-of-needs.ts';
import { judge, type NeedsOf, type Right } from '../support/unused-grants.ts';

const onTable = (action: string, table: string) =>
  `dynamodb:${action} table/OnrampSandboxState-Tables${table}`;
const READ = onTable('GetItem', 'Transactions');
const READER = { role: 'GetReceiptRole', right: READ };
/** Another function uses each right of `transactions`. */
const WRITER = ['GetItem', 'UpdateItem'].map((action) => ({
  role: 'ConfirmMfaRole',
  right: onTable(action, 'Transactions'),
}));

// docs/security.md, "Least privilege"
describe('an unused grant', () => {
  let needsOf: NeedsOf;
  beforeAll(async () => {
    needsOf = await readNeeds();
  });

  /** The verdict about one unused right, in a run that used the rights of READER and WRITER, and some more. */
  const verdictOf = (unused: Right, { more = [] as Right[], needs = needsOf } = {}) =>
    judge({ unused: [unused], used: [READER, ...WRITER, ...more], needsOf: needs });
  const withNeed = (id: string, need: AnyNeed): NeedsOf =>
    new Map([...needsOf, [id, [...(needsOf.get(id) ?? []), need]]]);

  it('has a reason if its function uses another right of the need, and another function uses the right', () => {
    const right = onTable('GetItem', 'Clients');
    const more = [
      { role: 'ConfirmMfaRole', right: onTable('UpdateItem', 'Clients') },
      { role: 'SubmitKycRole', right },
    ];

    const { explained, unexplained } = verdictOf({ role: 'ConfirmMfaRole', right }, { more });
    expect({ unexplained, explained: explained.length }).toEqual({ unexplained: [], explained: 1 });
  });

  it.each([
    ['a right beside the needs, though another function uses it', onTable('UpdateItem', 'Transactions')],
    ['a right that nobody uses', onTable('DeleteItem', 'Transactions')],
    ['a right of the simulators’ table', 'dynamodb:GetItem table/OnrampSandboxState-SimulatorsTable'],
    ['a cipher', 'kms:Decrypt key/1'],
    ['a secret', 'secretsmanager:GetSecretValue secret:OnrampSandbox-SecretsPix-1'],
    ['an execution', 'states:StartExecution stateMachine:onramp-sandbox'],
    ['a list’s file', 's3:ListBucket lists'],
    ['a read of logs', 'logs:FilterLogEvents log-group:x'],
  ])('is found if it is %s', (_, right) => {
    expect(verdictOf({ role: 'GetReceiptRole', right }).unexplained).toEqual([`GetReceiptRole ${right}`]);
  });

  it.each<[AnyNeed, string]>([
    ['clients', onTable('UpdateItem', 'Clients')],
    ['moneyCases', onTable('UpdateItem', 'MoneyCases')],
    ['idempotency', onTable('PutItem', 'Requests')],
    ['machine', 'states:StartExecution stateMachine:onramp-sandbox'],
    ['sanctions', 's3:ListBucket lists'],
    ['litigationHolds', onTable('ConditionCheckItem', 'PersonBlocks')],
  ])('is found if the function needs no `%s`, but declares it', (need, right) => {
    expect(gives(need, right)).toBe(true);
    const unused = { role: 'GetReceiptRole', right };
    const more = [{ role: 'SubmitKycRole', right }];

    const { unexplained } = verdictOf(unused, { more, needs: withNeed('GetReceipt', need) });
    expect(unexplained).toEqual([`GetReceiptRole ${right}`]);
  });

  it('is found if a need gives a right too many, which no function uses', () => {
    const right = onTable('GetItem', 'Usages');
    const more = [{ role: 'ConfirmMfaRole', right: onTable('UpdateItem', 'Usages') }];

    expect(verdictOf({ role: 'ConfirmMfaRole', right }, { more }).unexplained).toHaveLength(1);
  });

  it('is found if a need gives a right too many, which functions use by another need alone', () => {
    const right = onTable('UpdateItem', 'Clients');
    expect(gives('clients', right)).toBe(true);
    const used = [
      { role: 'ConfirmMfaRole', right: onTable('GetItem', 'Clients') },
      { role: 'Scheduled-ReconcileBooksRole', right },
    ];

    const { unexplained } = verdictOf({ role: 'ConfirmMfaRole', right }, { more: used });
    expect(unexplained).toEqual([`ConfirmMfaRole ${right}`]);
  });

  it('is not judged in a function that the run has never called', () => {
    const { explained, unexplained, uncalled } = verdictOf({
      role: 'Account-GetReportRole',
      right: onTable('DeleteItem', 'Ledger'),
    });

    expect({ explained, unexplained, uncalled }).toEqual({
      explained: [],
      unexplained: [],
      uncalled: ['GetReport'],
    });
  });
});
