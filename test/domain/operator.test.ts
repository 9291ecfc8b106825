import { describe, expect, test } from 'vitest';
import { personOfArn } from '../../functions/domain/acts/operator.ts';

const SSO = 'AWSReservedSSO_OnrampCompliance';

// docs/operations.md, "Two persons"
describe('an ARN of a person', () => {
  test.each([
    [`arn:aws:sts::111122223333:assumed-role/${SSO}_0123456789abcdef/Ana@Onramp.example`, SSO],
    ['arn:aws:sts::111122223333:assumed-role/Desk/ana@onramp.example', 'Desk'],
    ['arn:aws:iam::111122223333:user/ana@onramp.example', 'user'],
    ['arn:aws:iam::111122223333:user/team/desk/ana@onramp.example', 'user'],
    ['arn:aws-us-gov:iam::111122223333:user/ana@onramp.example', 'user'],
  ])('%s has the id of the person, whichever way that person came', (principal, role) => {
    expect(personOfArn(principal)).toEqual({ id: 'ana@onramp.example', via: 'STS', principal, role });
  });
});

describe('an ARN of no person', () => {
  test.each([
    ['the root of the account', 'arn:aws:iam::111122223333:root'],
    ['a service', 'arn:aws:iam::111122223333:role/Desk'],
    ['a session without a name', 'arn:aws:sts::111122223333:assumed-role/Desk/'],
    ['a name with a slash', 'arn:aws:sts::111122223333:assumed-role/Desk/ana/rui'],
    ['a line more', 'arn:aws:sts::111122223333:assumed-role/Desk/ana\nrui'],
    ['free text', 'ana'],
    ['nothing', ''],
  ])('is refused: %s', (_, arn) => {
    expect(personOfArn(arn)).toBeUndefined();
  });
});
